"""What corrections cut out of schemas: properties, and names that are required."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from evalsim.errors import did_you_mean
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.trimming.anatomy import escaped
from evalsim_generator.openapi.trimming.corrections import WHERE, Corrections, Names
from evalsim_generator.openapi.trimming.cuts import Cuts
from evalsim_generator.problems import Problem

_OWN: Final = re.compile(r"/components/schemas/([^/]+)(?:/(?:allOf|anyOf|oneOf)/\d+)*")
_COMBINED: Final = ("allOf", "anyOf", "oneOf")
_NAVIGATION: Final = "x-ms-navigationProperty"


class Properties:
    """Applies the corrections to one schema after another, and knows which of them did anything."""

    def __init__(self, corrections: Corrections, cuts: Cuts) -> None:
        self._corrections = corrections
        self._cuts = cuts
        self._used: set[tuple[str, str | None, str]] = set()
        self._gone: dict[str, frozenset[str]] = {}

    def corrected(self, schema: JsonObject, at: str, root: Json) -> JsonObject:
        """A schema without what is cut out of it; `root` is the component it stands in, if any."""
        component = _component(at)
        changed = schema
        if is_object(properties := schema.get("properties")):
            goes = self._going(properties, component)
            for name, why in goes.items():
                where = f"{at}/properties/{escaped(name)}"
                self._cuts.add("property", f"{component or at}: {name}", where, why)
            if goes:
                kept = {name: item for name, item in properties.items() if name not in goes}
                changed = {**schema, "properties": kept}
        if is_array(schema.get("required")):
            changed = self._with_required(changed, at, component, root)
        return changed

    def problems(self, schemas: Iterable[str], kept: Iterable[str]) -> Iterator[Problem]:
        """What of the corrections did nothing: an error where it names what there is not."""
        known, reached = set(schemas), set(kept)
        if self._corrections.drop_navigation and not self._any_used("dropNavigationProperties"):
            yield _idle("dropNavigationProperties", "no schema kept has such a property")
        for correction, names in (
            ("dropRequired", self._corrections.drop_required),
            ("cutProperties", self._corrections.cut_properties),
        ):
            for name in sorted(names.anywhere):
                if (correction, None, name) not in self._used:
                    yield _idle(correction, f"{name!r} is in no schema kept")
            for component in sorted(names.of):
                yield from self._of_component(correction, component, names, known, reached)

    def _of_component(
        self, correction: str, component: str, names: Names, known: set[str], reached: set[str]
    ) -> Iterator[Problem]:
        if component not in known:
            hint = did_you_mean(component, known)
            told = f"no schema is named {component!r}{hint}"
            yield Problem("error", f"{WHERE}.{correction}", told, "name one of the description's")
        elif component not in reached:
            yield _idle(correction, f"no operation kept reaches {component!r}")
        else:
            for name in sorted(names.of[component]):
                if (correction, component, name) not in self._used:
                    yield _idle(correction, f"{component!r} has no {name!r} to cut")

    def _any_used(self, correction: str) -> bool:
        return any(used[0] == correction for used in self._used)

    def _going(self, properties: JsonObject, component: str | None) -> dict[str, str]:
        """The properties that are cut, and why."""
        goes: dict[str, str] = {}
        navigation, keep = self._corrections.drop_navigation, self._corrections.keep_navigation
        cut = self._corrections.cut_properties
        for name, item in properties.items():
            if name in cut.in_schema(component):
                self._use("cutProperties", cut, component, name)
                goes[name] = "named by cutProperties"
            elif (
                navigation
                and is_object(item)
                and item.get(_NAVIGATION) is True
                and name not in keep.in_schema(component)
            ):
                self._used.add(("dropNavigationProperties", None, ""))
                goes[name] = "a navigation property (dropNavigationProperties)"
        return goes

    def _with_required(
        self, schema: JsonObject, at: str, component: str | None, root: Json
    ) -> JsonObject:
        """The schema less the required names that are dropped, or whose property is cut."""
        drop = self._corrections.drop_required
        dropped = drop.in_schema(component)
        gone = self._gone_from(component, root)
        kept: list[Json] = []
        for name in schema["required"]:
            if name in dropped:
                self._use("dropRequired", drop, component, name)
                why = "named by dropRequired"
            elif name in gone:
                why = "of a property that is cut"
            else:
                kept.append(name)
                continue
            self._cuts.add("required", f"{component or at}: {name}", f"{at}/required", why)
        if len(kept) == len(schema["required"]):
            return schema
        changed = {key: item for key, item in schema.items() if key != "required"}
        return {**changed, "required": kept} if kept else changed

    def _gone_from(self, component: str | None, root: Json) -> frozenset[str]:
        """The names of properties cut out of a component, in whichever branch they stand."""
        anywhere = self._corrections.cut_properties.anywhere
        if component is None:
            return anywhere
        if component not in self._gone:
            names = {
                name
                for properties in _own_properties(root)
                for name in self._going(properties, component)
            }
            self._gone[component] = anywhere | names
        return self._gone[component]

    def _use(self, correction: str, names: Names, component: str | None, name: str) -> None:
        if name in names.anywhere:
            self._used.add((correction, None, name))
        if component is not None and name in names.of.get(component, ()):
            self._used.add((correction, component, name))


def _component(at: str) -> str | None:
    """The component whose own object is described at a pointer: at its root, or in a branch."""
    found = _OWN.fullmatch(at)
    return found[1].replace("~1", "/").replace("~0", "~") if found else None


def _own_properties(schema: Json) -> Iterator[JsonObject]:
    if not is_object(schema):
        return
    if is_object(properties := schema.get("properties")):
        yield properties
    for key in _COMBINED:
        for branch in schema.get(key, ()):
            yield from _own_properties(branch)


def _idle(correction: str, why: str) -> Problem:
    do = "take it out if it is no longer needed"
    return Problem("warning", f"{WHERE}.{correction}", f"it changes nothing: {why}", do)
