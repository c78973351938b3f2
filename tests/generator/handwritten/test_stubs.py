"""Stubs are what was meant and nothing more, in black's layout, and fit the module they end."""

import ast
from pathlib import Path

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim_generator.handwritten.literal import docstring, literal
from evalsim_generator.handwritten.source import Unreadable
from evalsim_generator.handwritten.stubs import Stub, append_stubs, new_module, stub_module

DEALS = Stub(
    "list-deals", "list_deals", "ListDealsArgs", "ListDealsResult", "List deals in the workspace."
)
WRITTEN = '''
@handler("list-deals")
def list_deals(args: models.ListDealsArgs, state: State) -> models.ListDealsResult:
    """List deals in the workspace."""
    not_implemented("list-deals")
'''
IMPORTS = """\
from evalsim.mcp import not_implemented

from . import models
from .contract import handler
from .entities import State
"""

odd_text = st.text(
    st.sampled_from("ab \"'\\\n\r\t`{}\0\x7f\x1b\x85é日\u2028\u202e\ud800😀"), max_size=120
)
name = st.text("abcXYZ_", min_size=1, max_size=90).map("N{}".format)
stubs = st.lists(
    st.builds(Stub, odd_text, st.sampled_from(["f", "g" * 70]) | name, name, name, odd_text),
    min_size=1,
    max_size=3,
)


def appended(source: str, stub: Stub = DEALS, dots: int = 1) -> str:
    """What is added to a module."""
    after = append_stubs(source.encode(), [stub], dots).decode()
    assert after.startswith(source)
    return after[len(source) :]


def test_the_first_module_is_the_users_to_edit() -> None:
    """A new handlers.py says whose it is, imports what stubs need, and holds them."""
    text = new_module([DEALS], "attio")

    assert text.startswith('"""What the fake attio does')
    assert "yours to edit" in text
    assert text.endswith(f'"""\n\n{IMPORTS}\n{WRITTEN}')


def test_a_fake_without_tools_has_a_module_that_imports_nothing() -> None:
    """With no stub to write, the first module is its docstring."""
    assert ast.parse(new_module([], "attio")).body[1:] == []


def test_a_stub_alone_follows_a_module_that_binds_its_names() -> None:
    """Two blank lines and the stub, when models, handler, State and not_implemented are bound."""
    assert appended(f"{IMPORTS}\nx = 1\n") == f"\n{WRITTEN}"


@settings(max_examples=300, deadline=None)
@given(stubs, odd_text)
def test_no_text_of_a_server_leaves_its_literal(stubs: list[Stub], fake: str) -> None:
    """Whatever names and summaries hold, the module is ASCII and its statements are the stubs'."""
    text = new_module(stubs, fake)
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]

    assert text.isascii()
    assert all(mark.isprintable() or mark == "\n" for mark in text)
    assert len(ast.parse(text).body) == 5 + len(stubs)
    assert len({function.name for function in functions}) == len(stubs)
    for stub, function in zip(stubs, functions, strict=True):
        assert _tool(function.decorator_list[0]) == stub.tool
        assert isinstance(function.body[-1], ast.Expr)
        assert _tool(function.body[-1].value) == stub.tool
        assert len(function.body) == 1 + bool(stub.summary.split())


def _tool(call: ast.expr) -> object:
    assert isinstance(call, ast.Call)
    assert isinstance(call.args[0], ast.Constant)
    return call.args[0].value


@settings(max_examples=300, deadline=None)
@given(stubs, st.sampled_from(["", "x = 1\n", "# note\n", IMPORTS, f"{IMPORTS}\nx = 1\n"]))
def test_black_has_nothing_to_change(stubs: list[Stub], source: str) -> None:
    """A module in black's layout is in it still after stubs were appended."""
    after = append_stubs(source.encode(), stubs).decode()

    assert after == black.format_str(after, mode=black.Mode())


@given(st.text(), st.integers(20, 120))
def test_a_docstring_keeps_its_width_and_line(text: str, width: int) -> None:
    """Any text becomes one ASCII line that fits, or none at all."""
    written = docstring(text, width)

    assert written.isascii()
    assert written.isprintable()
    assert len(written) <= width
    said, words = ast.literal_eval(written or "''"), " ".join(text.split())
    assert said == words or (said.endswith("...") and words.startswith(said[:-3])) or not said


@given(st.text())
def test_a_literal_is_the_text_in_ascii(text: str) -> None:
    """Reading a literal gives the text back."""
    assert literal(text).isascii()
    assert ast.literal_eval(literal(text)) == text


def test_ordinary_words_stay_as_they_are() -> None:
    """Quotes inside a sentence need no escape, so a summary reads as it was written."""
    assert docstring('Find "open" deals; it\'s quick.', 88) == (
        '"""Find "open" deals; it\'s quick."""'
    )


def test_a_long_summary_is_cut_between_words() -> None:
    """A summary that does not fit ends with dots after a whole word."""
    assert docstring("List every deal in the workspace", 30) == '"""List every deal in..."""'


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_newlines_follow_the_file(newline: str) -> None:
    """The stub ends its lines as the file's first line does."""
    source = IMPORTS.replace("\n", newline).encode()

    assert append_stubs(source, [DEALS]) == source + f"\n{WRITTEN}".replace("\n", newline).encode()


