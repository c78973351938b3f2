"""Trimming: a description's named operations with everything they reach, and nothing else."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import translate

from evalsim.errors import did_you_mean
from evalsim.types import Json, JsonObject, is_array
from evalsim_generator.openapi.trimming.additions import Added, with_additions
from evalsim_generator.openapi.trimming.anatomy import (
    COMPONENTS,
    METHODS,
    Change,
    Part,
    escaped,
    every_part,
)
from evalsim_generator.openapi.trimming.catalogue import Listed
from evalsim_generator.openapi.trimming.closure import Closure
from evalsim_generator.openapi.trimming.corrections import WHERE, Corrections
from evalsim_generator.openapi.trimming.cuts import Cut, Cuts
from evalsim_generator.openapi.trimming.extensions import Extensions
from evalsim_generator.openapi.trimming.mappings import mapping_cutter
from evalsim_generator.openapi.trimming.properties import Properties
from evalsim_generator.openapi.trimming.reasons import Reasons
from evalsim_generator.openapi.trimming.selection import select, unknown_problem
from evalsim_generator.problems import Problem


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A description cut down to some operations, in normal form, and what went with its reasons."""

    document: JsonObject
    operations: tuple[Listed, ...]
    cuts: tuple[Cut, ...]
    problems: tuple[Problem, ...]
    total: Mapping[str, int]
    """How many operations and components of each kind the whole description has."""

    @property
    def failed(self) -> bool:
        """Whether a name or a correction was wrong."""
        return any(problem.level == "error" for problem in self.problems)


def trim(
    document: JsonObject, names: Iterable[str], corrections: Corrections | None = None
) -> Trimmed:
    """The operations of a description, in normal form, that `names` name, and all they reach.

    The result is in normal form; its bytes depend on neither the order of `names` nor on what else
    the description holds. What could not be done is among its problems.
    """
    return _Trim(document, tuple(names), corrections or Corrections()).run()


