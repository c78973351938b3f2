"""What the cases of a process share: the loops, and the model server in one of them."""

from types import TracebackType
from typing import Self

from evalsim.evals.loops import LoopThread
from evalsim.evals.model.server import ModelServer


class Runtime:
    """Two loops in threads, one to serve and one for agents, and a model server in the first.

    Apart, since an agent that blocks its loop must not keep what it calls from answering.
    """

    def __init__(self) -> None:
        self.serving = LoopThread("evalsim-serving")
        self.agents = LoopThread("evalsim-agents")
        self.models = ModelServer()
        self.serving.run(self.models.__aenter__)

    def close(self) -> None:
        """Stop serving, and end both threads."""
        self.agents.close()
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
