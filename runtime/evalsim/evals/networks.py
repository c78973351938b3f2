"""What a suite asks of its network, whatever keeps the agent's requests on this machine."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol
from urllib.parse import urlsplit


class CaseNetwork(Protocol):
    """The network of a case: aimed at it when it opens, and away from it last of all."""

    def reset(self) -> None:
        """Forget the log, and build the state anew; of one instance in each case and repeat."""
        ...

    def installed(self) -> AbstractContextManager[object]:
        """Keep this process's requests from leaving, from the first case to the last."""
        ...

    def aim(self, case: str) -> AbstractContextManager[object]:
        """Take requests of this context for a case's own; entered in the context of its agent."""
        ...

    def allow(self, host: str, port: int) -> None:
        """Let requests reach an address that is the harness's own."""
        ...

    def process_env(self) -> dict[str, str]:
        """The variables by which another process is held to it."""
        ...

    def release_all(self) -> None:
        """Let go of whatever is held, so that the case can end."""
        ...

    def refused(self) -> Iterable[object]:
        """The requests that nothing answered, as what is told of each."""
        ...


def allow_roots(network: CaseNetwork, roots: Iterable[str]) -> None:
    """Let requests reach these addresses."""
    for root in roots:
        url = urlsplit(root)
        network.allow(url.hostname or "", url.port or 80)
