"""How requests prove who sends them: the schemes, and which of them each operation needs."""

from evalsim.openapi.normal.containers import fields, gone, plain
from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.pointers import reference_to
from evalsim.openapi.normal.schemas.keywords import text, thing
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_array, is_object

_FLOWS = {
    "implicit": ("authorizationUrl",),
    "password": ("tokenUrl",),
    "clientCredentials": ("tokenUrl",),
    "authorizationCode": ("authorizationUrl", "tokenUrl"),
}
"""The flows, and the addresses that each has to name."""
_OF_TYPE = {
    "apiKey": ("name", "in"),
    "http": ("scheme", "bearerFormat"),
    "oauth2": ("flows",),
    "openIdConnect": ("openIdConnectUrl",),
    "mutualTLS": (),
}
"""What a scheme of each type says."""


def security(walk: Walk, value: Json, at: Place) -> Json:
    """Which security schemes a request needs; those that are declared."""
    if not is_array(value):
        return gone(walk, at, "`security` is no list: left out.")
    made = [_requirement(walk, item, below(at, str(index))) for index, item in enumerate(value)]
    same = all(one is other for one, other in zip(made, value, strict=True))
    return value if same else [item for item in made if item is not GONE]


def _requirement(walk: Walk, value: Json, at: Place) -> Json:
    if not is_object(value):
        return gone(walk, at, "A security requirement that is no object: left out.")
    changed: JsonObject = {}
    for name, scopes in value.items():
        if not _is_declared(walk, name, below(at, name)):
            continue
        fine = is_array(scopes) and all(isinstance(scope, str) for scope in scopes)
        if not fine:
            walk.notes.add(below(at, name), "Scopes that are no list of text: left out.")
        changed[name] = scopes if fine else []
    if changed == value:
        return value
    return changed if changed or not value else GONE


def _is_declared(walk: Walk, name: str, at: Place) -> bool:
    if walk.references.component("securitySchemes", name) is None:
        walk.notes.add(at, "A security scheme that is not declared: left out.")
        return False
    ref = reference_to("components", "securitySchemes", name)
    return walk.references.lead("securitySchemes", ref, at) is not None


_flow_fields = fields(
    "a flow",
    {
        "authorizationUrl": plain(text),
        "tokenUrl": plain(text),
        "refreshUrl": plain(text),
        "scopes": plain(thing),
    },
)


def _flow(walk: Walk, value: Json, at: Place) -> Json:
    new = _flow_fields(walk, value, at)
    if new is GONE or not all(isinstance(new.get(key), str) for key in _FLOWS[at[1]]):
        return gone(walk, at, "A flow without the addresses it needs: left out.")
    given: JsonObject = new.get("scopes", {})
    scopes = {name: said for name, said in given.items() if isinstance(said, str)}
    if len(scopes) != len(given):
        walk.notes.add(below(at, "scopes"), "A scope whose meaning is no text: given none.")
        scopes = {name: scopes.get(name, "") for name in given}
    return new if scopes == new.get("scopes") else {**new, "scopes": scopes}


_scheme = fields(
    "a security scheme",
    {
        "type": plain(text),
        "description": plain(text),
        "name": plain(text),
        "in": plain(text),
        "scheme": plain(text),
        "bearerFormat": plain(text),
        "flows": fields("`flows`", dict.fromkeys(_FLOWS, _flow)),
        "openIdConnectUrl": plain(text),
    },
)


def security_scheme(walk: Walk, value: Json, at: Place) -> Json:
    """One scheme, with what its type says and nothing of another's."""
    kind = value.get("type") if is_object(value) else None
    if not isinstance(kind, str) or kind not in _OF_TYPE:
        return gone(walk, at, "A security scheme of a type that 3.1 does not have: left out.")
    own = ("type", "description", *_OF_TYPE[kind])
    if kind == "http" and str(value.get("scheme")).lower() != "bearer":
        own = ("type", "description", "scheme")
    rest = {key: item for key, item in value.items() if key in own or key.startswith("x-")}
    if len(rest) != len(value):
        walk.notes.add(at, f"What a security scheme of type {kind} does not have: left out.")
        value = rest
    return _scheme(walk, value, at)
