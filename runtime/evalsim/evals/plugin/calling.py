"""Calling async cases in an event loop of their own, where no other plugin does."""

import asyncio
import inspect
from typing import Any

import pytest

_OTHERS = ("asyncio", "anyio", "trio", "tornado_asyncio")
"""Marks by which other plugins take an async test for theirs."""


def call_async(item: pytest.Function) -> bool | None:
    """Run an async test to its end; None for any other, and for one that another plugin runs."""
    if not inspect.iscoroutinefunction(item.obj):
        return None
    if any(item.get_closest_marker(name) is not None for name in _OTHERS):
        return None
    names = item._fixtureinfo.argnames  # pyright: ignore[reportPrivateUsage]  as pytest itself does
    given: dict[str, Any] = {name: item.funcargs[name] for name in names}
    asyncio.run(item.obj(**given))
    return True
