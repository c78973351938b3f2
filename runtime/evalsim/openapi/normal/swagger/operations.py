"""Operations of 2.0: their bodies and forms are parameters there, their media types lists."""

from evalsim.openapi.normal.notes import ROOT, Place, below
from evalsim.openapi.normal.path_items import METHODS
from evalsim.openapi.normal.swagger.parameters import Given, body, parameter
from evalsim.openapi.normal.swagger.responses import response
from evalsim.openapi.normal.swagger.servers import servers
from evalsim.openapi.normal.swagger.source import Source
from evalsim.types import Json, JsonObject, is_array, is_object

_TAKEN = ("consumes", "produces", "schemes", "parameters", "responses")


def path_item(source: Source, value: Json, at: Place) -> Json:
    """The operations of a path; what all of them take as a body is given to each."""
    if not is_object(value):
        return value
    made = dict(value)
    shared: list[Given] = []
    if "parameters" in value:
        made["parameters"], shared = _parted(source, value["parameters"], below(at, "parameters"))
    for key, item in value.items():
        if key.lower() in METHODS:
            made[key] = _operation(source, item, shared, below(at, key))
    return made


def _parted(source: Source, value: Json, at: Place) -> tuple[Json, list[Given]]:
    """The parameters that stay in the list, and those that make a body."""
    if not is_array(value):
        return value, []
    staying: list[Json] = []
    making: list[Given] = []
    for index, item in enumerate(value):
        was = below(at, str(index))
        whole = source.followed(item)
        if is_object(whole) and whole.get("in") in ("body", "formData"):
            if whole["in"] == "formData" and not isinstance(whole.get("name"), str):
                source.notes.add(was, "A parameter without a name: left out.")
                continue
            making.append((whole, was))
            continue
        now = below(at, str(len(staying)))
        source.moved(now, was)
        source.moved(now, was, "schema")
        staying.append(parameter(source, item, was))
    return staying, making


def _operation(source: Source, value: Json, shared: list[Given], at: Place) -> Json:
    if not is_object(value):
        return value
    made = {key: item for key, item in value.items() if key not in _TAKEN}
    making: list[Given] = []
    if "parameters" in value:
        made["parameters"], making = _parted(source, value["parameters"], below(at, "parameters"))
    making += _not_overridden(shared, making)
    consumes = _media_types(source, value, "consumes", at)
    taken = body(source, making, consumes, below(at, "requestBody"))
    if taken is not None:
        made["requestBody"] = taken
    if "responses" in value:
        made["responses"] = _responses(source, value, at)
    if "schemes" in value:
        made["servers"] = servers(source, value["schemes"])
    return made


def _not_overridden(shared: list[Given], own: list[Given]) -> list[Given]:
    names = {(value["in"], str(value.get("name"))) for value, _ in own}
    if any(value["in"] == "body" for value, _ in own):
        return []
    return [given for given in shared if (given[0]["in"], str(given[0].get("name"))) not in names]


def _media_types(source: Source, value: JsonObject, key: str, at: Place) -> list[str] | None:
    if key in value:
        return source.media_types(value[key], below(at, key))
    return source.media_types(source.document.get(key), below(ROOT, key))


def _responses(source: Source, value: JsonObject, at: Place) -> Json:
    given = value["responses"]
    if not is_object(given):
        return given
    produces = _media_types(source, value, "produces", at)
    own = produces != _media_types(source, {}, "produces", at)
    made: JsonObject = {}
    for status, item in given.items():
        whole = source.followed(item) if own else item  # a shared one has the shared media types
        place = below(at, "responses", status)
        made[status] = response(source, item if whole is None else whole, produces, place)
    return made
