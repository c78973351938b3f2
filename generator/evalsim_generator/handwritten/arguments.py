"""A tool's arguments in one line each, to store with a fake and compare with a later capture."""

import hashlib
import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from evalsim.gate.values import is_array, is_object
from evalsim.types import Json, JsonObject
from evalsim_generator.handwritten.paths import EACH, VALUES, part

REQUIRED = ", required"

_DEEPEST = 8
_MOST_ARGUMENTS = 500
_MOST_VALUES = 200
_MOST_KINDS = 400
_MOST_STEPS = 20_000
_LONGEST_VALUE = 80

_LIMITS = (
    *("format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems"),
)
_TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]*")
_NOT_BARE = {*_TYPES, "any", "never", "true", "false", "NaN", "Infinity"}


@dataclass(frozen=True, slots=True)
class _Piece:
    """One plain object of a schema, its references and branches taken apart.

    `certain` says that it always applies; `refs` are the references that led to it.
    """

    schema: JsonObject
    certain: bool
    refs: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Open:
    """A schema whose properties are still to be described, `depth` steps below the root."""

    pieces: tuple[_Piece, ...]
    path: str
    depth: int


def describe(schema: Json) -> dict[str, str]:
    """What each argument is, by its path: `{"limit": "integer = 50", "op": "eq | neq, required"}`.

    Local references are followed, recursive ones once; of a huge schema the outer part is told.
    Texts of the schema stand in it quoted, in ASCII, wherever they are not plain words.
    """
    return _Describer(schema).describe()


def members(line: str) -> frozenset[str]:
    """The types and values that a description allows, limits and default aside.

    Of `array<a | b> | null` they are `array<a>`, `array<b>` and `null`.
    """
    return frozenset(_members(re.split(r" \(| = ", line.removesuffix(REQUIRED))[0]))


def _members(kinds: str) -> Iterator[str]:
    for member in _split(kinds):
        outer, bracket, inner = member.partition("<")
        if bracket:
            yield from (f"{outer}<{item}>" for item in _members(inner.removesuffix(">")))
        else:
            yield outer


def _split(kinds: str) -> Iterator[str]:
    """The members of a union, those of its items left together."""
    member = ""
    for text in kinds.split(" | "):
        member = f"{member} | {text}" if member else text
        if member.count("<") == member.count(">"):
            yield member
            member = ""


