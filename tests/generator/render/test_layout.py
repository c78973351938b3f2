"""What is laid out without black is what black makes of it, byte for byte."""

import ast
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim_generator.render.code import expression, literal
from evalsim_generator.render.layout import format_code, format_with_black, stub

TEXTS = st.text(st.sampled_from("'\"\\a \n\té\u202e日{}\0") | st.characters(), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_a_literal_is_its_value_spelled_as_black_would(value: object) -> None:
    """Whatever quotes, escapes and nesting it takes."""
    line = f"x = {literal(value)}\n"
    if line.isascii() and len(line) <= 89 and "inf" not in line:
        assert ast.literal_eval(literal(value)) == value
        assert format_with_black(line) == line


@pytest.mark.parametrize("declared", [False, True])
def test_a_stub_is_laid_out_as_black_would(declared: bool) -> None:
    """For names of every length; one that fits no layout is left to black in one line."""
    for tool, args, result in product(range(1, 80, 13), range(10, 90, 11), range(10, 90, 13)):
        parameters = [f'tool: Literal["{"x" * tool}"]']
        arguments = [f"models.{'A' * args}", "State", "R" if declared else f"models.{'B' * result}"]
        parameters += ["*", "answer: DeclaredAnswer[R]"] if declared else []
        whole = f"def handler({', '.join(parameters)}) -> Tool[{', '.join(arguments)}]: ...\n"

        made = stub("handler", parameters, "Tool", arguments) + "\n"

        assert made in (whole, format_with_black(whole))


@pytest.mark.parametrize(
    "source",
    [
        "str | None",
        "list[Literal['a', \"b'\", True, None, -1]] | dict[str, Any] | None",
        "Annotated[A | (B | C), x.Y]",
    ],
)
def test_an_annotation_keeps_its_meaning(source: str) -> None:
    """Its strings alone are spelled anew."""
    tree = ast.parse(source, mode="eval").body

    assert ast.dump(ast.parse(expression(tree), mode="eval").body) == ast.dump(tree)
    assert format_with_black(f"x: {expression(tree)}\n") == f"x: {expression(tree)}\n"


FIELD = (
    '    a: Literal["aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "cccccccccccccccccc"]'
)
MODULES = {
    "long members": f'class A(Model):\n    """Doc."""\n\n{FIELD}\n    b: int = 1\n{FIELD} = None\n',
    "a wide character": "class A(Model):\n    a: Literal[" + '"日本日本日本", ' * 5 + '"b"]\n',
    "an odd docstring": 'class A(Model):\n    \'It\\\\s """\'\n\n    a: int\n',
    "a long docstring": f'class A(Model):\n    """{"word " * 30}end"""\n\n    a: int\n',
    "a long class": f"class {'A' * 80}(Model):\n    a: int\n",
    "alternating": "import a\n\nclass A(M):\n    a: int\n\n@d\ndef f(): ...\n\nY = 2\nZ = 3\n",
    "a long statement": f"X = {'a.b' * 40}({', '.join('abc' * 3)})\n",
}


@pytest.mark.parametrize("source", MODULES.values(), ids=MODULES)
def test_a_module_is_laid_out_as_black_would(source: str) -> None:
    """Blocks that need it are formatted by themselves, and set apart as black sets them apart."""
    assert format_code(source) == format_with_black(source)
