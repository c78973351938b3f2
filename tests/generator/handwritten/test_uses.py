"""Where a handler reads a removed argument is told by file and line."""

from pathlib import Path

import pytest

from evalsim_generator.handwritten.changes import uses_of

HEAD = "from .contract import handler\n@handler('t')\n"


def lines(tmp_path: Path, source: str, argument: str) -> list[str]:
    """The places of an argument's uses in a fake of one module."""
    (tmp_path / "handlers.py").write_text(source)
    return [str(place) for place in uses_of(tmp_path, (), "t", argument)]


@pytest.mark.parametrize(
    ("argument", "body"),
    [
        ("limit", "args.limit"),
        ("limit", "args['limit']"),
        ("limit", "getattr(args, 'limit', None)"),
        ("limit", "[x for x in state if x < args.limit]"),
        ("limit", "print(lambda: args.limit)"),
        ("orderBy", "args.orderBy"),
        ("from", "args.from_"),
        ("page-size", "args.page_size"),
        ('"a.b"', "args.a_b"),
        ("1st", "args.x_1st"),
        ("ListDeals", "args.x_ListDeals"),
        ("filter.op", "args.filter.op"),
        ("filter.op", "args.filter['op']"),
        ("filter.op", "(f := args.filter) and f.op"),
        ("filters[].op", "args.filters[0].op"),
        ("filters[].op", "[f.op for f in args.filters]"),
        ("filters[].op", "any(f.op for f in args.filters if f)"),
        ("labels{}.color", "args.labels['x'].color"),
    ],
)
def test_a_use_is_found(tmp_path: Path, argument: str, body: str) -> None:
    """Attributes, subscripts and getattr count, at any depth and under the model's spelling."""
    source = f"{HEAD}def t(args, state):\n    return {body}\n"

    assert lines(tmp_path, source, argument) == ["handlers.py:4"]


@pytest.mark.parametrize(
    "body",
    ["args.limits", "args.filter.limit", "state.limit", "limit", "'args.limit'", "args", "args[0]"],
)
def test_what_is_no_use_is_not(tmp_path: Path, body: str) -> None:
    """The same word elsewhere is not the argument."""
    assert lines(tmp_path, f"{HEAD}def t(args, state):\n    return {body}\n", "limit") == []


def test_the_first_parameter_may_have_any_name(tmp_path: Path) -> None:
    """A parameter is known by its place; an inner function may use its name for another."""
    source = HEAD + (
        "async def t(given, args):\n"
        "    def inner(given):\n"
        "        return given.limit\n"
        "    page = lambda given: given.limit\n"
        "    if given.limit:\n"
        "        return args.limit\n"
        "    return inner(given.\n"
        "        limit)\n"
    )

    assert lines(tmp_path, source, "limit") == ["handlers.py:7", "handlers.py:9"]


def test_a_local_name_for_a_part_is_followed(tmp_path: Path) -> None:
    """An object of the arguments under a name of its own, and one of a loop, are still theirs."""
    source = HEAD + (
        "def t(args, state):\n"
        "    chosen = args.filter\n"
        "    again: object = chosen\n"
        "    if again.op:\n"
        "        pass\n"
        "    for each in args.filter.all:\n"
        "        print(each.op)\n"
    )

    assert lines(tmp_path, source, "filter.op") == ["handlers.py:6"]
    assert lines(tmp_path, source, "filter.all[].op") == ["handlers.py:9"]


def test_only_the_handlers_of_the_tool_are_searched(tmp_path: Path) -> None:
    """Another tool's handler may go on using an argument of the same name."""
    other = "@handler('u')\ndef u(args, state):\n    return args.limit\n"
    made = "def late(args, state):\n    return args.limit\nhandler('t')(late)\n"

    source = f"from .contract import handler\n{other}{made}"

    assert lines(tmp_path, source, "limit") == ["handlers.py:6"]


def test_a_long_chain_is_walked(tmp_path: Path) -> None:
    """A chain of any length and a handler without parameters are no trouble."""
    source = f"{HEAD}def t():\n    x = args{'.limit' * 1_000}\n"

    assert lines(tmp_path, source, "limit") == []
    assert lines(tmp_path, source.replace("t()", "t(args)"), "limit") == ["handlers.py:4"]
