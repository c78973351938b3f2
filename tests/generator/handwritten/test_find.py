"""Handlers are found in every spelling Python has for them, and what cannot be served is named."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from evalsim_generator.handwritten.find import Found, find_handlers

GENERATED = ("__init__.py", "models.py", "contract.py")
FUNCTION = "def list_deals(args, state): ...\n"
PLAIN = f'from .contract import handler\n@handler("list-deals")\n{FUNCTION}'


def find(tmp_path: Path, modules: Mapping[str, str | bytes]) -> Found:
    """What is found in a fake's folder of these modules."""
    folder = tmp_path / "fakes" / "mcp" / "attio"
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in modules.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return find_handlers(folder, GENERATED)


def warnings(found: Found) -> list[str]:
    """The problems as text, each of them a warning."""
    assert all(problem.level == "warning" for problem in found.problems)
    return [str(problem) for problem in found.problems]


@pytest.mark.parametrize(
    "source",
    [
        PLAIN,
        f'from .contract import handler as h\n@h("list-deals")\n{FUNCTION}',
        f'from . import contract\n@contract.handler("list-deals")\n{FUNCTION}',
        f'from . import contract as c\n@c.handler("list-deals")\n{FUNCTION}',
        f'from .contract import *\n@handler("list-deals")\n{FUNCTION}',
        f'from ..attio.contract import handler\n@handler("list-deals")\n{FUNCTION}',
        f'from ...mcp.attio import contract\n@contract.handler("list-deals")\n{FUNCTION}',
        f'from fakes.mcp.attio.contract import handler\n@handler("list-deals")\n{FUNCTION}',
        f'import fakes.mcp.attio.contract as c\n@c.handler("list-deals")\n{FUNCTION}',
        "import fakes.mcp.attio.contract\n"
        f'@fakes.mcp.attio.contract.handler("list-deals")\n{FUNCTION}',
        f'from attio.contract import handler\n@handler("list-deals")\n{FUNCTION}',
        f'from .contract import handler\nh = handler\n@h("list-deals")\n{FUNCTION}',
        f'from . import contract\nh = contract.handler\n@h("list-deals")\n{FUNCTION}',
        f'from .contract import handler\n@handler("list-" "deals")\n{FUNCTION}',
        f'from .contract import handler\n@handler(tool="list-deals")\n{FUNCTION}',
        f'from .contract import handler\n@handler("list-deals")\nasync {FUNCTION}',
        f'from .contract import handler\n@traced\n@handler("list-deals")\n@retry(2)\n{FUNCTION}',
        f'from .contract import handler\n{FUNCTION}\nhandler("list-deals")(list_deals)\n',
        "try:\n    from .contract import handler\nexcept ImportError:\n    handler = None\n"
        f'@handler("list-deals")\n{FUNCTION}',
        "import x\nif x.y:\n    from .contract import handler\n"
        f'    @handler("list-deals")\n    {FUNCTION}',
    ],
)
def test_every_spelling_is_a_handler(tmp_path: Path, source: str) -> None:
    """Aliases, modules, stars, absolute names and calls all mean the contract's decorator."""
    found = find(tmp_path, {"handlers.py": source})

    assert found.problems == ()
    assert [handler.tool for handler in found.handlers] == ["list-deals"]


@pytest.mark.parametrize(
    "source",
    [
        f'from other.contract import handler\n@handler("list-deals")\n{FUNCTION}',
        f'def handler(name): ...\n@handler("list-deals")\n{FUNCTION}',
        f'from .contract import handler\nhandler = print\n@handler("list-deals")\n{FUNCTION}',
        f'from .contract import handler\ndel handler\n@handler("list-deals")\n{FUNCTION}',
        "from .contract import handler\ntext = '''\n@handler(\"list-deals\")\n"
        + FUNCTION
        + "'''\n",
        f'from .contract import handler\n# @handler("list-deals")\n{FUNCTION}',
    ],
)
def test_what_only_looks_like_a_handler_is_none(tmp_path: Path, source: str) -> None:
    """Other decorators of the name, strings and comments are not taken for handlers."""
    assert Found((), ()) == find(tmp_path, {"handlers.py": source})


