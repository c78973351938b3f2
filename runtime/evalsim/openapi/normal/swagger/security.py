"""Security definitions of 2.0 as security schemes."""

from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.swagger.source import Source, extensions
from evalsim.types import Json, JsonObject, is_object

_FLOWS = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}


def security_schemes(source: Source, value: Json, at: Place) -> JsonObject:
    """The schemes by name; one of a kind that 2.0 does not have goes."""
    if not is_object(value):
        source.notes.add(at, "`securityDefinitions` is no object: left out.")
        return {}
    made = {name: _scheme(source, item, below(at, name)) for name, item in value.items()}
    return {name: item for name, item in made.items() if item is not None}


def _scheme(source: Source, value: Json, at: Place) -> JsonObject | None:
    kind = value.get("type") if is_object(value) else None
    said = {"description": value["description"]} if kind and "description" in value else {}
    if kind == "basic":
        return {"type": "http", "scheme": "basic", **said, **extensions(value)}
    if kind == "apiKey":
        return dict(value)
    if kind == "oauth2":
        return {"type": "oauth2", **said, "flows": _flows(source, value, at), **extensions(value)}
    source.notes.add(at, f"A security scheme of type {str(kind)[:40]}: left out.")
    return None


def _flows(source: Source, value: JsonObject, at: Place) -> JsonObject:
    name = _FLOWS.get(str(value.get("flow")))
    if name is None:
        source.notes.add(at, f"The flow {str(value.get('flow'))[:40]}: left out.")
        return {}
    urls = {key: value[key] for key in ("authorizationUrl", "tokenUrl") if key in value}
    scopes = value.get("scopes")
    return {name: {**urls, "scopes": scopes if is_object(scopes) else {}}}
