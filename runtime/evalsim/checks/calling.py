"""Calling one fake over HTTP, as any client does, and looking at its state between calls."""

import json
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

from evalsim.checks.subject import Subject
from evalsim.hosting.services import Services
from evalsim.hosting.start import start_services
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json, JsonObject

_HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
}


class Instance:
    """One started instance of a fake, in a world of its own."""

    def __init__(self, services: Services, fake_id: str, connection: HTTPConnection) -> None:
        self._services, self._fake, self._connection = services, fake_id, connection
        self._path = urlsplit(services.url(fake_id)).path

    @property
    def live(self) -> object:
        """The live state itself."""
        return self._services.states[self._fake]

    def state(self) -> bytes:
        """The state as JSON; raises `StateError` when it is none."""
        return self._services.world.dump(self._fake)

    def tools(self) -> list[JsonObject]:
        """What `tools/list` says."""
        listed: list[JsonObject] = self._request("tools/list", {})["result"]["tools"]
        return listed

    def call(self, tool: str, args: Mapping[str, Json]) -> JsonObject:
        """The CallToolResult of a call, or `{"error": …}` for the protocol's."""
        response = self._request("tools/call", {"name": tool, "arguments": args})
        result: JsonObject = response.get("result", response)
        return result

    def _request(self, method: str, params: JsonObject) -> JsonObject:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._connection.request("POST", self._path, json.dumps(message).encode(), _HEADERS)
        answer: JsonObject = json.loads(self._connection.getresponse().read())
        return answer


@contextmanager
def started(subject: Subject, fake: LoadedFake) -> Generator[Instance]:
    """An instance of the fake alone, in the Recipe's default world.

    Raises `EvalsimError` with all that keeps it from starting.
    """
    services = start_services(
        {fake.id: fake}, subject.world, None, subject.moment, handler_timeout=subject.timeout
    )
    with services:
        address = urlsplit(services.url(fake.id))
        connection = HTTPConnection(address.hostname or "", address.port, timeout=subject.timeout)
        with closing(connection):
            yield Instance(services, fake.id, connection)
