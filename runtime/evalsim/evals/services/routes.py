"""Where a stand-in answers: a method and a path whose `{parts}` are read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from evalsim.evals.invalid import EvalError
from evalsim.evals.services.request import Request

_ROUTE = re.compile(r"([A-Z]+) (/\S*)")


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a template of a path, as `GET /jobs/{id}`."""

    method: str
    pattern: "re.Pattern[str]"

    def match(self, request: Request) -> Mapping[str, str] | None:
        """The parts of a request's path, None for another route."""
        found = self.pattern.fullmatch(request.path)
        return found.groupdict() if found and request.method == self.method else None


@lru_cache(maxsize=256)
def read_route(text: str) -> Route:
    """The route that a text is; raises `EvalError` for what is none."""
    found = _ROUTE.fullmatch(text)
    if found is None:
        raise EvalError(f"{text!r} is no route: write it as 'GET /jobs/{{id}}'.")
    parts = re.split(r"\{(\w+)\}", found[2])
    fixed = [re.escape(part) for part in parts[::2]]
    named = [f"(?P<{name}>[^/]+)" for name in parts[1::2]]
    whole = "".join(f"{before}{name}" for before, name in zip(fixed, [*named, ""], strict=True))
    return Route(found[1], re.compile(whole))