def test_every_module_is_searched_but_the_generated(tmp_path: Path) -> None:
    """Modules in the folder and below it count; generated, cached and hidden ones do not."""
    deeper = PLAIN.replace("from .", "from ...")
    modules = {
        "deals.py": PLAIN.replace("list-deals", "a"),
        "more/__init__.py": PLAIN.replace("from .", "from ..").replace("list-deals", "b"),
        "more/deep/notes.py": deeper.replace("list-deals", "c"),
        "more/models.py": PLAIN.replace("from .", "from ..").replace("list-deals", "d"),
        "contract.py": PLAIN,
        "models.py": "def (",
        "__pycache__/x.py": "def (",
        ".ipynb_checkpoints/handlers.py": "def (",
        ".hidden.py": "def (",
        "notes.txt": "def (",
    }

    found = find(tmp_path, modules)

    assert found.problems == ()
    assert [(handler.tool, str(handler.place)) for handler in found.handlers] == [
        ("a", "deals.py:2"),
        ("b", "more/__init__.py:2"),
        ("c", "more/deep/notes.py:2"),
        ("d", "more/models.py:2"),
    ]


def test_a_re_exported_decorator_is_followed(tmp_path: Path) -> None:
    """The decorator is known by way of the user's own modules, in a circle of imports too."""
    modules = {
        "common.py": "from .base import h\nfrom .base import around\n",
        "base.py": "from .contract import handler as h\nfrom .common import around\n",
        "deals.py": f'from .common import *\n@h("list-deals")\n{FUNCTION}'
        '@around("x")\ndef x(): ...\n',
    }

    found = find(tmp_path, modules)

    assert [handler.tool for handler in found.handlers] == ["list-deals"]
    assert found.problems == ()


def test_an_answer_beside_the_handler_is_seen(tmp_path: Path) -> None:
    """`answer=` in the decorator says that the answer is declared in code."""
    source = (
        "from .contract import handler\n"
        f'@handler("a", answer=toon(Deals))\n{FUNCTION}@handler("b")\ndef b(args, state): ...\n'
    )

    found = find(tmp_path, {"handlers.py": source})

    assert {it.tool: it.has_answer for it in found.handlers} == {"a": True, "b": False}


def test_two_handlers_of_a_tool_are_named_with_both_places(tmp_path: Path) -> None:
    """A tool answered twice is one warning that names each of them."""
    found = find(tmp_path, {"a.py": PLAIN, "b.py": PLAIN})

    assert warnings(found) == [
        'warning: fakes/mcp/attio/b.py:2: "list-deals" has 2 handlers:'
        " list_deals (a.py:2) and list_deals (b.py:2). Keep one of them."
    ]


def test_a_function_that_replaces_another_is_named(tmp_path: Path) -> None:
    """Of two handlers with one function name Python keeps the second, so that is said."""
    source = f'{PLAIN}@handler("get-deal")\n{FUNCTION}'

    assert warnings(find(tmp_path, {"handlers.py": source})) == [
        "warning: fakes/mcp/attio/handlers.py:4: list_deals is defined again here, which takes the"
        " place of handlers.py:2. Rename one of them."
    ]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        (f"@handler(NAME)\n{FUNCTION}", "a stub might be its second one"),
        (f'@handler(f"list-{{x}}")\n{FUNCTION}', "a stub might be its second one"),
        (f"@handler(b'list-deals')\n{FUNCTION}", "a stub might be its second one"),
        (f"@handler()\n{FUNCTION}", "a stub might be its second one"),
        (f"@handler(*NAMES)\n{FUNCTION}", "a stub might be its second one"),
        (f"@handler(**NAMES)\n{FUNCTION}", "a stub might be its second one"),
        (f"@handler(contract.NAME)\n{FUNCTION}", "a stub might be its second one"),
        (f"@handler\n{FUNCTION}", "cannot be read"),
        ("def make(): h = handler\n", "cannot be read"),
        (f"h = [handler]\n{FUNCTION}", "cannot be read"),
        (f'mark = handler("list-deals")\n@mark\n{FUNCTION}', "cannot be read"),
    ],
)
def test_a_use_of_the_decorator_that_text_cannot_tell_is_named(
    tmp_path: Path, statement: str, what: str
) -> None:
    """A tool's name that is no literal, or a decorator passed on, is an error with its line."""
    found = find(tmp_path, {"handlers.py": f"from .contract import handler\n\n{statement}"})

    assert found.handlers == ()
    assert [p.where for p in found.problems] == ["fakes/mcp/attio/handlers.py:3"]
    assert found.problems[0].level == "error"
    assert what in found.problems[0].what


