"""Black's layout of generated text, by black itself only where a line is too long.

The templates and `render.code` write statements as black would where each fits on its line; black
takes ten times as long over a whole file as over the few statements that do not.
"""

import re
from collections.abc import Iterator
from functools import cache

WIDTH = 88

_DEFINITION = ("class ", "def ", "@")
_DOCSTRING = re.compile(r' +"""[^"\\].*"""')
_ODD_STRING = re.compile(r" *['\"](?!\"\"[^\"\\])")


def format_code(text: str) -> str:
    """Text as black formats it, the layout of a template's module given.

    In it a blank line parts statements at the top level, and a member of a class is one line.
    """
    blocks = [_block(block) for block in re.split(r"\n\n+(?=\S)", text.strip("\n"))]
    return "".join(_joined(blocks)) + "\n"


def _joined(blocks: list[str]) -> Iterator[str]:
    """The blocks, two blank lines before and after each definition, else one."""
    before = ""
    for block in blocks:
        if before:
            apart = block.startswith(_DEFINITION) or before.startswith(_DEFINITION)
            yield "\n\n\n" if apart else "\n\n"
        yield block
        before = block


def _block(block: str) -> str:
    lines = block.split("\n")
    if all(map(_is_laid_out, lines)):
        return block
    if _is_class_of_lines(lines):
        return "\n".join(line if _is_laid_out(line) else _member(line) for line in lines)
    return format_with_black(block).rstrip("\n")


def _is_class_of_lines(lines: list[str]) -> bool:
    """Whether each member of a class can be laid out by itself."""
    is_class = lines[0].startswith("class ") and _is_laid_out(lines[0])
    return is_class and not any(map(_ODD_STRING.match, lines))


def _is_laid_out(line: str) -> bool:
    """Whether black leaves a line be; it counts some characters as wider than one column."""
    fits = line.isascii() and len(line) <= WIDTH and not _ODD_STRING.match(line)
    return fits or line.startswith("#") or _DOCSTRING.fullmatch(line) is not None


@cache
def _member(line: str) -> str:
    head = "class _:\n"
    return format_with_black(head + line).removeprefix(head).rstrip("\n")


def format_with_black(text: str) -> str:
    """Black's formatting; no settings of the caller's are read."""
    # A tenth of a second, only when something is rendered
    from black import format_str  # noqa: PLC0415
    from black.mode import Mode, TargetVersion  # noqa: PLC0415

    return format_str(text, mode=Mode(target_versions={TargetVersion.PY311}))


def stub(function: str, parameters: list[str], returns: str, arguments: list[str]) -> str:
    """A function without a body, giving `returns[*arguments]`, as black lays it out.

    Where even that is too long it is one line, for black to split.
    """
    joined, given, alone = ", ".join(parameters), ", ".join(arguments), len(parameters) == 1
    opened = f"def {function}({joined}) -> {returns}["
    head = [f"def {function}(", f"    {joined}{',' if alone else ''}"]
    tail = f") -> {returns}["
    split = [*(f"    {argument}," for argument in arguments), "]: ..."]
    layouts = [
        [f"{opened}{given}]: ..."],
        [*head, f"{tail}{given}]: ..."],
        [*head, tail, f"    {given}", "]: ..."],
        [*head, tail, *split] if alone else [opened, *split],
    ]
    fitting = (lines for lines in layouts if all(len(line) <= WIDTH for line in lines))
    return "\n".join(next(fitting, layouts[0]))
