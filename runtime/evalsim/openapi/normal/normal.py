"""Any description as OpenAPI 3.1, whole or part by part."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalsim.errors import DocumentError
from evalsim.openapi.normal.components import RULES
from evalsim.openapi.normal.head import external_docs, info, servers, tags
from evalsim.openapi.normal.names import FILES
from evalsim.openapi.normal.notes import ROOT, Note, Notes, below
from evalsim.openapi.normal.path_items import is_path_item, loose_path_item, path_item
from evalsim.openapi.normal.references import References
from evalsim.openapi.normal.security import security
from evalsim.openapi.normal.swagger import as_openapi, lift
from evalsim.openapi.normal.version import Version, version_of
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_object

_HEAD = {"servers": servers, "security": security, "tags": tags, "externalDocs": external_docs}
_ELSEWHERE = ("openapi", "info", "paths", "webhooks", "components")


@dataclass(frozen=True, slots=True)
class Normal:
    """A description in normal form, and what was done to make it so."""

    document: JsonObject
    notes: tuple[Note, ...]


def normalise(document: JsonObject) -> Normal:
    """The description as OpenAPI 3.1.x with schemas of JSON Schema 2020-12, in one document.

    Every reference in the result is `#/components/<kind>/<name>` and leads somewhere. What cannot
    be kept is left out and noted. What needs no change is shared with `document`, which is never
    changed. The result is its own normal form.

    Raises DocumentError for what is no description, of an unknown version, or nested too deeply.
    """
    parts = NormalParts(document)
    whole = parts.head()
    if parts.has_paths or "webhooks" not in whole:
        items = ((path, parts.path_item(path)) for path in parts.paths)
        whole["paths"] = {path: item for path, item in items if item is not None}
    components = parts.components()
    if components:
        whole["components"] = components
    return Normal(whole, parts.notes)


class NormalParts:
    """The parts of a description in normal form, each made when it is first asked for.

    What is asked for costs what it holds and no more, so a few operations of a huge description
    are read in no time. References lead to `component(kind, name)`.
    """

    def __init__(self, document: JsonObject) -> None:
        """Raises DocumentError for what is no description, or of an unknown version."""
        if not is_object(document):
            raise DocumentError("This is no OpenAPI description: it is no object.")
        self.version = version_of(document)
        notes = Notes()
        self._written = document
        self._note_version(notes)
        if self.version is Version.V2:
            self._written = as_openapi(document, notes)
        components = self._written.get("components")
        self._components: JsonObject = components if is_object(components) else {}
        references = References(
            document, self._components, self.version, notes, lift(self.version, document)
        )
        self._walk = Walk(self.version, notes, references)
        self._made: dict[tuple[str, str], Json] = {}
        paths = self._written.get("paths")
        self._paths = self._spelt(paths if is_object(paths) else {})
        if paths is not None and not is_object(paths):
            notes.add(below(ROOT, "paths"), "`paths` is no object: left out.")

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was changed or left out in the parts made so far."""
        return self._walk.notes.found()

    @property
    def has_paths(self) -> bool:
        """Whether the description lists paths, be it none; one of webhooks alone need not."""
        return is_object(self._written.get("paths"))

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths as they are spelt, in the order of the description."""
        return tuple(self._paths)

    def head(self) -> JsonObject:
        """All but paths and components: what the description says of itself, and its webhooks."""
        given = self._written
        made: JsonObject = {"openapi": self._version()}
        made["info"] = info(self._walk, given.get("info"), below(ROOT, "info"))
        for key, value in given.items():
            if key in _ELSEWHERE or key == FILES:
                continue
            rule = _HEAD.get(key)
            new = value if key.startswith("x-") else GONE
            if rule is not None:
                new = rule(self._walk, value, below(ROOT, key))
            elif new is GONE and key != "jsonSchemaDialect":
                self._walk.notes.add(below(ROOT, key), f"`{key[:40]}` at the top: left out.")
            if new is not GONE:
                made[key] = new
        webhooks = self._webhooks()
        if webhooks:
            made["webhooks"] = webhooks
        return made

    def path_item(self, path: str) -> JsonObject | None:
        """The operations of a path; None when nothing is left of them."""
        key = ("paths", path)
        if key not in self._made:
            written = self._paths[path]
            at = below(ROOT, "paths", written)
            item = self._written["paths"][written]
            self._made[key] = path_item(self._walk, item, path, at)
        made = self._made[key]
        return None if made is GONE else made

    def component(self, kind: str, name: str) -> Json:
        """The component that `#/components/<kind>/<name>` names.

        Raises KeyError for one that is not there or of which nothing could be kept.
        """
        key = (kind, name)
        if key not in self._made:
            hoisted = self._walk.references.hoisted.get(key)
            at = below(ROOT, "components", kind, name) if hoisted is None else hoisted.at
            written = self._walk.references.component(kind, name)
            if written is None:
                said = "A component that lacks what makes it one: left out."
                self._walk.notes.add(at, said)
            self._made[key] = GONE if written is None else RULES[kind](self._walk, written[0], at)
        if self._made[key] is GONE:
            raise KeyError(f"{kind}/{name}")
        return self._made[key]

    def components(self) -> JsonObject:
        """All components, by kind and name, with those that are made of odd places."""
        made: dict[str, JsonObject] = {}
        for kind, name in self._component_names():
            try:
                made.setdefault(kind, {})[name] = self.component(kind, name)
            except KeyError:
                continue
        rest = {key: item for key, item in self._components.items() if key.startswith("x-")}
        return {**{kind: made[kind] for kind in RULES if made.get(kind)}, **rest}

    def _component_names(self) -> Iterator[tuple[str, str]]:
        for kind, named in self._components.items():
            if kind in RULES and is_object(named):
                yield from ((kind, name) for name in named)
            elif not kind.startswith("x-"):
                at = below(ROOT, "components", kind)
                self._walk.notes.add(at, f"`{kind[:40]}` among the components: left out.")
        seen = 0
        while seen < len(self._walk.references.hoisted):  # one may lead to another
            hoisted = list(self._walk.references.hoisted)[seen:]
            seen += len(hoisted)
            yield from hoisted

    def _spelt(self, paths: JsonObject) -> dict[str, str]:
        """The keys of the description by the path that each stands for."""
        spelt: dict[str, str] = {path: path for path in paths if path.startswith("/")}
        for key in paths:
            if key in spelt or key.startswith("x-"):
                continue
            at = below(ROOT, "paths", key)
            if f"/{key}" in spelt or not is_path_item(paths[key]):
                self._walk.notes.add(at, "What is no path among the paths: left out.")
            else:
                self._walk.notes.add(at, "A path without a / before it: given one.")
                spelt[f"/{key}"] = key
        order = {key: index for index, key in enumerate(paths)}
        return dict(sorted(spelt.items(), key=lambda item: order[item[1]]))

    def _webhooks(self) -> JsonObject:
        webhooks = self._written.get("webhooks")
        if not is_object(webhooks):
            return {}
        at = below(ROOT, "webhooks")
        items = ((n, loose_path_item(self._walk, i, below(at, n))) for n, i in webhooks.items())
        return {name: item for name, item in items if item is not GONE}

    def _version(self) -> str:
        given = self._written.get("openapi")
        return given if isinstance(given, str) and given.startswith("3.1.") else "3.1.0"

    def _note_version(self, notes: Notes) -> None:
        given = self._written.get("openapi")
        if self.version is not Version.V31:
            notes.add(ROOT, f"{self.version.value}, read as OpenAPI 3.1.")
        elif self._version() != given:
            notes.add(below(ROOT, "openapi"), f"OpenAPI {str(given)[:40]}, read as 3.1.")
