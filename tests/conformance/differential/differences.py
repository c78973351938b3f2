"""Every way in which this host may answer otherwise than an official SDK, and why it does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from conformance.differential import explaining, serving, wording
from conformance.differential.comparison import Comparison
from conformance.differential.peers import PYTHON, TYPESCRIPT

LIMIT: Final = 25
"""More entries than this would be a host of its own, not the protocol's."""

BOTH: Final = (PYTHON, TYPESCRIPT)


@dataclass(frozen=True, slots=True)
class Difference:
    """One way to differ from `peers`: when, for what reason, and by whose words."""

    label: str
    peers: tuple[str, ...]
    explains: Callable[[Comparison], bool]
    reason: str
    cites: str


def explain(found: Comparison) -> Difference | None:
    """The entry that explains a comparison that does not agree; None when no entry does."""
    for difference in DIFFERENCES:
        if found.peer in difference.peers and difference.explains(found):
            return difference
    return None


DIFFERENCES: Final = (
    Difference(
        "announces list changes",
        (TYPESCRIPT,),
        serving.announces_changes,
        "A fake's list of tools never changes; the SDK's server says that it may, whatever it is.",
        '2025-11-25 server/tools: "`listChanged` indicates whether the server will emit'
        ' notifications when the list of available tools changes."',
    ),
    Difference(
        "rewrites the list",
        BOTH,
        serving.rewrites_tools,
        "Tools are served as captured; the SDKs drop members that their models do not know.",
        "2025-11-25 schema: Tool is open, nothing in it forbids further members; python-sdk and"
        " typescript-sdk parse it into models that ignore them.",
    ),
    Difference(
        "rounds numbers",
        BOTH,
        serving.rounds_numbers,
        "Integers of up to 64 bits are answered digit for digit, larger ones as doubles; JavaScript"
        " has nothing but doubles, and Python integers of any size.",
        'RFC 8259 section 6: "This specification allows implementations to set limits on the range'
        ' and precision of numbers accepted."',
    ),
    Difference(
        "takes other batches",
        BOTH,
        serving.takes_other_batches,
        "Batches belong to one revision, without initialize; TypeScript takes them in each of the"
        " handshake era, Python in none.",
        '2025-03-26 basic: "MUST support receiving JSON-RPC batches"; lifecycle: "The initialize'
        ' request MUST NOT be part of a JSON-RPC batch"; 2025-06-18 changelog removes batching.',
    ),
    Difference(
        "unwraps batches",
        (TYPESCRIPT,),
        serving.unwraps_batches,
        "A batch is answered by an array with a response for each request in it; the SDK sends a"
        " lone response bare, and one response for all requests of the same id.",
        'JSON-RPC 2.0 section 6: "The Server should respond with an Array containing the'
        ' corresponding Response objects."',
    ),
    Difference(
        "judges Accept",
        BOTH,
        explaining.judges_accept,
        "The answer is JSON, so who takes JSON is served; the SDKs ask for both types in the"
        " handshake era, or compare them case by case.",
        'RFC 9110 section 12.5.1: "A request without any Accept header field implies that the user'
        ' agent will accept any media type in response"; types are case-insensitive (8.3.1).',
    ),
    Difference(
        "reads more JSON",
        BOTH,
        explaining.reads_more_json,
        "orjson reads JSON as RFC 8259 has it: no byte order mark, no bytes that are not UTF-8, no"
        " lone surrogate, no NaN, and no more than 1,024 levels.",
        'RFC 8259 sections 6, 8.1, 8.2 and 9: NaN is "not permitted"; text "MUST be encoded using'
        ' UTF-8"; a lone surrogate is "unpredictable"; "an implementation may set limits on the'
        ' maximum depth of nesting".',
    ),
    Difference(
        "reads other ids",
        BOTH,
        explaining.reads_other_ids,
        "An id is a string or an integer of any size, written as one. TypeScript takes 1.0, no"
        " integer beyond 2^53, and an initialize without one; Python takes a request with a bad id"
        " for a notification.",
        '2025-11-25 basic, Requests: "Requests MUST include a string or integer ID"; JSON-RPC 2.0'
        ' section 4: "Numbers SHOULD NOT contain fractional parts".',
    ),
    Difference(
        "reads one of two fields",
        BOTH,
        explaining.reads_one_of_two_fields,
        "A field that may stand once and stands twice is refused; the SDKs read its first value, or"
        " word the refusal otherwise.",
        'RFC 9110 section 5.3: "a sender MUST NOT generate multiple field lines with the same name'
        ' in a message" unless the field is a list; 8.3 warns of picking one Content-Type.',
    ),
    Difference(
        "speaks 2024-10-07",
        (TYPESCRIPT,),
        explaining.speaks_a_draft,
        "A draft before the first revision, which the SDK still takes and names as supported.",
        "The specification's revisions begin with 2024-11-05 (docs/specification/versioning).",
    ),
    Difference(
        "blames itself",
        (TYPESCRIPT,),
        explaining.blames_itself,
        "Params that the method does not take, and a Host that is no host, are the caller's fault;"
        " the SDK answers the exception that they cause in it as an internal error.",
        'JSON-RPC 2.0 section 5.1: "-32602 Invalid params: Invalid method parameter(s)"; RFC 9110'
        ' section 7.2: "Host = uri-host [ ":" port ]"; @modelcontextprotocol/node 2.1.2 throws in'
        " toWebRequest.",
    ),
    Difference(
        "quotes its library",
        BOTH,
        wording.quotes_its_library,
        "An error is worded by a sentence; TypeScript prints its schema library's issues, Python"
        " what its JSON parser says.",
        'JSON-RPC 2.0 section 5.1: message "SHOULD be limited to a concise single sentence".',
    ),
    Difference(
        "has sentences of its own",
        (PYTHON,),
        wording.has_sentences_of_its_own,
        "Errors of messages, headers, envelopes and params are worded as TypeScript words them, or"
        " say which one is amiss; Python has one sentence for each kind, and other data.",
        'JSON-RPC 2.0 section 5.1: message is "a short description of the error"; data is "defined'
        ' by the Server" and "may be omitted".',
    ),
    Difference(
        "repeats the method",
        (PYTHON,),
        wording.repeats_the_method,
        "What was not found stands in the request; Python repeats the method as the error's data.",
        'JSON-RPC 2.0 section 5.1: data "may be omitted".',
    ),
    Difference(
        "finds what is inherited",
        (TYPESCRIPT,),
        wording.finds_what_is_inherited,
        "A tool that is not served is not found; the SDK looks it up in an object, where"
        " constructor and the like are inherited, and says that it is disabled.",
        "2025-11-25 server/tools: unknown tools are protocol errors; typescript-sdk 2.4.0 keeps its"
        " tools in a plain object (McpServer._registeredTools).",
    ),
    Difference(
        "loses the id",
        (PYTHON,),
        explaining.loses_the_id,
        "An error names the request wherever its id could be read.",
        '2025-11-25 basic, Responses: "Error responses MUST include the same ID as the request they'
        ' correspond to (except in error cases where the ID could not be read[)]".',
    ),
    Difference(
        "types no body",
        (PYTHON,),
        explaining.types_no_body,
        "What has no body has no type; the SDK sends Content-Type with an empty 202.",
        '2025-11-25 basic/transports: "the server MUST return HTTP status code 202 Accepted with no'
        ' body"; RFC 9110 section 8.3 speaks of a Content-Type for content.',
    ),
    Difference(
        "tells bad params by the status",
        (PYTHON,),
        explaining.tells_params_by_status,
        "What a method finds wrong is the payload of a 200, as TypeScript has it; Python gives"
        " every -32602 of the newest revision a 400, though a tool raised it.",
        "2026-07-28 basic/transports/streamable-http gives 400 to header, version and envelope"
        " errors, and 404 to unknown methods, and no status to other errors.",
    ),
    Difference(
        "refuses plainly",
        (PYTHON,),
        explaining.refuses_plainly,
        "Refusals of HTTP are JSON-RPC errors with the statuses of the TypeScript SDK; Python's are"
        " text or empty, with 421 for a Host and 400 for a media type, or have another code.",
        '2025-11-25 basic/transports: "The HTTP response body MAY comprise a JSON-RPC error'
        ' response that has no id"; RFC 9110 section 15.5.16 has 415 for media types.',
    ),
    Difference(
        "matches fields exactly",
        (PYTHON,),
        explaining.matches_fields_exactly,
        "Hosts, origins and media types are compared by what they mean; Python compares text with"
        " a list of texts, by their beginning.",
        'RFC 9110 sections 4.2.3 and 8.3.1: host and media type "are case-insensitive"; a port is'
        " digits (RFC 3986 section 3.2.3).",
    ),
    Difference(
        "goes by the header",
        (PYTHON,),
        explaining.goes_by_the_header,
        "The body says which era it is of, and the header must agree; Python goes by the header"
        " alone, which its source has down as to be done.",
        '2026-07-28 basic/versioning: "A request carrying modern per-request _meta is served'
        ' statelessly according to this revision"; streamable-http: on a mismatch "the server MUST'
        ' reject the request".',
    ),
    Difference(
        "takes other messages",
        (PYTHON,),
        explaining.takes_other_messages,
        "A message has the members of its kind and no others, and params and _meta are objects or"
        " absent; JSON that is none is an invalid request, as TypeScript has it. Python takes more"
        " members, and null for absent, and leaves the rest to the method, as invalid params.",
        'JSON-RPC 2.0 section 5.1: "-32600 Invalid Request: The JSON sent is not a valid Request'
        ' object", section 4.2: params "MUST be a Structured value"; 2025-11-25 schema:'
        " JSONRPCRequest has jsonrpc, id, method and params?: { [key: string]: unknown }.",
    ),
    Difference(
        "opens a stream",
        (PYTHON,),
        explaining.opens_a_stream,
        "A stateless host has nothing to say on a stream; Python opens one that stays silent, and"
        " fails with 500 when it is to resume one.",
        '2025-11-25 basic/transports: "or else return HTTP 405 Method Not Allowed, indicating that'
        ' the server does not offer an SSE stream"; python-sdk issue 2474.',
    ),
    Difference(
        "checks other fields",
        (PYTHON,),
        explaining.checks_other_fields,
        "A field for an argument that is not there is not looked at, and a notification's"
        " Mcp-Method is held to its body, as TypeScript has both.",
        '2026-07-28 streamable-http: where a parameter is null or absent, "Server MUST NOT expect'
        ' the header"; "header requirements for notification POSTs are not defined".',
    ),
    Difference(
        "names another fault first",
        BOTH,
        explaining.names_another_fault,
        "A request with two faults is refused for either; no specification orders them. Python"
        " judges the params of each method it has a model for, served or not, before its name.",
        "2025-11-25 basic/transports and JSON-RPC 2.0 section 5.1 name errors, and no order among"
        " them.",
    ),
)
"""Looked through in this order; the first entry that explains a comparison has it."""
