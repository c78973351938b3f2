"""A whole description of 2.0 in the shape of 3.x."""

from collections.abc import Callable

from evalsim.openapi.normal.notes import ROOT, Notes, Place, below
from evalsim.openapi.normal.swagger.operations import path_item
from evalsim.openapi.normal.swagger.parameters import parameter
from evalsim.openapi.normal.swagger.responses import response
from evalsim.openapi.normal.swagger.security import security_schemes
from evalsim.openapi.normal.swagger.servers import servers
from evalsim.openapi.normal.swagger.source import Source
from evalsim.openapi.normal.version import Version
from evalsim.types import Json, JsonObject, is_object

_TAKEN = (
    "swagger", "host", "basePath", "schemes", "consumes", "produces", "paths", "definitions",
    "parameters", "responses", "securityDefinitions",
)  # fmt: skip


def as_openapi(document: JsonObject, notes: Notes) -> JsonObject:
    """The description with the fields of 3.x; places that moved are told to `notes`."""
    source = Source(document, notes)
    made = {key: item for key, item in document.items() if key not in _TAKEN}
    found = servers(source)
    if found:
        made["servers"] = found
    paths = document.get("paths")
    if is_object(paths):
        made["paths"] = {
            path: item
            if path.startswith("x-")
            else path_item(source, item, below(ROOT, "paths", path))
            for path, item in paths.items()
        }
    components = _components(source)
    if components:
        made["components"] = components
    return made


def _components(source: Source) -> JsonObject:
    document, made = source.document, JsonObject()
    if is_object(document.get("definitions")):
        made["schemas"] = document["definitions"]
    produces = source.media_types(document.get("produces"), below(ROOT, "produces"))
    if is_object(document.get("responses")):
        made["responses"] = {
            name: response(source, item, produces, _at("responses", name))
            for name, item in document["responses"].items()
        }
    if is_object(document.get("parameters")):
        made["parameters"] = _parameters(source, document["parameters"])
    if "securityDefinitions" in document:
        at = below(ROOT, "securityDefinitions")
        made["securitySchemes"] = security_schemes(source, document["securityDefinitions"], at)
    names = {"schemas": "definitions", "securitySchemes": "securityDefinitions"}
    for kind in made:
        source.moved(_at(kind), below(ROOT, names.get(kind, kind)))
    return {kind: named for kind, named in made.items() if named}


def _parameters(source: Source, given: JsonObject) -> JsonObject:
    """Those that stay parameters: a body or a field is put where it is used."""
    made: JsonObject = {}
    for name, item in given.items():
        whole = source.followed(item)
        if is_object(whole) and whole.get("in") not in ("body", "formData"):
            made[name] = parameter(source, item, _at("parameters", name))
    return made


def _at(*keys: str) -> Place:
    return below(ROOT, "components", *keys)


def lift(version: Version, document: JsonObject) -> Callable[[str, Json], Json]:
    """What gives a piece of the description, of some kind, the shape that it has in 3.x."""
    if version is not Version.V2:
        return lambda _, value: value
    source = Source(document, Notes())  # a note on the piece is made where it stands

    def lifted(kind: str, value: Json) -> Json:
        if kind == "parameters":
            return parameter(source, value, ROOT)
        if kind == "responses":
            produces = source.media_types(document.get("produces"), ROOT)
            return response(source, value, produces, ROOT)
        return value

    return lifted
