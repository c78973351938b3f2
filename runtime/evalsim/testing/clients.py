"""The official MCP client, connected to one fake; imported only where one is connected."""

from types import TracebackType
from typing import Self

from mcp import Client

from evalsim.hosting.services import Services


class FakeClient(Client):
    """The official client of a served fake; `fake` is the contract its answers are held to."""

    def __init__(self, services: Services, fake_id: str) -> None:
        super().__init__(services.url(fake_id))
        self.services = services
        self.fake = services.fakes[fake_id]

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Told of a test's exception, the client would hand it on inside exception groups
        await super().__aexit__(None, None, None)
