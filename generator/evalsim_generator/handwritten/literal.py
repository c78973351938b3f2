"""Texts of a server as Python literals: ASCII, unable to end early, spelled as black would."""


def literal(text: str) -> str:
    """A string literal for any text, in the quotes that need fewer escapes."""
    body = _escaped(text)
    quote = "'" if body.count('"') > body.count("'") else '"'
    return quote + body.replace(quote, f"\\{quote}") + quote


def docstring(text: str, width: int) -> str:
    """A docstring of one line, no wider than `width`; empty when the text says nothing."""
    body = _docstring_body(_cut(" ".join(text.split()), width - len('""""""')))
    return f'"""{body}"""' if body else ""


def _escaped(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii")


def _docstring_body(text: str) -> str:
    """`text` for between triple quotes; black pads a quote that touches them, so none may."""
    inside = text.removesuffix('"')
    body = _escaped(inside).replace('"""', '\\"\\"\\"')
    start = "\\" if body.startswith('"') else ""
    return start + body + ("\\x22" if inside != text else "")


def _cut(text: str, width: int) -> str:
    """The start of `text` whose escaped form fits in `width`, whole words where they fit."""
    start, room = text[: width + 1], width - len("...")
    if len(_docstring_body(start)) <= width:
        return start
    while start and len(_docstring_body(start)) > room:
        start = start[:-1]
    words = start.rpartition(" ")[0] or start
    return f"{words}..." if words else ""
