"""From a captured JSON Schema to its shape."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.models.fitting import fits, shape_of_value
from evalsim_generator.models.keywords import (
    as_list,
    as_mapping,
    branches_of,
    literals_of,
    member,
    option_name,
    strings_in,
    types_of,
    with_null,
)
from evalsim_generator.models.pointers import resolve
from evalsim_generator.models.shape import (
    NOTHING,
    Anything,
    FieldShape,
    ListOf,
    MapOf,
    Ref,
    Scalar,
    Shape,
    Shapes,
    union,
)
from evalsim_generator.models.text import one_line
from evalsim_generator.plan.names import field_names, pascal

DEPTH = 40
"""Levels of nesting that are typed; what lies deeper is any JSON."""

_ANNOTATIONS = ("title", "description", "default", "examples", "deprecated", "$comment")
_SCALARS = ("string", "integer", "number", "boolean", "null")


def shapes_of(schema: Json, root: str, *, arguments: bool, taken: Collection[str] = ()) -> Shapes:
    """The shape of `schema`, its root class named `root`, nested ones by their path under it.

    With `arguments` the root is an object whatever the schema says, and defaults are kept: the
    host fills them. Otherwise nothing fills them, so a field with one is optional. `taken` are
    class names that nested classes must not have.
    """
    builder = Builder(schema, root, taken, keep_defaults=arguments)
    only_objects = arguments or builder.is_object_union(schema)
    shape = builder.visit(schema, root, 0, object_only=only_objects)
    if arguments and not isinstance(shape, Ref):
        builder.classes[root] = ()
        shape = Ref(root)
    return Shapes(shape, builder.classes, tuple(builder.widened))


class Builder:
    """One walk over one schema; `classes` fills as named objects are met.

    `hidden` are names that no field may have, for annotations read them.
    """

    def __init__(
        self, root: Json, name: str, taken: Collection[str], *, keep_defaults: bool
    ) -> None:
        self.root = root
        self.root_name = name
        self.taken = taken
        self.hidden: Collection[str] = ()
        self.keep_defaults = keep_defaults
        self.classes: dict[str, tuple[FieldShape, ...]] = {}
        self.widened: list[str] = []
        self._known: dict[int, Shape] = {}
        self._made: list[Json] = []  # keeps what this walk made alive, so that no id is reused
        self._ignores_siblings = "draft-0" in str(member(root, "$schema"))

    def visit(self, schema: Json, name: str, depth: int, *, object_only: bool = False) -> Shape:
        """The shape of one subschema; `name` is its class's if it turns out to be an object."""
        if not is_object(schema) or depth > DEPTH:
            return Anything()
        if id(schema) in self._known:
            return self._known[id(schema)]
        self._known[id(schema)] = Anything()  # where a schema reaches itself without an object
        if (target := self._alias_of(schema)) is not None:
            shape = self._follow(schema["$ref"], target, name, depth)
            self._known[id(schema)] = shape
            return shape
        shape = self._shape(schema, list(self._parts(schema)), name, depth, object_only)
        self._known[id(schema)] = shape
        return shape

    def _alias_of(self, schema: JsonObject) -> JsonObject | None:
        """The target of a schema that says nothing but `$ref`."""
        alone = self._ignores_siblings or not (schema.keys() - {"$ref", *_ANNOTATIONS})
        target = resolve(self.root, schema["$ref"]) if "$ref" in schema and alone else None
        return target if is_object(target) and target is not schema else None

    def _follow(self, reference: str, target: JsonObject, name: str, depth: int) -> Shape:
        """The shape of what a reference leads to."""
        return self.visit(target, self._name_of(reference, name), depth)

    def _name_of(self, reference: str, name: str) -> str:
        """A definition's class is named for the definition, a place in the schema for its path."""
        steps = reference.split("/")
        defined = len(steps) > 2 and steps[-2] in ("$defs", "definitions")
        return f"{self.root_name}{pascal(steps[-1])}" if defined else name

    def _shape(
        self, schema: JsonObject, parts: list[JsonObject], name: str, depth: int, object_only: bool
    ) -> Shape:
        types = {"object"} if object_only else types_of(parts)
        if (literals := literals_of(parts)) is not None:
            return with_null(literals, parts)
        branches = next((found for part in parts if (found := branches_of(part))), list[Json]())
        fields_known = types == {"object"} and any(
            "properties" in part for part in [*parts, *self._all_parts(branches)]
        )
        if branches and not fields_known:
            shape = union(
                [
                    self.visit(b, f"{name}{option_name(b, i)}", depth + 1)
                    for i, b in enumerate(branches, 1)
                ]
            )
            if not isinstance(shape, Anything):
                return with_null(shape, parts)
        if types is None:
            return Anything()
        members = [self._of_type(t, schema, parts, branches, name, depth) for t in sorted(types)]
        return with_null(union(members), parts)

    def _of_type(
        self,
        type_: str,
        schema: JsonObject,
        parts: list[JsonObject],
        branches: list[Json],
        name: str,
        depth: int,
    ) -> Shape:
        if type_ in _SCALARS:
            return Scalar(type_)
        if type_ == "array":
            return ListOf(self._items(parts, f"{name}Item", depth + 1))
        if type_ != "object":
            return Anything()
        if any(member(part, "properties") for part in [*parts, *self._all_parts(branches)]):
            return self._class(schema, parts, branches, name, depth)
        if self._names_root(name):
            return self._class(schema, parts, [], name, depth)
        return MapOf(self._map_values(parts, f"{name}Value", depth + 1))

    def _names_root(self, name: str) -> bool:
        return name == self.root_name and self.keep_defaults

    def _class(
        self,
        schema: JsonObject,
        parts: list[JsonObject],
        branches: list[Json],
        name: str,
        depth: int,
    ) -> Ref:
        ref = Ref(self._class_name(name, depth))
        self._known[id(schema)] = ref
        self.classes[ref.name] = ()  # holds its place before the classes its fields name
        wires = self._properties(parts, branches)
        required = self._required(parts, wires)
        names = field_names(wires, self.root_name, self.hidden)
        self.classes[ref.name] = tuple(
            self._field(names[wire], wire, schemas, ref.name, wire in required, depth)
            for wire, schemas in wires.items()
        )
        return ref

    def _required(self, parts: list[JsonObject], wires: Mapping[str, Json]) -> set[str]:  # noqa: ARG002
        """The properties that an object always has."""
        return {key for part in parts for key in strings_in(part.get("required"))}

    def _class_name(self, name: str, depth: int) -> str:
        if depth == 0:
            return name
        free, count = name, 1
        while free in self.taken or free in self.classes:
            count += 1
            free = f"{name}{count}"
        return free

    def _properties(self, parts: list[JsonObject], branches: list[Json]) -> dict[str, Json]:
        """Each property's schema: declared by the object itself, else by some of its branches.

        A branch that does not close its object leaves what another declares open to any value.
        """
        own: dict[str, list[Json]] = {}
        for part in parts:
            for wire, schema in as_mapping(part.get("properties")).items():
                own.setdefault(wire, []).append(schema)
        found: dict[str, Json] = {
            wire: schemas[0] if len(schemas) == 1 else {"allOf": schemas}
            for wire, schemas in own.items()
        }
        views = [self._branch_view(branch) for branch in branches]
        for wire in dict.fromkeys(wire for properties, _ in views for wire in properties):
            if wire not in found:
                declared = [p[wire] for p, _ in views if wire in p]
                typed = all(wire in p or closed for p, closed in views)
                found[wire] = {"anyOf": declared} if typed else {}
        self._made.append(found)
        return found

    def _branch_view(self, branch: Json) -> tuple[Mapping[str, Json], bool]:
        properties: dict[str, Json] = {}
        closed = False
        for part in self._parts(branch) if is_object(branch) else ():
            properties |= as_mapping(part.get("properties"))
            closed = closed or part.get("additionalProperties") is False
        return properties, closed

    def _field(
        self, name: str, wire: str, schema: Json, owner: str, required: bool, depth: int
    ) -> FieldShape:
        shape = self.visit(schema, f"{owner}{pascal(wire)}", depth + 1)
        doc = one_line(member(schema, "description"))
        default = schema.get("default", NOTHING) if is_object(schema) else NOTHING
        if default is NOTHING or not self.keep_defaults:
            return FieldShape(name, wire, shape, required, NOTHING, doc)
        if not fits(shape, default):
            if isinstance(default, dict | list):  # a literal cannot be the default of a class
                return FieldShape(name, wire, shape, required, NOTHING, doc)
            self.widened.append(wire)
            shape = union([shape, shape_of_value(default)])
        return FieldShape(name, wire, shape, required, default, doc)

    def _items(self, parts: list[JsonObject], name: str, depth: int) -> Shape:
        for part in parts:
            items, prefix = part.get("items"), part.get("prefixItems")
            if is_array(items):
                items, prefix = part.get("additionalItems", True), items
            if is_array(prefix):
                rest = [] if items is False else [self.visit(items, name, depth)]
                return union(
                    rest + [self.visit(s, f"{name}{i}", depth) for i, s in enumerate(prefix, 1)]
                )
            if items is not None:
                return self.visit(items, name, depth)
        return Anything()

    def _map_values(self, parts: list[JsonObject], name: str, depth: int) -> Shape:
        if any("patternProperties" in part for part in parts):
            return Anything()
        schemas = [p["additionalProperties"] for p in parts if "additionalProperties" in p]
        return self.visit(schemas[0], name, depth) if schemas else Anything()

    def _parts(self, schema: JsonObject) -> Iterator[JsonObject]:
        """The schemas that all apply where `schema` does: itself, its `$ref`, its `allOf`."""
        waiting, seen = [schema], set[int]()
        while waiting:
            part = waiting.pop(0)
            if id(part) in seen:
                continue
            seen.add(id(part))
            target = resolve(self.root, part["$ref"]) if "$ref" in part else None
            if target is None or not self._ignores_siblings:
                yield part
                waiting += [p for p in as_list(part.get("allOf")) if is_object(p)]
            if is_object(target):
                waiting.append(target)

    def _all_parts(self, schemas: Iterable[Json]) -> Iterator[JsonObject]:
        for schema in schemas:
            if is_object(schema):
                yield from self._parts(schema)

    def is_object_union(self, schema: Json) -> bool:
        """Whether every branch of a root union is an object, so that one class serves them all."""
        if not is_object(schema):
            return False
        branches = branches_of(schema)
        return bool(branches) and all(
            is_object(branch) and types_of(list(self._parts(branch))) == {"object"}
            for branch in branches
        )
