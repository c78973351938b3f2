"""The shapes of a whole description: a class for each component, request and named part of one."""

from collections import deque
from collections.abc import Iterable, Mapping

from evalsim.api.views import View
from evalsim.openapi.bodies import MediaType
from evalsim.openapi.operations import Operation
from evalsim.openapi.parameters import PLACES, Parameter, Place
from evalsim.openapi.references import component_name
from evalsim.types import Json, JsonObject, is_object
from evalsim_generator.models.described import Described, status_name
from evalsim_generator.models.directions import directional_components, is_marked
from evalsim_generator.models.keywords import as_mapping, branches_of, literals_of, member, types_of
from evalsim_generator.models.shape import (
    Anything,
    FieldShape,
    ListOf,
    Native,
    Ref,
    Scalar,
    Shape,
    union,
)
from evalsim_generator.models.shaping import Builder
from evalsim_generator.plan.names import digest, field_names, tool_names

RESERVED = frozenset(
    {"Annotated", "Any", "ApiFile", "Field", "JsonLike", "Literal", "Model", "TypeAlias"}
)
"""Names that models.py has for something else than a component."""

_BINARY = "application/octet-stream"


def describe_description(
    document: JsonObject, operations: Mapping[str, Operation], components: Mapping[str, str]
) -> Described:
    """The shapes of a description in normal form.

    `operations` are by the name that their classes start with, `components` gives each schema
    component the name of its class.
    """
    builder = _DescriptionBuilder(document, operations, components)
    answers = {name: builder.answers_of(name, one) for name, one in operations.items()}
    builder.view = View.REQUEST
    widened = {name: builder.request_of(name, one) for name, one in operations.items()}
    return Described(builder.classes, answers, widened)


