"""Reading one Python source as the interpreter would, and saying why it cannot be read."""

import ast
import warnings


class Unreadable(Exception):
    """A source that Python would not compile either, with the line where it gave up."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


def parse(source: bytes) -> ast.Module:
    """The syntax tree of a source, its BOM and coding line respected; raises Unreadable."""
    if b"\0" in source:
        line = source.count(b"\n", 0, source.index(b"\0")) + 1
        raise Unreadable(line, "the file holds NUL bytes, so it is no UTF-8 text")
    try:
        with warnings.catch_warnings():
            # An invalid escape in the user's own string is theirs to hear of when they run it.
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise Unreadable(error.lineno or 1, error.msg) from None
    except (RecursionError, MemoryError):
        raise Unreadable(1, "an expression is nested too deeply to be read") from None
    except ValueError as error:
        raise Unreadable(1, str(error)) from None
