"""Local JSON pointers, the only references a captured schema may make."""

from urllib.parse import unquote

from evalsim.types import Json, is_array, is_object


def resolve(root: Json, reference: Json) -> Json:
    """What `#/…` (or `#anchor`) points at in `root`, or None when it points nowhere here."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        return _anchored(root, fragment)
    found = root
    for step in fragment.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if is_object(found) and key in found:
            found = found[key]
        elif is_array(found) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found


def _anchored(root: Json, anchor: str) -> Json:
    waiting = [root]
    while waiting:
        schema = waiting.pop()
        if is_object(schema):
            if anchor in (
                schema.get("$anchor"),
                schema.get("$id", "")[1:] if isinstance(schema.get("$id"), str) else None,
            ):
                return schema
            waiting.extend(schema.values())
        elif is_array(schema):
            waiting.extend(schema)
    return None