@pytest.mark.parametrize(
    ("source", "joint"),
    [
        (b"x = 1", b"\n\n\nfrom"),
        (b"x = 1\n", b"\n\nfrom"),
        (b"x = 1\n\n", b"\nfrom"),
        (b"x = 1\n\n\n\n\n", b"from"),
        (b"x = 1\n  ", b"\n\nfrom"),
        (b"if x:\n    y = 1\n    # odd", b"\n\n\nfrom"),
        (b"x = 1\n\x0c\n", b"\nfrom"),
        (b"x = 1;\n  \\\n\n", b"\nfrom"),
        (b'"""Words."""\n', b"\nfrom"),
        (b"", b"from"),
        (b"\n", b"from"),
        (b"   ", b"\nfrom"),
        (b"\xef\xbb\xbf", b"from"),
        (b"\xef\xbb\xbfx = 1\n", b"\n\nfrom"),
        (b"# coding: latin-1\nx = '\xe9'\n", b"\n\nfrom"),
    ],
)
def test_an_addition_starts_on_a_line_of_its_own(source: bytes, joint: bytes) -> None:
    """Two blank lines part it from code, counting those that are there; old bytes are kept."""
    after = append_stubs(source, [DEALS])

    assert after.startswith(source + joint)
    assert len(ast.parse(after).body) == len(ast.parse(source).body) + 5


def test_an_encoding_in_which_ascii_may_mean_more_is_followed() -> None:
    """Under UTF-7 a summary could smuggle quotes in, were it not encoded as the file is."""
    stub = Stub("a", "a", "AArgs", "AResult", "+ACIAIgAi-; boom()")

    after = append_stubs(b"# coding: utf-7\nx = 1\n", [stub])

    function = ast.parse(after).body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function) == "+ACIAIgAi-; boom()"


@pytest.mark.parametrize(
    ("source", "start"),
    [
        ("from .contract import handler as h\n", "@h("),
        ("from . import models as m\n", "args: m.ListDealsArgs"),
        ("from .entities import State as S\n", "state: S)"),
        ("from evalsim.mcp import not_implemented as no\n", 'no("list-deals")'),
        ("from .common import handler\nfrom .entities import *\n", "@handler("),
        ("try:\n    from .contract import handler as h\nfinally:\n    pass\n", "@h("),
        (
            "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from . import models as m\n",
            "args: m.ListDealsArgs",
        ),
    ],
)
def test_a_stub_speaks_as_its_module_does(source: str, start: str) -> None:
    """A name that the module binds under another spelling is used, and not imported again."""
    addition = appended(source)

    assert start in addition
    assert addition.count("import ") == (4 if "import *" in source else 3) - ("common" in source)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("from other import handler\n", "from .contract import handler as handler_2"),
        ("models = {}\n", "from . import models as models_2"),
        ("class State: ...\nState_2 = 1\n", "from .entities import State as State_3"),
        ("for models in (): ...\n", "from . import models as models_2"),
        ("def not_implemented(): ...\n", "from evalsim.mcp import not_implemented as"),
        ("match 1:\n    case models: ...\n", "from . import models as models_2"),
        ("with x as models: ...\n", "from . import models as models_2"),
        ("(models := 1)\n", "from . import models as models_2"),
        ("def f():\n    models = 1\n", "from . import models\n"),
        ("from . import models\ndel models\n", "from . import models\n"),
        ("if 1:\n    from . import models\n", "from . import models\n"),
        (
            "from typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from .entities import State\n",
            "from .entities import State\n",
        ),
        (
            "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from .contract import handler\n",
            "from .contract import handler\n",
        ),
        ("from .models import ListDealsArgs\n", "from . import models\n"),
    ],
)
def test_a_missing_name_is_imported_and_another_meaning_is_left(source: str, line: str) -> None:
    """What is not surely bound is imported; what means something else keeps its name."""
    assert line in appended(source)


@pytest.mark.parametrize(
    ("source", "function"),
    [
        ("def list_deals(): ...\n", "list_deals_2"),
        ("import list_deals\nlist_deals_2 = 1\n", "list_deals_3"),
        ("class A:\n    def list_deals(self): ...\n", "list_deals"),
        ("try: ...\nexcept E as list_deals: ...\n", "list_deals_2"),
    ],
)
def test_a_function_takes_no_name_that_is_bound(source: str, function: str) -> None:
    """A stub whose name the module uses gets the next free one."""
    assert f"def {function}(" in appended(source)


@pytest.mark.parametrize("taken", ["models", "handler", "State", "not_implemented"])
def test_a_function_does_not_hide_what_its_stub_needs(taken: str) -> None:
    """A tool named like an import does not take its place."""
    assert f"def {taken}_2(" in new_module([Stub("t", taken, "A", "B", "")], "attio")


def test_stubs_in_a_package_reach_the_folder_above(tmp_path: Path) -> None:
    """When handlers is a package the stubs go to it, and import from one level up."""
    assert stub_module(tmp_path) == ("handlers.py", 1)

    (tmp_path / "handlers").mkdir()
    (tmp_path / "handlers" / "__init__.py").touch()

    assert stub_module(tmp_path) == ("handlers/__init__.py", 2)
    assert "from .. import models\nfrom ..contract import handler\n" in appended("", dots=2)
    bound = "from .. import models\nfrom ..contract import handler\nfrom ..entities import State\n"
    assert "from .." not in appended(bound, dots=2)


def test_nothing_to_add_changes_nothing() -> None:
    """No stub, no byte: not even a missing newline."""
    assert append_stubs(b"x = 1", []) == b"x = 1"


def test_a_module_that_does_not_parse_is_not_added_to() -> None:
    """A syntax error stops the addition with its line."""
    with pytest.raises(Unreadable, match="line 2"):
        append_stubs(b"x = 1\ndef (:\n", [DEALS])
