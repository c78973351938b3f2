"""Cassettes: recorded calls of real tools, kept as a file and replayed.

A file of format 2 is a JSON object, made to be read and edited by hand:

    {"evalsim_cassette": 2,
     "calls": [
       {"number": 1, "name": "search", "input": {"q": "x", "trace": "t-1"}, "output": {"hits": []},
        "match": {"ignore": ["/trace"]}, "schema": "3b5d5c3712955042"},
       {"number": 2, "name": "refund", "input": {"auth": {"token": "[REDACTED:token]"}},
        "error": {"type": "builtins:TimeoutError", "message": "slow", "args": ["slow"]}},
       {"number": 3, "kind": "subagent", "name": "triage", "input": null, "chunks": ["a", "b"],
        "match": "name"}]}

A call has a `name`, an `input`, and one of `output`, `error` and `chunks` (a stream, which may have
an `error` too where it broke off). `number` orders the calls by their start. `kind` is `tool` where
it is left out. `match` leaves parts of the input out, by JSON Pointers, or all of it (`"name"`).
`schema` is a digest of the tool's schemas as they were. `[REDACTED:key]` stands for what was
hidden, and fits anything, unless a digest follows: `[REDACTED:key#1f2e3d4c]`. What JSON has no word
for is tagged: `{"$evalsim": "date", "value": "2026-01-02"}`; so are `bytes`, `datetime`, `decimal`,
`dict` (with keys that are no texts), `duration`, `float` (NaN, infinities), `object` (a dataclass
or a Pydantic model, by its `type`), `set`, `time` and `uuid`.
"""
