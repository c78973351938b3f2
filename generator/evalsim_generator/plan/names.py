"""Names of generated classes, functions and fields: stable, safe, and ours, not a server's."""

import builtins
import hashlib
import keyword
import re
from collections.abc import Collection, Iterable, Mapping

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LONGEST = 80

# A field by one of these names would hide what a generated annotation or a model's method reads.
# Pydantic's are listed, not looked up, so that its version does not rename a field.
_RESERVED = {
    *keyword.kwlist,
    *("str", "int", "float", "bool", "list", "dict", "self", "annotations"),
    *("Annotated", "Any", "Field", "Literal", "Model", "NotRequired"),
    *("construct", "copy", "dict", "from_orm", "json", "parse_file", "parse_obj", "parse_raw"),
    *("schema", "schema_json", "update_forward_refs", "validate"),
}


def digest(text: str) -> str:
    """Six hexadecimal digits that tell apart two texts which fold to one name."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]


def pascal(text: str) -> str:
    """`list-deals` -> `ListDeals`; never empty, never starting with a digit."""
    words = _WORD.findall(text)
    name = "".join(word[0].upper() + word[1:] for word in words)[:_LONGEST]
    if not name:
        return f"X{digest(text)}"
    return f"X{name}" if name[0].isdigit() else name


def snake(text: str) -> str:
    """`ListDeals` and `list-deals` -> `list_deals`; a safe identifier."""
    words = _WORD.findall(text)
    name = "_".join(word.lower() for word in words)[:_LONGEST]
    if not name:
        return f"x_{digest(text)}"
    if name[0].isdigit():
        name = f"x_{name}"
    return f"{name}_" if keyword.iskeyword(name) or hasattr(builtins, name) else name


def tool_names(names: Collection[str], kept: Mapping[str, str]) -> dict[str, str]:
    """A Pascal-case name for each tool; those that would share one carry a digest of their own.

    `kept` are the names that tools had when they were last generated: they keep them, so that
    nothing a person wrote against them breaks when a tool with a like name comes. Of several new
    ones that fold together none has the plain name, so that a capture's order decides nothing.
    """
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(pascal(name).casefold(), []).append(name)
    return {
        name: _tool_name(name, alone=len(group) == 1, kept=kept.get(name))
        for group in folded.values()
        for name in group
    }


def _tool_name(name: str, *, alone: bool, kept: str | None) -> str:
    plain, told_apart = pascal(name), pascal(name) + digest(name)
    if kept in (plain, told_apart):
        return kept
    return plain if alone else told_apart


def field_names(
    wires: Iterable[str], class_prefix: str, hidden: Collection[str] = ()
) -> Mapping[str, str]:
    """A Python field name for each wire name of one object, whatever order they come in.

    No field starts with `class_prefix`, as the classes that its annotations name do, nor is one
    called by a `hidden` name.
    """
    names = {wire: _field_name(wire, class_prefix, hidden) for wire in wires}
    users: dict[str, list[str]] = {}
    for wire, name in names.items():
        users.setdefault(name, []).append(wire)
    for name, group in users.items():
        for wire in group:
            if len(group) > 1 and wire != name:
                names[wire] = f"{name.rstrip('_')}_{digest(wire)}"
    return names


def _field_name(wire: str, class_prefix: str, hidden: Collection[str]) -> str:
    name = re.sub(r"[^A-Za-z0-9_]+", "_", wire)[:_LONGEST].strip("_")
    if wire.endswith("_") and wire.isidentifier() and wire.isascii() and not wire.startswith("_"):
        name = wire
    if not name:
        return f"x_{digest(wire)}"
    if name[0].isdigit():
        name = f"x_{name}"
    if name.startswith(class_prefix) or name in hidden:
        name = f"x_{name}"
    return f"{name}_" if name in _RESERVED or name.startswith("model_") else name
