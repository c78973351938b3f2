"""Code in every text a server may send."""

from functools import partial

from support.hostile.case import Hostile, case
from support.hostile.payloads import (
    PAYLOADS,
    PLACES,
    RISKY_PLACES,
    each_payload,
    tool,
    with_property,
)


def quoting() -> list[Hostile]:
    names = [
        tool(f"{index} {text}", with_property({})) for index, text in enumerate(PAYLOADS.values())
    ]
    return [
        *(
            Hostile(
                f"code in {place}",
                partial(each_payload, make),
                "generates",
                "text from a server is data wherever it stands",
            )
            for place, make in PLACES.items()
        ),
        *(
            Hostile(
                f"code in {place}",
                partial(each_payload, make),
                "either",
                "the schema may be refused, but never run",
            )
            for place, make in RISKY_PLACES.items()
        ),
        case("code in tool name", "either", "a name is free text to the protocol", *names),
        case(
            "lone surrogates",
            "either",
            "they cannot be written as UTF-8",
            tool("a", with_property({"type": "string", "enum": ["\ud800"]}), description="x\udfff"),
            tool("b\ud800", with_property({})),
            tool("c", {"type": "object", "properties": {"\ud83d": {"default": "\ude00"}}}),
        ),
    ]
