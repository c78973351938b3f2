"""Running the services in an event loop of their own, which ends even when a handler does not."""

import asyncio
import logging
from collections.abc import Collection, Coroutine
from typing import Any

from evalsim.recipe.places import waiting_at

GRACE = 2.0
"""Seconds that what runs in a loop has to end, once it is cancelled."""

log = logging.getLogger("evalsim")


def new_loop() -> asyncio.AbstractEventLoop:
    """An event loop of the fastest kind there is here."""
    try:
        import uvloop  # noqa: PLC0415  it does not exist everywhere
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run `main` to its end, and cancel what it leaves behind.

    asyncio's own runner waits for ever for a task that ignores being cancelled, or for a thread
    that a handler waited for; here both are left behind, and the log says so.
    """
    loop = new_loop()
    try:
        loop.run_until_complete(main)
    finally:
        loop.run_until_complete(_end_tasks(loop))
        loop.close()


async def _end_tasks(loop: asyncio.AbstractEventLoop) -> None:
    for task in await cancel(asyncio.all_tasks() - {asyncio.current_task()}):
        at = waiting_at(task.get_coro()) or "outside the Recipe"
        log.warning("A task ignores being cancelled, and is left behind: it waits %s.", at)
    await asyncio.wait({loop.create_task(loop.shutdown_asyncgens())}, timeout=GRACE)


async def cancel(tasks: Collection[asyncio.Task[Any] | None]) -> set[asyncio.Task[Any]]:
    """Cancel tasks, give them `GRACE` seconds to end, and return those that did not."""
    told = {task for task in tasks if task is not None}
    for task in told:
        task.cancel()
    return (await asyncio.wait(told, timeout=GRACE))[1] if told else set()