class _Describer:
    """One pass over one schema, outer arguments first, within a fixed number of steps."""

    def __init__(self, root: Json) -> None:
        self._root = root
        self._steps = _MOST_STEPS

    def describe(self) -> dict[str, str]:
        lines: dict[str, str] = {}
        waiting = deque([_Open(self._pieces(self._root), "", 0)])
        while waiting and len(lines) < _MOST_ARGUMENTS:
            here = waiting.popleft()
            for name, pieces, required in self._properties(here.pieces):
                path = f"{here.path}.{part(name)}" if here.path else part(name)
                lines.setdefault(path, self._line(pieces, required))
                waiting.extend(self._inner(_Open(pieces, path, here.depth + 1)))
        return dict(list(lines.items())[:_MOST_ARGUMENTS])

    def _inner(self, here: _Open) -> Iterator[_Open]:
        """An argument, its items and its values, as far as they may hold arguments themselves."""
        if here.depth > _DEEPEST:
            return
        yield here
        for piece in here.pieces:
            for key, mark in (("items", EACH), ("additionalProperties", VALUES)):
                if is_object(piece.schema.get(key)):
                    inner = self._pieces(piece.schema[key], piece.refs)
                    yield from self._inner(_Open(inner, here.path + mark, here.depth + 1))

    def _properties(
        self, pieces: tuple[_Piece, ...]
    ) -> Iterator[tuple[str, tuple[_Piece, ...], bool]]:
        """An object's properties in order: the name, what it may be, whether it must be there."""
        found: dict[str, list[_Piece]] = {}
        required: set[str] = set()
        for piece in pieces:
            properties = piece.schema.get("properties")
            needed = piece.schema.get("required")
            for name, schema in properties.items() if is_object(properties) else ():
                found.setdefault(name, []).extend(self._pieces(schema, piece.refs))
            if piece.certain and is_array(needed):
                required.update(name for name in needed if isinstance(name, str))
        for name, inner in found.items():
            yield name, tuple(inner), name in required

    def _pieces(self, schema: Json, refs: frozenset[str] = frozenset()) -> tuple[_Piece, ...]:
        """A schema taken apart; a reference that is already open ends there."""
        pieces: list[_Piece] = []
        stack: list[tuple[Json, bool, frozenset[str]]] = [(schema, True, refs)]
        while stack and self._steps > 0:
            self._steps -= 1
            node, certain, open_refs = stack.pop()
            if not is_object(node):
                continue
            pieces.append(_Piece(node, certain, open_refs))
            for key in ("oneOf", "anyOf", "allOf"):
                branches = node.get(key)
                if is_array(branches):
                    inner = certain and key == "allOf"
                    stack += [(branch, inner, open_refs) for branch in reversed(branches)]
            ref = node.get("$ref")
            if isinstance(ref, str) and ref not in open_refs:
                stack.append((self._resolve(ref), certain, open_refs | {ref}))
        return tuple(pieces)

    def _resolve(self, ref: str) -> Json:
        """What a local reference points at; None for any other."""
        node = self._root
        if not ref.startswith("#"):
            return None
        for step in ref[1:].split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if is_object(node):
                node = node.get(key)
            elif is_array(node) and key.isdecimal() and int(key) < len(node):
                node = node[int(key)]
            else:
                return None
        return node

    def _line(self, pieces: tuple[_Piece, ...], required: bool) -> str:
        schemas = [piece.schema for piece in pieces]
        limits = {
            name: f"{name} {_value(schema[name])}"
            for schema in reversed(schemas)
            for name in _LIMITS
            if name in schema
        }
        line = self._kind(pieces, 0)
        if limits:
            line += f" ({', '.join(limits[name] for name in _LIMITS if name in limits)})"
        for schema in schemas:
            if "default" in schema:
                line += f" = {_value(schema['default'])}"
                break
        return line + REQUIRED if required else line

    def _kind(self, pieces: tuple[_Piece, ...], depth: int) -> str:
        """The types and values that pieces speak of: `eq | neq`, `array<string> | null`."""
        kinds: dict[str, None] = {}
        for piece in pieces:
            kinds.update(dict.fromkeys(self._own_kinds(piece, depth)))
        told = list(kinds)[:_MOST_KINDS]
        if len(kinds) > len(told):
            told.append(_more(len(kinds) - len(told), " | ".join(kinds)))
        return " | ".join(told) or "any"

    def _own_kinds(self, piece: _Piece, depth: int) -> Iterator[str]:
        schema, types = piece.schema, piece.schema.get("type")
        if "const" in schema:
            yield _value(schema["const"])
        elif is_array(schema.get("enum")):
            yield from map(_value, schema["enum"][:_MOST_VALUES])
            if rest := schema["enum"][_MOST_VALUES:]:
                yield _more(len(rest), _json(rest))
        elif types is not None:
            for name in types if is_array(types) else [types]:
                if name in _TYPES:
                    yield self._typed(name, piece, depth)
        elif "properties" in schema:
            yield self._typed("object", piece, depth)
        elif "items" in schema:
            yield self._typed("array", piece, depth)

    def _typed(self, name: str, piece: _Piece, depth: int) -> str:
        key = {"array": "items", "object": "additionalProperties"}.get(name, "")
        inner = piece.schema.get(key)
        if not is_object(inner) or depth > _DEEPEST:
            return name
        kind = self._kind(self._pieces(inner, piece.refs), depth + 1)
        return name if kind == "any" else f"{name}<{kind}>"


def _value(value: Json) -> str:
    """A value of the schema as JSON, bare when it is a plain word, without the marks of a line."""
    if isinstance(value, str) and _WORD.fullmatch(value) and value not in _NOT_BARE:
        text = value
    else:
        text = _json(value)
        for mark in "=|()<>\x7f":
            text = text.replace(mark, f"\\u{ord(mark):04x}")
    if len(text) > _LONGEST_VALUE:
        return f"{text[:_LONGEST_VALUE]}...#{_digest(text)}"
    return text


def _json(value: Json) -> str:
    try:
        return json.dumps(value, separators=(",", ":"), sort_keys=True)
    except RecursionError:
        return "..."


def _more(count: int, text: str) -> str:
    """What stands for members too many to tell; it changes when they do."""
    return f"{count}-more#{_digest(text)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