class _Trim:
    def __init__(
        self, document: JsonObject, names: tuple[str, ...], corrections: Corrections
    ) -> None:
        self._whole = document
        self._corrections = corrections
        self._added: Added = with_additions(document, corrections)
        self._cuts = Cuts()
        self._schemas: JsonObject = document.get("components", {}).get("schemas", {})
        selected = select(self._added.listed, (*names, *sorted(self._added.keys)))
        self._kept = selected.operations
        self._unknown = selected.unknown
        self._properties = Properties(corrections, self._cuts)

    def run(self) -> Trimmed:
        document = self._added.document
        closure = Closure(
            self._added.lookup,
            self._added.listed,
            self._kept,
            self._properties if self._corrections.touches_schemas else None,
            self._cuts,
        )
        paths = self._items(document, closure, "paths", webhooks=False)
        webhooks = self._items(document, closure, "webhooks", webhooks=True)
        security = self._security(document, paths, closure)
        also, problems = self._also_kept()
        closure.finish(also)
        kept = {name for kind, name in closure.components if kind == "schemas"}
        extensions = Extensions(closure.components, self._cuts)
        cut = self._last_cuts(kept, extensions)
        components = {
            (kind, name): cut(COMPONENTS[kind], node, f"/components/{kind}/{escaped(name)}")
            for (kind, name), node in sorted(closure.components.items())
        }
        paths, webhooks = (
            {name: cut("pathItem", item, f"/{key}/{escaped(name)}") for name, item in held.items()}
            for key, held in (("paths", paths), ("webhooks", webhooks))
        )
        head = self._head(document, closure, security, extensions)
        self._cut_operations()
        self._cut_components(closure, components)
        return Trimmed(
            _document(head, paths, webhooks, components),
            self._kept,
            tuple(self._cuts.found),
            (
                *(unknown_problem(name, self._added.listed) for name in self._unknown),
                *self._added.problems,
                *problems,
                *(() if self._unknown else self._properties.problems(self._schemas, kept)),
            ),
            self._total(),
        )

    def _items(
        self, document: JsonObject, closure: Closure, key: str, *, webhooks: bool
    ) -> JsonObject:
        """The path items that hold an operation kept, with those operations only."""
        methods: dict[str, set[str]] = {}
        for each in self._kept:
            if each.is_webhook == webhooks:
                methods.setdefault(each.path, set()).update(each.methods)
        items: JsonObject = {}
        for path, item in document.get(key, {}).items():
            if path in methods:
                wanted = {
                    name: value
                    for name, value in item.items()
                    if name not in METHODS or name in methods[path]
                }
                items[path] = closure.take("pathItem", wanted, f"/{key}/{escaped(path)}")
        return items

    def _security(self, document: JsonObject, paths: JsonObject, closure: Closure) -> Json:
        """What the whole description requires, where an operation kept relies on it."""
        security = document.get("security")
        if not is_array(security):
            return None
        operations = [item[name] for item in paths.values() for name in METHODS if name in item]
        if all("security" in operation for operation in operations):
            why = "every operation kept has its own"
            self._cuts.add("security", "of the whole description", "/security", why)
            return None
        closure.note_security(security)
        return security

    def _also_kept(self) -> tuple[list[tuple[str, str]], list[Problem]]:
        """The schemas that a correction names, and an error for each name of none."""
        found: list[tuple[str, str]] = []
        problems: list[Problem] = []
        for glob in self._corrections.keep_schemas:
            matches = re.compile(translate(glob)).match
            names = [name for name in sorted(self._schemas) if name == glob or matches(name)]
            found += [("schemas", name) for name in names]
            if not names:
                told = f"no schema is named {glob!r}{did_you_mean(glob, self._schemas)}"
                do = "name one of the description's"
                problems.append(Problem("error", f"{WHERE}.keepSchemas", told, do))
        return found, problems

    def _last_cuts(self, kept: set[str], extensions: Extensions) -> Change:
        """What is cut once it is known what is kept: mappings, and extensions that refer on."""
        mapped = mapping_cutter(self._schemas, kept, self._cuts)

        def cut(part: Part, node: JsonObject, at: str) -> JsonObject:
            node = mapped(node, at) if part == "schema" else node
            return extensions.of_part(node, at)

        return lambda part, node, at: every_part(part, node, at, cut)

    def _head(
        self, document: JsonObject, closure: Closure, security: Json, extensions: Extensions
    ) -> JsonObject:
        """What the description says of itself, less what nothing kept needs."""
        head: JsonObject = {}
        for key, value in document.items():
            if key in ("paths", "webhooks", "components"):
                continue
            if key.startswith("x-"):
                why = "read by nothing that is served or generated"
                self._cuts.add("extension", key, f"/{escaped(key)}", why)
            elif key == "tags":
                if tags := self._tags(value, closure.tags):
                    head[key] = extensions.of_all(tags, "/tags")
            elif key != "security":
                head[key] = extensions.of_all(value, f"/{key}")
            elif security is not None:
                head[key] = security
        return head

    def _tags(self, tags: list[Json], used: set[str]) -> list[Json]:
        for index, tag in enumerate(tags):
            if tag["name"] not in used:
                self._cuts.add("tag", tag["name"], f"/tags/{index}", "of no operation kept")
        return [tag for tag in tags if tag["name"] in used]

    def _cut_operations(self) -> None:
        kept = {each.key for each in self._kept}
        for each in self._added.listed:
            if each.key not in kept:
                key = "webhooks" if each.is_webhook else "paths"
                where = f"/{key}/{escaped(each.path)}"
                where = where if each.is_webhook else f"{where}/{each.methods[0]}"
                self._cuts.add("operation", each.key, where, "not named")

    def _cut_components(self, closure: Closure, kept: Mapping[tuple[str, str], Json]) -> None:
        why = Reasons(self._schemas, closure.components)
        for kind, named in self._whole.get("components", {}).items():
            if kind not in COMPONENTS:
                told = "read by nothing that is served or generated"
                self._cuts.add("extension", kind, f"/components/{escaped(kind)}", told)
                continue
            for name in named:
                if (kind, name) not in kept:
                    where = f"/components/{kind}/{escaped(name)}"
                    self._cuts.add("component", f"{kind} {name}", where, why.of(kind, name))

    def _total(self) -> dict[str, int]:
        components = self._whole.get("components", {})
        total = {kind: len(components[kind]) for kind in COMPONENTS if kind in components}
        return {"operations": len(self._added.listed), **total}


def _document(
    head: JsonObject,
    paths: JsonObject,
    webhooks: JsonObject,
    components: Mapping[tuple[str, str], Json],
) -> JsonObject:
    """The parts as one document; components by kind and name."""
    document = dict(head)
    if webhooks:
        document["webhooks"] = webhooks
    if paths or not webhooks:
        document["paths"] = paths
    by_kind = {
        kind: {name: node for (held, name), node in components.items() if held == kind}
        for kind in COMPONENTS
    }
    if held := {kind: named for kind, named in by_kind.items() if named}:
        document["components"] = held
    return document