class _DescriptionBuilder(Builder):
    """One walk over one description.

    A component that is an object is named where it is met and looked into later, so that neither a
    long chain of references nor a loop of them is ever recursed into.
    """

    def __init__(
        self,
        document: JsonObject,
        operations: Iterable[str],
        components: Mapping[str, str],
    ) -> None:
        self._written = _written_names(components)
        taken = {*RESERVED, *components.values(), *self._written.values()}
        taken |= {f"{name}{end}" for name in operations for end in ("Request", "Response")}
        super().__init__(document, "", taken, keep_defaults=False)
        self.hidden = frozenset(taken)
        self.view = View.ANSWER
        self._components = components
        self._own = {*components.values(), *self._written.values()}
        self._directional = directional_components(document)
        self._settled: dict[tuple[str, View | None], Shape] = {}
        self._waiting: deque[tuple[JsonObject, str]] = deque()

    def answers_of(self, name: str, operation: Operation) -> dict[str, Shape]:
        """The shape of each answer that has a body, by status; of a plain one under ""."""
        _, plain = operation.success
        label = f"{name}Response"
        found = {"": Scalar("null") if plain is None else self._answer(label, plain.content)}
        for status, response in operation.responses.items():
            if response is not plain and response.content:
                found[status] = self._answer(f"{label}{status_name(status)}", response.content)
        self._look_into()
        return found

    def _answer(self, name: str, content: Mapping[str, MediaType]) -> Shape:
        self.root_name = name
        if not content:
            return Scalar("null")
        media, *others = content.values()
        if media.kind == "json" and not others:
            return self.visit(media.schema, name, 0)
        return union([self._body(f"{name}Body", one, answer=True) for one in content.values()])

    def request_of(self, name: str, operation: Operation) -> tuple[str, ...]:
        """Make the class of an operation's requests; the parameters whose defaults do not fit."""
        self.widened = []
        owner = self.root_name = f"{name}Request"
        fields = [
            FieldShape(place, place, self._parameters(owner, place, listed), True)
            for place in PLACES
            if (listed := operation.parameters_in(place))
        ]
        if (body := operation.body) is not None:
            label = f"{owner}Body"
            kinds = [self._body(label, media, answer=False) for media in body.content.values()]
            shape = union(kinds) if kinds else Anything()
            fields.append(FieldShape("body", "body", shape, body.required))
        self.classes[owner] = tuple(fields)
        self._look_into()
        return tuple(self.widened)

    def _parameters(self, owner: str, place: Place, listed: Iterable[Parameter]) -> Ref:
        name = self._class_name(f"{owner}{place.title()}", 1)
        self.classes[name] = ()
        by_name = {one.name: one for one in listed}
        names = field_names(by_name, self.root_name, self.hidden)
        self.keep_defaults = True
        self.classes[name] = tuple(
            self._field(names[wire], wire, one.schema, name, one.required, 1)
            for wire, one in by_name.items()
        )
        self.keep_defaults = False
        return Ref(name)

    def _body(self, name: str, media: MediaType, *, answer: bool) -> Shape:
        """The shape of a body of one media type."""
        if media.kind == "text":
            return Scalar("string")
        if media.kind == "bytes":
            return union([Native("bytes"), Native("ApiFile")]) if answer else Native("bytes")
        if media.kind == "multipart" and is_object(media.schema):
            return self._multipart(name, media, media.schema)
        return self.visit(media.schema, name, 1)

    def _multipart(self, name: str, media: MediaType, schema: JsonObject) -> Shape:
        """A form, some parts of which may be files."""
        parts = list(self._parts(schema))
        wires = self._properties(parts, [])
        files = {
            wire: shape for wire, one in wires.items() if (shape := self._file(one, wire, media))
        }
        if not files:
            return self.visit(schema, name, 1)
        owner = self._class_name(name, 1)
        self.classes[owner] = ()
        required = self._required(parts, wires)
        names = field_names(wires, self.root_name, self.hidden)
        self.classes[owner] = tuple(
            FieldShape(names[wire], wire, files[wire], wire in required)
            if wire in files
            else self._field(names[wire], wire, one, owner, wire in required, 1)
            for wire, one in wires.items()
        )
        return Ref(owner)

    def _file(self, schema: Json, wire: str, media: MediaType) -> Shape | None:
        """A file or a list of files, where a part is one."""
        encoding = media.encoding.get(wire)
        stated = None if encoding is None else encoding.content_type
        if self._is_file(schema, stated):
            return Native("ApiFile")
        for part in self._parts(schema) if is_object(schema) else ():
            if "items" in part and self._is_file(part["items"], stated):
                return ListOf(Native("ApiFile"))
        return None

    def _is_file(self, schema: Json, stated: str | None) -> bool:
        parts = list(self._parts(schema)) if is_object(schema) else []
        if types_of(parts) != {"string"}:
            return False
        if stated is not None:
            return MediaType(stated).kind == "bytes"
        return any(part.get("contentMediaType") == _BINARY for part in parts)

    def _follow(self, reference: str, target: JsonObject, name: str, depth: int) -> Shape:
        named = component_name(reference)
        if named is None or named[0] != "schemas" or named[1] not in self._components:
            return super()._follow(reference, target, name, depth)
        component = named[1]
        key = (component, self.view if component in self._directional else None)
        if key not in self._settled:
            self._settled[key] = Anything()  # where it reaches itself without an object
            self._settled[key] = self._component(component, target, depth)
        return self._settled[key]

    def _component(self, component: str, target: JsonObject, depth: int) -> Shape:
        writes = self.view is View.REQUEST and component in self._directional
        own = (self._written if writes else self._components)[component]
        if self._alias_of(target) is None and self._is_class(target):
            self._waiting.append((target, own))
            return Ref(own)
        self._known.pop(id(target), None)
        return self.visit(target, own, depth + 1)

    def _is_class(self, schema: JsonObject) -> bool:
        """Whether `visit` makes a class of the schema, and nothing beside it."""
        parts = list(self._parts(schema))
        if literals_of(parts) is not None or types_of(parts) != {"object"}:
            return False
        branches = next((found for part in parts if (found := branches_of(part))), list[Json]())
        inside = [*parts, *self._all_parts(branches)]
        return any(as_mapping(member(part, "properties")) for part in inside)

    def _look_into(self) -> None:
        """Make the classes of the components that were met."""
        while self._waiting:
            # What lies inside a component may be told otherwise wherever it is met
            self._known.clear()
            schema, self.root_name = self._waiting.popleft()
            self.visit(schema, self.root_name, 0)
        self._known.clear()

    def _class_name(self, name: str, depth: int) -> str:
        is_free = name in self._own and name not in self.classes
        return name if is_free else super()._class_name(name, depth)

    def _required(self, parts: list[JsonObject], wires: Mapping[str, Json]) -> set[str]:
        required = super()._required(parts, wires)
        return {name for name in required if not self._is_hidden(wires.get(name))}

    def _is_hidden(self, schema: Json) -> bool:
        inside = self._parts(schema) if is_object(schema) else ()
        return any(is_marked(part, self.view) for part in inside)


def component_names(names: Iterable[str], operations: Iterable[str]) -> dict[str, str]:
    """A class name for each schema component, which is no other name of models.py.

    Components that fold to one name carry a digest of their own.
    """
    ours = {*RESERVED, *(f"{name}{end}" for name in operations for end in ("Request", "Response"))}
    told = tool_names(list(names), {})
    return {name: f"{own}Schema" if own in ours else own for name, own in told.items()}


def _written_names(components: Mapping[str, str]) -> dict[str, str]:
    """The class name of each component as requests have it, where that differs."""
    taken = {*components.values()}
    return {
        name: told if (told := f"{own}Write") not in taken else f"{told}{digest(name)}"
        for name, own in components.items()
    }
