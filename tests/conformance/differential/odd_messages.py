"""What can be odd about the message in a request: its members, from the top to the arguments."""

from copy import deepcopy
from typing import Any, Final

from conformance.differential.draft import PREFIX, Draft
from conformance.differential.mutating import ABSENT, ODD, VERSIONS, WRONG, Weighted, member

IDS: Final[tuple[Any, ...]] = (
    None, True, 1.5, 1.0, [], {}, [1], "", "é\u0000", -1, 2**53 + 1, 2**70, ABSENT, ABSENT,
)  # fmt: skip
JSONRPCS: Final[tuple[Any, ...]] = ("1.0", "2", 2, 2.0, None, ABSENT)
TOOLS: Final[tuple[Any, ...]] = (
    *ODD, "constructor", "toString", "__proto__", "ECHO", " echo", "echo\n", "😀",
)  # fmt: skip
CAPABILITIES: Final[tuple[Any, ...]] = (*ODD, {"x": 1}, {"roots": 5})
CLIENTS: Final[tuple[Any, ...]] = (
    *ODD, {"name": "a"}, {"name": 5, "version": "1"}, {"version": "1"},
)  # fmt: skip
TASKS: Final[tuple[Any, ...]] = ({"ttl": 60000}, {}, None, 5)


def _document(draft: Draft) -> dict[str, Any]:
    return draft.document


def _params(draft: Draft) -> dict[str, Any]:
    return draft.params


def _meta(draft: Draft) -> dict[str, Any]:
    return draft.meta


def _client(draft: Draft) -> dict[str, Any]:
    return draft.within(draft.params, "clientInfo")


def _more(draft: Draft) -> None:
    """A member that is in no specification."""
    place = draft.random.choice((_document, _params, _meta))(draft)
    name = draft.random.choice(("more", "x-é", "", "constructor", "__proto__"))
    place[name] = deepcopy(draft.random.choice(WRONG))


ODD_MESSAGES: Final[Weighted] = {
    "jsonrpc": (member(_document, "jsonrpc", JSONRPCS), 5),
    "id": (member(_document, "id", IDS), 10),
    "rpc-method": (
        member(_document, "method", (*ODD, "TOOLS/LIST", "tools/list ", "initialize")),
        6,
    ),
    "params": (member(_document, "params", ODD), 6),
    "more": (_more, 8),
    "meta": (member(_params, "_meta", ODD), 6),
    "progress": (member(_meta, "progressToken", (*WRONG, 2**70)), 5),
    "name": (member(_params, "name", TOOLS), 7),
    "arguments": (member(_params, "arguments", ODD), 7),
    "cursor": (member(_params, "cursor", WRONG), 4),
    "task": (member(_params, "task", TASKS), 4),
    "claim-version": (member(_meta, f"{PREFIX}protocolVersion", (*VERSIONS, 5, None)), 7),
    "claim-capabilities": (member(_meta, f"{PREFIX}clientCapabilities", CAPABILITIES), 5),
    "claim-client": (member(_meta, f"{PREFIX}clientInfo", CLIENTS), 5),
    "log-level": (member(_meta, f"{PREFIX}logLevel", (*WRONG, "info", "loud")), 3),
    "initialize-version": (member(_params, "protocolVersion", (*ODD, *VERSIONS)), 4),
    "initialize-capabilities": (member(_params, "capabilities", CAPABILITIES), 3),
    "initialize-client": (member(_params, "clientInfo", CLIENTS), 3),
    "client-name": (member(_client, "name", ODD), 2),
}
