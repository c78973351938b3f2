"""A handler whose signature cannot take its tool's calls is told why."""

from pathlib import Path

import pytest

from evalsim_generator.handwritten.find import find_handlers
from evalsim_generator.handwritten.signatures import misfit
from evalsim_generator.handwritten.stubs import Stub

STUB = Stub("t", "t", "TArgs", "TResult", "")
HEAD = "from . import models\nfrom . import models as m\nfrom .models import TArgs, UArgs\n"


def fault(tmp_path: Path, function: str, decorators: str = "") -> str | None:
    """What is wrong with a function as the handler of `t`."""
    source = f"{HEAD}from .contract import handler\n{decorators}@handler('t')\n{function}: ...\n"
    (tmp_path / "handlers.py").write_text(source)
    (handler,) = find_handlers(tmp_path, ()).handlers
    return misfit(handler, STUB)


@pytest.mark.parametrize(
    "function",
    [
        "def t(args, state)",
        "async def t(args, state, call)",
        "def t(args, state, call=None, /, more=1)",
        "def t(args, state, call, *rest, **named)",
        "def t(args, state, *, page=10)",
        "def t(args: models.TArgs, state)",
        "def t(args: m.TArgs | None, state)",
        "def t(args: 'models.TArgs', state)",
        "def t(args: TArgs, state)",
        "def t(args: models.UArgs | models.TArgs, state)",
        "def t(args: Mine.UArgs, state)",
        "def t(args: models.Model, state)",
        "def t(args: 'not ( python', state)",
    ],
)
def test_a_signature_that_fits(tmp_path: Path, function: str) -> None:
    """Two or three by position fit, unannotated or with a type that may be right."""
    assert fault(tmp_path, function) is None


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("def t()", "takes 0 by position"),
        ("def t(args)", "takes 1 by position"),
        ("def t(a, b, c, d)", "needs 4 by position"),
        ("def t(*args)", "*args hides"),
        ("def t(args, state, *rest)", "*args hides"),
        ("def t(args, state, *, page)", "needs the keyword page"),
        ("def t(args: models.UArgs, state)", "takes models.UArgs, but its tool gives models.TArgs"),
        ("def t(args: m.UArgs, state)", "takes models.UArgs"),
        ("def t(args: UArgs, state)", "takes models.UArgs"),
        ("def t(args: 'models.UArgs | None', state)", "takes models.UArgs"),
    ],
)
def test_a_signature_that_does_not_fit(tmp_path: Path, function: str, why: str) -> None:
    """A wrong count, hidden parameters and another tool's arguments are named."""
    assert why in str(fault(tmp_path, function))


def test_other_decorators_may_change_what_is_called(tmp_path: Path) -> None:
    """Below another decorator parameters are not counted; an annotation still speaks."""
    assert fault(tmp_path, "def t(user, args, state, call)", "@with_user\n") is None
    assert fault(tmp_path, "def t(args: UArgs, state)", "@traced\n") is not None


def test_a_function_out_of_sight_is_not_judged(tmp_path: Path) -> None:
    """A handler made from an imported function has no signature in the text."""
    source = "from .contract import handler\nfrom x import t\nhandler('t')(t)\n"
    (tmp_path / "handlers.py").write_text(source)
    (handler,) = find_handlers(tmp_path, ()).handlers

    assert misfit(handler, STUB) is None
