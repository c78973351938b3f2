"""Corrections of a description, as a manifest keeps them in `capture.corrections`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evalsim.errors import did_you_mean
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.problems import Problem

WHERE: Final = "manifest.json: capture.corrections"
KNOWN: Final = (
    *("dropNavigationProperties", "dropRequired", "cutProperties", "keepSchemas"),
    *("addOperations", "addResponses"),
)


@dataclass(frozen=True, slots=True)
class Names:
    """Names of properties: anywhere, and of the schemas that are named by component."""

    anywhere: frozenset[str] = frozenset()
    of: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def __bool__(self) -> bool:
        return bool(self.anywhere or self.of)

    def in_schema(self, component: str | None) -> frozenset[str]:
        """The names that count in the component of that name; None for a schema that is none."""
        own = self.of.get(component) if component is not None else None
        return self.anywhere if own is None else self.anywhere | own


@dataclass(frozen=True, slots=True)
class Corrections:
    """What is changed in a description each time it is captured."""

    drop_navigation: bool = False
    keep_navigation: Names = field(default_factory=Names)
    drop_required: Names = field(default_factory=Names)
    cut_properties: Names = field(default_factory=Names)
    keep_schemas: tuple[str, ...] = ()
    add_operations: JsonObject = field(default_factory=dict[str, Json])
    add_responses: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    @property
    def touches_schemas(self) -> bool:
        """Whether schemas are changed at all."""
        return self.drop_navigation or bool(self.drop_required) or bool(self.cut_properties)


def read_corrections(written: Json) -> tuple[Corrections, list[Problem]]:
    """The corrections that a manifest holds, and an error for each that is none.

    `written` is the JSON of `capture.corrections`.
    """
    if not is_object(written):
        return Corrections(), [_error("", "is no object", "write {} or the corrections by name")]
    return _corrections(written), list(_problems(written))


def _corrections(written: JsonObject) -> Corrections:
    navigation = written.get("dropNavigationProperties", False)
    keep: Json = navigation.get("keep") if is_object(navigation) else None
    keep_schemas = written.get("keepSchemas", [])
    return Corrections(
        drop_navigation=navigation is True or is_object(navigation),
        keep_navigation=_names(keep),
        drop_required=_names(written.get("dropRequired", [])),
        cut_properties=_names(written.get("cutProperties", [])),
        keep_schemas=tuple(filter(_is_text, keep_schemas)) if is_array(keep_schemas) else (),
        add_operations=_objects(written.get("addOperations")),
        add_responses={
            name: _objects(responses)
            for name, responses in _objects(written.get("addResponses")).items()
        },
    )


def _names(value: Json) -> Names:
    if is_array(value):
        return Names(anywhere=frozenset(filter(_is_text, value)))
    if is_object(value):
        listed = {name: item for name, item in value.items() if is_array(item)}
        return Names(of={name: frozenset(filter(_is_text, item)) for name, item in listed.items()})
    return Names()


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _objects(value: Json) -> JsonObject:
    held = value if is_object(value) else {}
    return {name: item for name, item in held.items() if is_object(item)}


def _problems(written: JsonObject) -> Iterator[Problem]:
    for name, value in written.items():
        if name not in KNOWN:
            hint = did_you_mean(name, KNOWN)
            yield _error(name, f"is no correction{hint}", f"the corrections are {', '.join(KNOWN)}")
        elif fault := _FAULTS[name](value):
            yield _error(name, *fault)


def _error(name: str, what: str, do: str) -> Problem:
    return Problem("error", f"{WHERE}.{name}" if name else WHERE, what, do)


def _navigation_fault(value: Json) -> tuple[str, str] | None:
    if isinstance(value, bool):
        return None
    if is_object(value) and set(value) == {"keep"}:
        return _names_fault(value["keep"])
    return 'is neither true nor {"keep": …}', 'write true, or {"keep": ["attachments"]}'


def _names_fault(value: Json) -> tuple[str, str] | None:
    lists = list(value.values()) if is_object(value) else [value]
    if all(is_array(each) and all(map(_is_text, each)) for each in lists):
        return None
    return (
        "holds no names of properties",
        'write ["@odata.type"] for anywhere, or {"Message": ["id"]} for one schema',
    )


def _schemas_fault(value: Json) -> tuple[str, str] | None:
    if is_array(value) and all(map(_is_text, value)):
        return None
    return "is no list of names of schemas", 'write ["Message", "File*"]'


def _operations_fault(value: Json) -> tuple[str, str] | None:
    if is_object(value) and all(map(is_object, value.values())):
        return None
    return "does not hold operations", 'write {"GET /me/photo": {"responses": {…}}}'


def _responses_fault(value: Json) -> tuple[str, str] | None:
    held = list(value.values()) if is_object(value) else [None]
    if all(is_object(each) and all(map(is_object, each.values())) for each in held):
        return None
    return (
        "does not hold responses by operation and status",
        'write {"POST /send": {"202": {"description": "Accepted"}}}',
    )


_FAULTS: Final = {
    "dropNavigationProperties": _navigation_fault,
    "dropRequired": _names_fault,
    "cutProperties": _names_fault,
    "keepSchemas": _schemas_fault,
    "addOperations": _operations_fault,
    "addResponses": _responses_fault,
}
