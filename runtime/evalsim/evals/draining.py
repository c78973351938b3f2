"""Ending what an agent left running, once its case is over."""

import asyncio
from typing import Any

from evalsim.evals.case import Case
from evalsim.evals.invalid import AgentLeak


def drain(case: Case) -> None:
    """Let what the agent left running end; raises `AgentLeak` naming what does not."""
    if case.network is not None:
        case.network.release_all()

    async def wait() -> list[str]:
        me, loop = asyncio.current_task(), asyncio.get_running_loop()
        deadline = loop.time() + case.suite.drain
        while left := {task for task in asyncio.all_tasks() if task is not me}:
            _, survivors = await asyncio.wait(left, timeout=max(0, deadline - loop.time()))
            if survivors:
                for task in survivors:
                    task.cancel()
                return [_named(task) for task in survivors]
        return []

    if names := case.run_agent(wait):
        raise AgentLeak(
            f"{len(names)} tasks of the agent still ran {case.suite.drain:g} s after its case was "
            f"over, and were cancelled: {', '.join(sorted(names))}. Await them in the turn, or "
            "close what started them in the agent's close()."
        )


def _named(task: "asyncio.Task[Any]") -> str:
    made_by = task.get_coro()
    if task.get_name().startswith("job "):
        return task.get_name()
    return getattr(made_by, "__qualname__", None) or task.get_name()