MARKED = f"@handler(TOOL)\n{FUNCTION}"


@pytest.mark.parametrize(
    "source",
    [
        f'TOOL = "list-deals"\n{MARKED}',
        f'TOOL: Final = "list-deals"\n{MARKED}',
        f'LIST = "list-deals"\nTOOL = LIST\n{MARKED}',
        f"from .names import TOOL\n{MARKED}",
        f"from .names import LIST as TOOL\n{MARKED}",
        f"from .names import *\n{MARKED}",
        f"from . import names\n{MARKED.replace('TOOL', 'names.TOOL')}",
        f"from .more import TOOL\n{MARKED}",
    ],
)
def test_a_tool_named_by_a_constant_is_read(tmp_path: Path, source: str) -> None:
    """A module-level string that is bound once is as good as a literal, wherever it is."""
    modules = {
        "handlers.py": f"from .contract import handler\n{source}",
        "names.py": 'TOOL = "list-deals"\nLIST = TOOL\n',
        "more/__init__.py": "from ..names import TOOL\n",
    }
    found = find(tmp_path, modules)

    assert [handler.tool for handler in found.handlers] == ["list-deals"]
    assert found.problems == ()


@pytest.mark.parametrize(
    "source",
    [
        f'TOOL = "a"\nTOOL = "b"\n{MARKED}',
        f'TOOL = "a"\nTOOL += "b"\n{MARKED}',
        f'if x:\n    TOOL = "a"\n{MARKED}',
        f'for TOOL in ["a", "b"]:\n    {MARKED.replace(chr(10), chr(10) + "    ")}',
        f'TOOL = "a"\ndel TOOL\nTOOL = "b"\n{MARKED}',
        f"TOOL = 1\n{MARKED}",
        f"from os import name as TOOL\n{MARKED}",
        'TOOL = "a"\ndef make(TOOL):\n    @handler(TOOL)\n    def f(args, state): ...\n',
    ],
)
def test_a_name_that_may_mean_another_tool_is_not_guessed(tmp_path: Path, source: str) -> None:
    """One bound twice, in a block, or inside a function is an error."""
    found = find(tmp_path, {"handlers.py": f"from .contract import handler\n{source}"})

    assert found.handlers == ()
    assert "error" in [problem.level for problem in found.problems]


@pytest.mark.parametrize("header", ["class Deals:", "def make():"])
def test_a_handler_that_is_never_served_is_named(tmp_path: Path, header: str) -> None:
    """Inside a class or a function a handler counts as written, and is warned about."""
    body = f'    @handler("list-deals")\n    {FUNCTION}'

    found = find(tmp_path, {"handlers.py": f"from .contract import handler\n{header}\n{body}"})

    assert [handler.tool for handler in found.handlers] == ["list-deals"]
    assert [problem.where.rpartition("/")[2] for problem in found.problems] == ["handlers.py:3"]


