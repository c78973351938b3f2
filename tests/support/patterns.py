"""Strings that a regular expression of JSON Schema (ECMA-262) is likely to accept.

The expression is rewritten into Python's dialect, parsed by the standard library, and walked.
Anchors and lookaheads are not solved: the caller tests each string and asks for another.
"""

import importlib
import re
import warnings
from functools import lru_cache
from random import Random
from typing import Any

from support.impossible import Impossible

_parser: Any = importlib.import_module("re._parser")

PRINTABLE = [(0x20, 0x7E)]
LETTERS = [(0x61, 0x7A), (0x41, 0x5A), (0x30, 0x39)]
EXOTIC = [(0xE0, 0xF6), (0x4E00, 0x4E20), (0x1F600, 0x1F610)]
CATEGORIES = {
    "CATEGORY_DIGIT": [(0x30, 0x39)],
    "CATEGORY_NOT_DIGIT": [(0x41, 0x5A), (0x20, 0x2F)],
    "CATEGORY_SPACE": [(0x20, 0x20), (0x09, 0x0A)],
    "CATEGORY_NOT_SPACE": [(0x21, 0x7E)],
    "CATEGORY_WORD": [*LETTERS, (0x5F, 0x5F)],
    "CATEGORY_NOT_WORD": [(0x20, 0x2F), (0x3A, 0x40)],
}
PROPERTIES = {"L": "A-Za-zà-ö", "Lu": "A-Z", "Ll": "a-z", "N": "0-9", "Nd": "0-9", "P": "!-/"}
IN_CLASS = re.compile(r"\\[pP]\{(?:\w+=)?(\w+)\}|\\u\{(\w+)\}|\\c([A-Za-z])|\\(?s:.)|(?s:.)")

Ranges = list[tuple[int, int]]


def string_like(pattern: str, rng: Random, stretch: int, *, full: bool = False) -> str:
    """One candidate; repeats add at most `stretch` rounds, and exactly that many when `full`.

    Raises Impossible when the expression cannot be read.
    """
    writer = _Writer(rng, stretch, full)
    body = writer.sequence(_parse(pattern))
    return f"{_junk(rng, pattern.startswith('^'))}{body}{_junk(rng, pattern.endswith('$'))}"


def _junk(rng: Random, anchored: bool) -> str:
    if anchored or rng.random() < 0.7:
        return ""
    return rng.choice(["x", "-9", "é ", "zz"])


@lru_cache(maxsize=4096)
def _parse(pattern: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _parser.parse(python_dialect(pattern), re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise Impossible(f"cannot generate from pattern {pattern!r}: {error}") from error


def python_dialect(pattern: str) -> str:
    """The expression with ECMA-only spellings rewritten as Python's."""
    out: list[str] = []
    inside = False
    for match in IN_CLASS.finditer(pattern):
        token = match.group()
        if token == "[" and not inside:
            inside = True
        elif token == "]" and inside:
            inside = False
        elif inside and token in "[-" and (token == "[" or _after_category(out)):
            token = "\\" + token
        else:
            token = _escape(match, inside)
        out.append(token)
    text = "".join(out).replace("[^]", r"[\s\S]").replace("[]", "(?!)")
    return re.sub(r"\\k<(\w+)>", r"(?P=\1)", re.sub(r"\(\?<(?![=!])", "(?P<", text))


def _after_category(out: list[str]) -> bool:
    return bool(out) and out[-1] in (r"\w", r"\d", r"\s", r"\W", r"\D", r"\S")


def _escape(match: re.Match[str], inside: bool) -> str:
    name, point, control = match.groups()
    if name is not None:
        members = PROPERTIES.get(name, PROPERTIES.get(name[:1], "A-Za-z"))
        if match.group().startswith(r"\P"):
            members = " " if name.startswith("L") else "a-z"
        return members if inside else f"[{members}]"
    if point is not None:
        return re.escape(chr(int(point, 16)))
    if control is not None:
        return f"\\x{ord(control.upper()) - 64:02x}"
    return "/" if match.group() == r"\/" else match.group()


class _Writer:
    """Walks a parsed expression once, remembering what each group wrote."""

    def __init__(self, rng: Random, stretch: int, full: bool) -> None:
        self.rng = rng
        self.stretch = stretch
        self.full = full
        self.groups: dict[int, str] = {}

    def sequence(self, items: Any) -> str:
        return "".join(self.item(str(op), argument) for op, argument in items)

    def item(self, op: str, argument: Any) -> str:
        match op:
            case "LITERAL":
                return chr(argument)
            case "NOT_LITERAL":
                return self.outside([(argument, argument)])
            case "ANY":
                return self.any()
            case "IN":
                return self.member(argument)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self.repeat(*argument)
            case "SUBPATTERN":
                return self.group(argument[0], argument[3])
            case "ATOMIC_GROUP":
                return self.sequence(argument)
            case "BRANCH":
                return self.sequence(self.rng.choice(argument[1]))
            case "GROUPREF":
                return self.groups.get(argument, "")
            case "ASSERT":
                return self.ahead(*argument)
            case "AT" | "ASSERT_NOT" | "FAILURE":
                return ""
        raise Impossible(f"cannot generate from the expression part {op}")

    def group(self, number: int | None, items: Any) -> str:
        text = self.sequence(items)
        if number is not None:
            self.groups[number] = text
        return text

    def ahead(self, direction: int, items: Any) -> str:
        """A lookahead is often satisfied by writing what it looks for in front of the rest."""
        return self.sequence(items) if direction > 0 and self.rng.random() < 0.5 else ""

    def repeat(self, low: int, high: int, items: Any) -> str:
        most = min(int(high), low + self.stretch)
        rounds = most if self.full else self.rng.randint(low, most)
        return "".join(self.sequence(items) for _ in range(rounds))

    def any(self) -> str:
        ranges = self.rng.choices([LETTERS, PRINTABLE, EXOTIC], [6, 3, 1])[0]
        return self.pick(ranges)

    def member(self, items: Any) -> str:
        negated = str(items[0][0]) == "NEGATE"
        ranges: Ranges = []
        for op, argument in items[1:] if negated else items:
            if str(op) == "LITERAL":
                ranges.append((argument, argument))
            elif str(op) == "RANGE":
                ranges.append(argument)
            else:
                ranges.extend(CATEGORIES.get(str(argument), PRINTABLE))
        return self.outside(ranges) if negated else self.pick(ranges)

    def outside(self, ranges: Ranges) -> str:
        for _ in range(40):
            char = self.any()
            if not any(low <= ord(char) <= high for low, high in ranges):
                return char
        return "\u00e9"

    def pick(self, ranges: Ranges) -> str:
        low, high = self.rng.choice(ranges)
        return chr(self.rng.randint(low, min(high, 0xD7FF) if low <= 0xD7FF else high))
