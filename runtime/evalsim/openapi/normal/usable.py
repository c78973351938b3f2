"""Whether a component is one at all, so that a reference may lead to it."""

from collections.abc import Callable

from evalsim.types import Json, JsonObject, is_object

PLACES = ("path", "query", "header", "cookie")
"""Where parameters are."""


_BESIDE = frozenset({"description", "title", "deprecated", "externalDocs", "$comment", "nullable"})


def stays_beside(keyword: str) -> bool:
    """Whether a keyword stays beside a `$ref` where others are ignored.

    Those do that judge nothing, and `nullable`, which everyone means who writes it there.
    """
    return keyword in _BESIDE or keyword.startswith("x-")


def is_usable(kind: str, value: Json) -> bool:
    """Whether something of a component will be left in the normal form."""
    if kind == "schemas":
        return True
    if not is_object(value):
        return kind == "responses" and isinstance(value, str)
    test = _TESTS.get(kind)
    if "$ref" in value:
        return isinstance(value["$ref"], str)
    return test is None or test(value)


def _is_parameter(value: JsonObject) -> bool:
    return value.get("in") in PLACES and isinstance(value.get("name"), str)


def _is_security_scheme(value: JsonObject) -> bool:
    """Whether a scheme says all that its type has to say."""
    kind = value.get("type")
    if kind == "apiKey":
        named = isinstance(value.get("name"), str)
        return named and value.get("in") in ("header", "query", "cookie")
    needed = {"http": ("scheme", str), "oauth2": ("flows", dict), "mutualTLS": ("type", str)}
    needed["openIdConnect"] = ("openIdConnectUrl", str)
    key, type_ = needed.get(kind, ("", str)) if isinstance(kind, str) else ("", str)
    return isinstance(value.get(key), type_)


def _is_link(value: JsonObject) -> bool:
    return isinstance(value.get("operationId", value.get("operationRef")), str)


_TESTS: dict[str, Callable[[JsonObject], bool]] = {
    "links": _is_link,
    "parameters": _is_parameter,
    "securitySchemes": _is_security_scheme,
}
