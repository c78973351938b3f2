"""Security: a request shows what its operation asks for; what it shows is the world's to know."""

import base64
import binascii
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs

from evalsim.api.refused import Refused
from evalsim.openapi.operations import Needs
from evalsim.types import JsonObject


@dataclass(frozen=True, slots=True)
class Shown:
    """The parts of a request that show who sends it."""

    headers: Mapping[str, str]
    query: str


class Security:
    """What the operations of one fake ask for."""

    def __init__(self, schemes: Mapping[str, JsonObject]) -> None:
        self._schemes = schemes

    @property
    def fields(self) -> frozenset[str]:
        """The header fields, in lower case, and query parameters that let a request in."""
        return frozenset(
            str(scheme.get("name")).lower()
            for scheme in self._schemes.values()
            if scheme.get("type") == "apiKey" and scheme.get("in") != "cookie"
        )

    def example(self, needs: Sequence[Needs]) -> dict[str, str]:
        """Header fields of the shape that is asked for, with `***` for what would let in."""
        shown: dict[str, str] = {}
        for name in needs[0] if needs else ():
            scheme = self._schemes.get(name, {})
            if scheme.get("type") != "apiKey":
                kind = str(scheme.get("scheme", "bearer")).capitalize()
                shown["authorization"] = f"{kind} ***"
            elif scheme.get("in") == "header":
                shown[str(scheme.get("name")).lower()] = "***"
        return shown

    def query_names(self, needs: Sequence[Needs]) -> frozenset[str]:
        """The query parameters that are keys."""
        return frozenset(
            str(scheme.get("name"))
            for need in needs
            for name in need
            if (scheme := self._schemes.get(name, {})).get("type") == "apiKey"
            and scheme.get("in") == "query"
        )

    def check(self, needs: Sequence[Needs], shown: Shown, known: Collection[str] | None) -> None:
        """Raises Refused (401) for a request that satisfies none of the alternatives.

        `known` are the credentials that are let in; None lets all in that are of the right shape.
        """
        problems = [self._problem(need, shown, known) for need in needs]
        if all(problems):
            told = str(problems[0])
            raise Refused(401, "security", told, {"www-authenticate": self._challenge(needs)})

    def _problem(self, need: Needs, shown: Shown, known: Collection[str] | None) -> str | None:
        """What one alternative misses in a request."""
        for name in need:
            credential, problem = self._credential(name, shown)
            if problem is not None:
                return problem
            if known is not None and credential and credential not in known:
                return "The credential is not valid"
        return None

    def _credential(self, name: str, shown: Shown) -> tuple[str, str | None]:
        """What is shown for a scheme, and what is wrong with it."""
        scheme = self._schemes.get(name, {})
        kind = scheme.get("type")
        if kind == "apiKey":
            return _key(scheme, shown)
        if kind == "http" and str(scheme.get("scheme")).lower() == "basic":
            return _basic(shown)
        if kind == "http" and str(scheme.get("scheme")).lower() != "bearer":
            return _of_scheme(str(scheme.get("scheme")), shown)
        if kind in ("http", "oauth2", "openIdConnect"):
            return _of_scheme("Bearer", shown)
        return "", None  # mutualTLS, and what is not known, is not seen here

    def _challenge(self, needs: Sequence[Needs]) -> str:
        for need in needs:
            for name in need:
                scheme = self._schemes.get(name, {})
                if scheme.get("type") == "http" and scheme.get("scheme") == "basic":
                    return 'Basic realm="api"'
        return "Bearer"


def _of_scheme(name: str, shown: Shown) -> tuple[str, str | None]:
    given = shown.headers.get("authorization", "")
    scheme, _, credential = given.partition(" ")
    credential = credential.strip()
    if scheme.lower() != name.lower() or not credential:
        return "", f"The request needs the header Authorization: {name} <credential>"
    return credential, None


def _basic(shown: Shown) -> tuple[str, str | None]:
    credential, problem = _of_scheme("Basic", shown)
    if problem is None:
        try:
            decoded = base64.b64decode(credential, validate=True)
        except (binascii.Error, ValueError):
            decoded = b""
        if b":" not in decoded:
            return "", "The Basic credential is not base64 of user:password"
        return decoded.decode("utf-8", "replace"), None
    return credential, problem


def _key(scheme: JsonObject, shown: Shown) -> tuple[str, str | None]:
    place, name = scheme.get("in"), str(scheme.get("name"))
    value: str | None = None
    if place == "header":
        value = shown.headers.get(name.lower())
    elif place == "query":
        value = next(iter(parse_qs(shown.query).get(name, ())), None)
    elif place == "cookie":
        cookies = (
            part.strip().partition("=") for part in shown.headers.get("cookie", "").split(";")
        )
        value = next((text for key, _, text in cookies if key == name), None)
    if not value:
        return "", f"The request needs the key {name!r} in its {place}"
    return value, None
