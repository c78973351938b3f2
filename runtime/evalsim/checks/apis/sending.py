"""Sending requests to one started instance of an API fake, and looking at its state between."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from evalsim.checks.apis.requests import Sent, letting_in
from evalsim.checks.subject import Subject
from evalsim.hosting.services import Services
from evalsim.hosting.start import start_services
from evalsim.recipe.loader import LoadedFake


class ApiInstance:
    """One started instance of a fake, in a world of its own."""

    def __init__(self, services: Services, fake: LoadedFake, timeout: float) -> None:
        self._services, self._fake, self._timeout = services, fake, timeout
        self._address = urlsplit(services.base_url(fake.id))

    @property
    def live(self) -> object:
        """The live state itself."""
        return self._services.states[self._fake.id]

    def state(self) -> bytes:
        """The state as JSON; raises `StateError` when it is none."""
        return self._services.world.dump(self._fake.id)

    def send(self, sent: Sent) -> int:
        """The status that a request is answered with; 0 for no answer."""
        target = f"{self._address.path}{sent.path}" + (f"?{sent.query}" if sent.query else "")
        headers = letting_in(sent, self._known())
        connection = HTTPConnection(
            self._address.hostname or "", self._address.port, timeout=self._timeout
        )
        try:
            connection.request(sent.method, target, sent.body or None, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()

    def _known(self) -> list[str]:
        """The credentials that the state lists, where the fake does so."""
        api = self._fake.api
        listed: Callable[[Any], Any] | None = api.hooks.get("credentials") if api else None
        return [] if listed is None else [str(one) for one in listed(self.live)]


@contextmanager
def started_api(subject: Subject, fake: LoadedFake) -> Generator[ApiInstance]:
    """An instance of the fake alone, in the Recipe's default world.

    Raises `EvalsimError` with all that keeps it from starting.
    """
    services = start_services(
        {fake.id: fake}, subject.world, None, subject.moment, handler_timeout=subject.timeout
    )
    with services:
        yield ApiInstance(services, fake, subject.timeout)
