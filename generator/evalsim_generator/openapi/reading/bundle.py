"""Several files as one document, in which every reference that can be followed is a local one."""

import hashlib
from urllib.parse import unquote

from evalsim.errors import DocumentError
from evalsim.openapi.normal.names import FILES
from evalsim.openapi.normal.notes import ROOT, Notes, Place, below
from evalsim.openapi.normal.pointers import find, reference_to, spellings
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.reading.files import Files, Refused
from evalsim_generator.openapi.reading.parse import parse, refers_out

_BY_NAME = frozenset(
    {
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas",
        "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes",
        "links", "callbacks", "pathItems", "paths", "webhooks", "content", "encoding", "variables",
    }
)  # fmt: skip
"""Objects whose keys are names that anyone may choose."""
_VALUES = frozenset({"example", "default", "enum", "const", "value"})
"""What holds a value and no references, whatever it looks like."""
_SHELVES = ("definitions", "parameters", "responses")


class Bundle:
    """One description and the files it refers to, held in it under `x-evalsim-files`.

    From there each part that is reached becomes a component in the normal form. A component that is
    nothing but a reference to a file keeps its name, and references to the file lead to it.
    """

    def __init__(
        self, document: JsonObject, text: bytes, notes: Notes, files: Files | None
    ) -> None:
        self.sums: dict[str, str] = {}
        """The SHA-256 of each other file, by name."""
        self._document = document
        self._text = text
        self._notes = notes
        self._files = files
        self._loaded: dict[str, Json] = {}
        self._failed: dict[str, str] = {}
        self._waiting: list[str] = []
        self._placed: dict[tuple[str, str], str] = {}

    def whole(self) -> JsonObject:
        """The document with the files it refers to; itself where it refers to none."""
        if not refers_out(self._text):
            return self._document
        self._place_components()
        made: JsonObject = self._rewritten(self._document, None, False, ROOT)
        held: JsonObject = {}
        while self._waiting:
            name = self._waiting.pop(0)
            at = below(ROOT, FILES, name)
            held[name] = self._rewritten(self._loaded[name], name, False, at)
        if held:
            made[FILES] = {name: held[name] for name in sorted(held)}
        return made

    def _place_components(self) -> None:
        """Know each component that is nothing but a reference to a file, by what it refers to."""
        components = self._document.get("components")
        shelves: list[tuple[tuple[str, ...], Json]] = [
            ((kind,), self._document[kind]) for kind in _SHELVES if kind in self._document
        ]
        if is_object(components):
            shelves += [(("components", kind), named) for kind, named in components.items()]
        for keys, named in shelves:
            for name, item in named.items() if is_object(named) else ():
                ref = item.get("$ref") if is_object(item) and len(item) == 1 else None
                target = self._target(ref, None) if isinstance(ref, str) else None
                if target is not None:
                    self._placed.setdefault(target, reference_to(*keys, name))

    def _rewritten(self, node: Json, base: str | None, named: bool, at: Place) -> Json:
        """A copy whose references count from the whole; `named` where keys are names."""
        if is_array(node):
            return [self._rewritten(x, base, False, below(at, str(i))) for i, x in enumerate(node)]
        if not is_object(node):
            return node
        ref = node.get("$ref")
        if not named and isinstance(ref, str):
            inlined = self._inlined(node, ref, base, at)
            if inlined is not None:
                return inlined
        made: JsonObject = {}
        for key, item in node.items():
            if key == "$ref" and not named and isinstance(item, str):
                made[key] = self._led(item, base, below(at, key))
            elif key == "mapping" and not named and is_object(item):
                made[key] = {k: self._mapped(v, base, below(at, key, k)) for k, v in item.items()}
            elif not named and _is_value(key, item):
                made[key] = item
            else:
                by_name = not named and key in _BY_NAME and is_object(item)
                made[key] = self._rewritten(item, base, by_name, below(at, key))
        return made

    def _inlined(self, node: JsonObject, ref: str, base: str | None, at: Place) -> Json:
        """What a component refers to, where references to that lead to this component."""
        if base is not None or len(node) > 1 or at[2] > 3:
            return None
        target = self._target(ref, None)
        if target is None or self._placed.get(target) != _reference_of(at):
            return None
        found = self._found(*target)
        return None if found is None else self._rewritten(found[0], target[0], False, at)

    def _mapped(self, value: Json, base: str | None, at: Place) -> Json:
        """What a discriminator maps to: a component's name, or a reference."""
        is_file = isinstance(value, str) and (
            "/" in value or value.endswith((".json", ".yaml", ".yml"))
        )
        return self._led(value, base, at) if is_file else value

    def _led(self, ref: str, base: str | None, at: Place) -> str:
        """The reference, counted from the whole; itself where it cannot be followed."""
        try:
            target = self._target_or_refuse(ref, base)
        except Refused as refused:
            self._notes.add(at, f"The file {ref.partition('#')[0][:100]!r} is not read: {refused}.")
            return ref
        if target is None:
            return ref
        name, fragment = target
        if target in self._placed:
            return self._placed[target]
        return reference_to(FILES, name) + fragment if name else f"#{fragment}"

    def _target(self, ref: str, base: str | None) -> tuple[str, str] | None:
        try:
            return self._target_or_refuse(ref, base)
        except Refused:
            return None

    def _target_or_refuse(self, ref: str, base: str | None) -> tuple[str, str] | None:
        """The file (`""` for the description itself) and the pointer in it; None to leave alone."""
        path, _, fragment = ref.partition("#")
        if fragment and not fragment.startswith("/"):
            return None
        if not path:
            return self._within(base, fragment)
        if ":" in path.partition("/")[0] or path.startswith("//"):
            return None
        if self._files is None:
            raise Refused("what was fetched can name no file")
        name = self._files.name_from(base or self._files.own, unquote(path))
        if name == self._files.own:
            return "", fragment
        self._load(name)
        return name, fragment

    def _within(self, base: str | None, fragment: str) -> tuple[str, str] | None:
        """A reference of a file into itself; into the description where only that has the place."""
        if base is None:
            return None
        here = self._found(base, fragment) is not None
        return (base if here or self._found("", fragment) is None else ""), fragment

    def _found(self, name: str, fragment: str) -> tuple[Json] | None:
        root = self._loaded[name] if name else self._document
        if not fragment:
            return (root,)
        return next((hit for keys in spellings("#" + fragment) if (hit := find(root, keys))), None)

    def _load(self, name: str) -> None:
        """Read a file once; raises Refused, each time it is asked for."""
        if name in self._failed:
            raise Refused(self._failed[name])
        if name in self._loaded:
            return
        assert self._files is not None, "names come from it"
        try:
            data = self._files.read(name)
            value = parse(data, name, self._notes, below(ROOT, FILES, name)).value
        except (DocumentError, Refused) as error:
            self._failed[name] = str(error).removeprefix(f"{name}: ").rstrip(".")
            raise Refused(self._failed[name]) from None
        self.sums[name] = hashlib.sha256(data).hexdigest()
        self._loaded[name] = value
        self._waiting.append(name)


def _is_value(key: str, item: Json) -> bool:
    return key in _VALUES or key.startswith("x-") or (key == "examples" and is_array(item))


def _reference_of(at: Place) -> str:
    keys: list[str] = []
    while at[0] is not None:
        keys.append(at[1])
        at = at[0]
    return reference_to(*reversed(keys))
