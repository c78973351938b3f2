"""Forms: the members of a urlencoded or multipart body as the object that its schema describes."""

from collections.abc import Mapping

from evalsim.api.coerce import Tree, coerce_text, coerce_tree
from evalsim.api.multipart import Part
from evalsim.api.reply import File
from evalsim.api.shapes import Shape
from evalsim.api.texts import decode, read_text, split_pairs
from evalsim.api.trees import put, split_name
from evalsim.openapi.bodies import Encoding
from evalsim.openapi.media_types import body_kind
from evalsim.types import Json, JsonObject, is_array

_DELIMITERS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}


class FormReader:
    """The forms of one operation."""

    def __init__(self, shape: Shape, encoding: Mapping[str, Encoding]) -> None:
        self._shape = shape
        self._names = shape.names
        self._encoding = encoding

    def urlencoded(self, data: bytes, *, as_text: bool = False) -> JsonObject:
        """The members of a urlencoded body; raises Refused (400)."""
        tree: dict[str, Tree] = {}
        for name, value in split_pairs(read_text(data, "body"), "body"):
            self._put(tree, name, decode(value, "body"))
        return self._coerced(tree, as_text)

    def multipart(self, parts: list[Part], *, as_text: bool = False) -> JsonObject:
        """The members that the parts of a multipart body are; raises Refused (400)."""
        tree: dict[str, Tree] = {}
        typed: dict[str, list[Json]] = {}
        for part in parts:
            value = self._part(part)
            if isinstance(value, str | File):
                self._put(tree, part.name, value)
            else:
                typed.setdefault(part.name, []).append(value.value)
        members = self._coerced(tree, as_text)
        for name, values in typed.items():
            many = self._shape.member(name).is_list or len(values) > 1
            whole = values[0] if len(values) == 1 and is_array(values[0]) else values
            members[name] = whole if many else values[0]
        return members

    def _part(self, part: Part) -> "str | File | _Typed":
        """A part as text, as bytes, or as the JSON that it says it is."""
        shape = self._shape.member(part.name)
        said = part.content_type or self._encoded_as(part.name)
        items = shape.items if shape.is_list else shape
        if said is not None and body_kind(said) == "json" and not shape.is_binary:
            return _Typed(part.json())
        is_file = items.is_binary or (part.filename is not None and items.types in (None, _TEXT))
        if is_file or (said is not None and body_kind(said) == "bytes"):
            return File(part.data, part.filename, part.content_type)
        return read_text(part.data, "body")

    def _encoded_as(self, name: str) -> str | None:
        encoding = self._encoding.get(name)
        return encoding.content_type if encoding is not None else None

    def _put(self, tree: dict[str, Tree], name: str, value: str | File) -> None:
        deep = None if name in self._names else split_name(name, "body")
        if deep is None:
            put(tree, name, [], value, "body")
        else:
            put(tree, *deep, value, "body")

    def _coerced(self, tree: dict[str, Tree], as_text: bool) -> JsonObject:
        return {
            name: self._member(name, self._shape.member(name), value, as_text)
            for name, value in tree.items()
        }

    def _member(self, name: str, shape: Shape, value: Tree, as_text: bool) -> Json:
        encoding = self._encoding.get(name)
        is_list = shape.types is not None and "array" in shape.types
        if isinstance(value, str) and is_list and encoding is not None:
            delimiter = _DELIMITERS.get(encoding.style or "form")
            if delimiter is not None and encoding.explode is False and value[:1] != "[":
                pieces = value.split(delimiter) if value else []
                return [coerce_text(shape.items, piece, as_text=as_text) for piece in pieces]
        return coerce_tree(shape, value, as_text=as_text)


class _Typed:
    """A part that was JSON."""

    def __init__(self, value: Json) -> None:
        self.value = value


_TEXT = frozenset(("string",))
