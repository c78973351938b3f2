"""What the cases of a process share: the loops, and the model server in one of them."""

from contextlib import ExitStack
from types import TracebackType
from typing import Self

from evalsim.evals.loops import LoopThread
from evalsim.evals.model.server import ModelServer
from evalsim.evals.networks import CaseNetwork


class Runtime:
    """Two loops in threads, one to serve and one for agents, and a model server in the first.

    Apart, since an agent that blocks its loop must not keep what it calls from answering.
    """

    def __init__(self) -> None:
        self.serving = LoopThread("evalsim-serving")
        self.agents = LoopThread("evalsim-agents")
        self.models = ModelServer()
        self._installed, self._is_installed = ExitStack(), False
        self.serving.run(self.models.__aenter__)

    def install(self, network: CaseNetwork) -> None:
        """Keep this process's requests from leaving, until the runtime is closed."""
        if not self._is_installed:
            self._is_installed = True
            self._installed.enter_context(network.installed())

    def close(self) -> None:
        """Stop serving, and end both threads."""
        self.agents.close()
        self._installed.close()
        self.serving.run(self._stop_serving)
        self.serving.close()

    async def _stop_serving(self) -> None:
        await self.models.__aexit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
