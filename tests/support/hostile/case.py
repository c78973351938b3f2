"""One hostile capture, and the ways to write one down."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evalsim.types import Json
from support.hostile.payloads import capture

Expect = Literal["generates", "refused", "either"]


@dataclass(frozen=True, slots=True)
class Hostile:
    """One hostile capture; `document` is the text of its tools.json, made when asked for.

    `generates`: every tool gets code that imports. `refused`: exit code 2, a sentence, nothing
    written. `either`: one of the two. `module` is a Python module to lay on the path of the child:
    importing it touches the canary.
    """

    name: str
    make: Callable[[], bytes]
    expect: Expect
    why: str
    module: str | None = None

    @property
    def document(self) -> bytes:
        return self.make()

    def __str__(self) -> str:
        return self.name


def case(name: str, expect: Expect, why: str, *tools: Json, module: str | None = None) -> Hostile:
    return Hostile(name, lambda: capture(*tools), expect, why, module)


def raw(name: str, expect: Expect, why: str, text: bytes) -> Hostile:
    return Hostile(name, lambda: text, expect, why)


def short(name: str) -> str:
    return ascii(name if len(name) <= 20 else f"{name[:8]}… ({len(name)} characters)")