def test_a_function_with_two_marks_is_named(tmp_path: Path) -> None:
    """One function serves one tool, so a second decorator on it is a warning."""
    source = PLAIN.replace("@handler", '@handler("get-deal")\n@handler')

    found = find(tmp_path, {"handlers.py": source})

    assert [handler.tool for handler in found.handlers] == ["get-deal", "list-deals"]
    assert ["only the first is served" in text for text in warnings(found)] == [True]


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        (b"x = 1\ndef (:\n", 2, "invalid syntax"),
        (b"x = 1\r\r\ndef (:\r", 3, "invalid syntax"),
        (b"x = 1\n\ny = '\xe9'\n", 3, "codec can't decode"),
        (b"# coding: klingon\n", 1, "unknown encoding"),
        (b"x = 1\ny = '\0'\n", 2, "NUL bytes"),
        ("x = 1\n".encode("utf-16"), 1, "NUL bytes"),
        (b"x = " + b"-" * 100_000 + b"1\n", 1, "nested too deeply"),
        (b"x = 1" + b" + 1" * 100_000 + b"\n", 1, "nested too deeply"),
        (b"x = " + b"(" * 1_000 + b"\n", 1, "too many nested"),
        (b"x = " + b"9" * 5_000 + b"\n", 1, "digits"),
    ],
)
def test_a_module_that_does_not_parse_is_an_error(
    tmp_path: Path, source: bytes, line: int, reason: str
) -> None:
    """Whatever stops Python from reading a module is one error with its file and line."""
    found = find(tmp_path, {"handlers.py": PLAIN, "deals.py": source})

    assert [handler.tool for handler in found.handlers] == ["list-deals"]
    assert [("error", f"fakes/mcp/attio/deals.py:{line}")] == [
        (problem.level, problem.where) for problem in found.problems
    ]
    assert reason in found.problems[0].what


def test_a_deep_expression_that_parses_is_walked(tmp_path: Path) -> None:
    """Nesting that the parser takes does not overflow the search."""
    deep = f"{PLAIN}    x = 1{' + 1' * 2_000}\n    y = state{'.x' * 2_000}\n".replace(" ...", "")

    assert len(find(tmp_path, {"handlers.py": deep}).handlers) == 1


def test_a_bad_escape_in_a_module_is_no_matter(tmp_path: Path) -> None:
    """A warning that Python has about the user's strings is not raised here."""
    assert len(find(tmp_path, {"handlers.py": PLAIN + 'x = "\\d"\n'}).handlers) == 1


def test_links_are_followed_once(tmp_path: Path) -> None:
    """A linked module is read, a loop of folders is entered once, a dead link is an error."""
    folder = tmp_path / "fakes" / "mcp" / "attio"
    find(tmp_path, {"../shared.py": PLAIN})
    (folder / "handlers.py").symlink_to(folder.parent / "shared.py")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "gone.py").symlink_to(tmp_path / "nowhere")
    (folder / ".#handlers.py").symlink_to(tmp_path / "an-editor's-lock")

    found = find(tmp_path, {})

    assert [str(handler.place) for handler in found.handlers] == ["handlers.py:2"]
    assert [(problem.level, problem.where) for problem in found.problems] == [
        ("error", "fakes/mcp/attio/gone.py")
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A module that is no file is an error, not a read that never ends."""
    find(tmp_path, {})
    os.mkfifo(tmp_path / "fakes" / "mcp" / "attio" / "pipe.py")

    assert [problem.what for problem in find(tmp_path, {}).problems] == ["it is not a file"]


def test_a_folder_named_like_a_module_is_named(tmp_path: Path) -> None:
    """`deals.py/` is no module, and what lies in it is left alone."""
    found = find(tmp_path, {"deals.py/x.py": PLAIN})

    assert found.handlers == ()
    assert [problem.what for problem in found.problems] == ["a folder is named like a module"]


def test_a_module_hidden_by_a_package_is_an_error(tmp_path: Path) -> None:
    """Python never imports handlers.py beside handlers/, so no stub must go there."""
    package = PLAIN.replace("from .", "from ..")
    found = find(tmp_path, {"handlers.py": PLAIN, "handlers/__init__.py": package})

    assert [str(handler.place) for handler in found.handlers] == ["handlers/__init__.py:2"]
    assert [(problem.level, problem.where) for problem in found.problems] == [
        ("error", "fakes/mcp/attio/handlers.py")
    ]


def test_a_folder_without_modules_has_nothing(tmp_path: Path) -> None:
    """An empty folder is no problem; one that is not there is an error."""
    assert Found((), ()) == find(tmp_path, {})
    assert [it.level for it in find_handlers(tmp_path / "none", ()).problems] == ["error"]
