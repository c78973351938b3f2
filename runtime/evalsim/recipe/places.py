"""Where in a Recipe's own code something is, as its user finds it: `fakes/mcp/crm/handlers.py:12`.

A Recipe's code is what runs in its private package, wherever the files lie.
"""

import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import CoroutineType, FrameType
from typing import Any

PREFIX = "_evalsim_recipe_"
"""How the name of every Recipe's private package begins."""


def place(path: str | Path, line: int | None, fakes: Path) -> str:
    """A line of a file, by the file's path from the Recipe where it lies in its folder of fakes."""
    file = Path(path)
    shown = file.relative_to(fakes.parent).as_posix() if file.is_relative_to(fakes) else str(path)
    return shown if line is None else f"{shown}:{line}"


def place_in(module: str, path: str, line: int) -> str:
    """A line of a file that a module of this name was read from."""
    package = sys.modules.get(module.partition(".")[0])
    if package is None or not _is_own(module):
        return f"{path}:{line}"
    return place(path, line, Path(package.__path__[0]))


def defined_at(function: Callable[..., Any]) -> str:
    """The line at which a function is defined, its decorators included, or what it is called."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    module = getattr(function, "__module__", None) or repr(function)
    return module if code is None else place_in(module, code.co_filename, code.co_firstlineno)


def raised_at(error: BaseException) -> str:
    """The innermost line of a Recipe that an exception came through; empty when there is none."""
    return _innermost(reversed(list(walk_tb(error.__traceback__))))


def running_at(frame: FrameType | None) -> str:
    """The line of a Recipe that this frame was called from; empty when there is none."""
    return _innermost(walk_stack(frame)) if frame is not None else ""


def waiting_at(awaited: object) -> str:
    """The innermost line of a Recipe at which a coroutine waits; empty when there is none."""
    frames: list[tuple[FrameType, int]] = []
    while isinstance(awaited, CoroutineType):
        if awaited.cr_frame is not None:
            frames.append((awaited.cr_frame, awaited.cr_frame.f_lineno))
        awaited = awaited.cr_await
    return _innermost(reversed(frames))


def _innermost(frames: Iterable[tuple[FrameType, int]]) -> str:
    """The first of the frames, from the innermost on, that is a Recipe's."""
    for frame, line in frames:
        module = frame.f_globals.get("__name__", "")
        if _is_own(module):
            return place_in(module, frame.f_code.co_filename, line)
    return ""


def _is_own(module: str) -> bool:
    return module.startswith(PREFIX)
