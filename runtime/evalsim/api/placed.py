"""The parameters of an operation, place by place, prepared once and read for each request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evalsim.api.coerce import Tree, coerce_text, coerce_tree
from evalsim.api.reading import Read, read_items, reader_of
from evalsim.api.refused import bad
from evalsim.api.shapes import Shape
from evalsim.api.texts import decode, split_pairs
from evalsim.api.trees import put, split_name
from evalsim.openapi.parameters import Parameter
from evalsim.types import Json, JsonObject

Shaped: TypeAlias = Sequence[tuple[Parameter, Shape]]
_SHOWN = 5
_TEXT = frozenset(("string",))


class QueryReader:
    """The query of one operation: what each name in it belongs to."""

    def __init__(self, parameters: Shaped, also: frozenset[str], *, ignores_unknown: bool) -> None:
        """`also` are names that are known but no parameters, such as a key of security."""
        self.is_mixed = any(_is_mixed(shape) for _, shape in parameters)
        self._own: dict[str, Read] = {}
        self._empty: set[str] = set()
        self._deep: dict[str, Shape] = {}
        self._members: dict[str, tuple[str, Shape]] = {}
        self._rest: tuple[str, Shape] | None = None
        self._also = also
        self._ignores_unknown = ignores_unknown
        for parameter, shape in parameters:
            self._add(parameter, shape)

    def _add(self, parameter: Parameter, shape: Shape) -> None:
        name = parameter.name
        is_object = shape.types is not None and "object" in shape.types
        if parameter.style == "deepObject":
            self._deep[name] = shape
        elif parameter.style == "form" and parameter.explode and is_object:
            # Its members stand in the query by their own names
            for member in shape.names:
                self._members[member] = (name, shape.member(member))
            if shape.is_open and not shape.names:
                self._rest = (name, shape)
        if parameter.allow_empty:
            self._empty.add(name)
        self._own[name] = reader_of(parameter, shape)

    def __call__(self, query: str, *, as_text: bool = False) -> JsonObject:
        """The values by parameter; raises Refused (400)."""
        values: JsonObject = {}
        sent: dict[str, list[str]] = {}
        trees: dict[str, Tree] = {}
        unknown: dict[str, str] = {}
        for name, value in split_pairs(query):
            if name in self._own:
                sent.setdefault(name, []).append(value)
            elif self._deep and (deep := self._deep_name(name)) is not None:
                put(trees, *deep, decode(value), "parameters")
            elif name in self._members:
                self._put_member(values, name, *self._members[name], value, as_text)
            elif name not in self._also:
                unknown[name] = value
        if unknown:
            self._take_rest(values, unknown, as_text)
        for name, texts in sent.items():
            if texts == [""] and name in self._empty:
                continue
            values[name] = self._own[name](texts, as_text)
        for name, tree in trees.items():
            values[name] = coerce_tree(self._deep[name], tree, as_text=as_text)
        return values

    def _deep_name(self, name: str) -> tuple[str, list[str]] | None:
        deep = split_name(name, "parameters")
        return deep if deep is not None and deep[0] in self._deep else None

    def _put_member(
        self, values: JsonObject, member: str, name: str, shape: Shape, value: str, as_text: bool
    ) -> None:
        holder = values.setdefault(name, {})
        if member in holder:
            raise bad("parameters", f"query/{member} is sent more than once")
        holder[member] = coerce_text(shape, decode(value), as_text=as_text)

    def _take_rest(self, values: JsonObject, unknown: Mapping[str, str], as_text: bool) -> None:
        if self._rest is not None:
            name, shape = self._rest
            for member, value in unknown.items():
                self._put_member(values, member, name, shape.member(member), value, as_text)
        elif self._ignores_unknown:
            values.update({name: decode(value) for name, value in unknown.items()})
        else:
            shown = ", ".join(repr(name[:40]) for name in list(unknown)[:_SHOWN])
            more = f" and {len(unknown) - _SHOWN:,} more" if len(unknown) > _SHOWN else ""
            raise bad("parameters", f"Unknown query parameter {shown}{more}")


class PathReader:
    """The parameters of a path template, whose texts routing has decoded."""

    def __init__(self, parameters: Shaped) -> None:
        self.is_mixed = any(_is_mixed(shape) for _, shape in parameters)
        self._read = {one.name: _path_reader(one, shape) for one, shape in parameters}

    def __call__(self, texts: Mapping[str, str], *, as_text: bool = False) -> JsonObject:
        """The values by parameter; raises Refused (400)."""
        read = self._read
        return {name: read[name](text, as_text) for name, text in texts.items() if name in read}


class FieldReader:
    """The header fields or cookies of one operation."""

    def __init__(self, parameters: Shaped) -> None:
        self.is_mixed = any(_is_mixed(shape) for _, shape in parameters)
        self._readers = [
            (one.name, one.name.lower(), reader_of(one, shape)) for one, shape in parameters
        ]

    def fields(self, headers: Mapping[str, str], *, as_text: bool = False) -> JsonObject:
        """The values of header fields, which are given by lower-case name; raises Refused (400)."""
        return {
            name: read([headers[lower]], as_text)
            for name, lower, read in self._readers
            if lower in headers
        }

    def cookies(self, header: str, *, as_text: bool = False) -> JsonObject:
        """The values of a Cookie field; raises Refused (400)."""
        sent: dict[str, list[str]] = {}
        for part in header.split(";"):
            name, _, value = part.strip().partition("=")
            sent.setdefault(name, []).append(value)
        return {name: read(sent[name], as_text) for name, _, read in self._readers if name in sent}


def _path_reader(parameter: Parameter, shape: Shape) -> Callable[[str, bool], Json]:
    where = f"path/{parameter.name}"
    if parameter.style == "simple":
        whole = reader_of(parameter, shape)
        is_text = shape.types is None or shape.types == _TEXT
        if is_text and parameter.media_type is None:
            return lambda text, _as_text: text
        return lambda text, as_text: whole([text], as_text)
    return lambda text, as_text: _styled(parameter, shape, where, text, as_text)


def _styled(parameter: Parameter, shape: Shape, where: str, text: str, as_text: bool) -> Json:
    """A path parameter of the styles `label` and `matrix`."""
    mark = "." if parameter.style == "label" else ";"
    if not text.startswith(mark):
        raise bad("parameters", f"{where} does not begin with {mark!r}")
    is_many = shape.types is not None and bool(shape.types & {"array", "object"})
    pieces = text[1:].split(mark) if is_many and parameter.explode else [text[1:]]
    if parameter.style == "matrix" and not (parameter.explode and shape.allows("object")):
        own = f"{parameter.name}="
        if not all(piece.startswith(own) for piece in pieces):
            raise bad("parameters", f"{where} does not begin with ';{own}'")
        pieces = [piece.removeprefix(own) for piece in pieces]
    if not is_many:
        return coerce_text(shape, pieces[0], as_text=as_text)
    items = pieces if parameter.explode else pieces[0].split(",")
    return read_items(shape, items, explode=parameter.explode, where=where, as_text=as_text)


def _is_mixed(shape: Shape) -> bool:
    return shape.is_mixed or shape.items.is_mixed or bool(shape.names)


@dataclass(frozen=True, slots=True)
class Placed:
    """The readers of one operation."""

    path: PathReader | None
    query: QueryReader
    header: FieldReader | None
    cookie: FieldReader | None

    @property
    def is_mixed(self) -> bool:
        """Whether some text may be read in two ways."""
        readers = (self.path, self.query, self.header, self.cookie)
        return any(reader.is_mixed for reader in readers if reader is not None)
