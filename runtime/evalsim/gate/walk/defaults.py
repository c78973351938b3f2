"""Filling in the defaults of absent members, wherever an object was sent."""

from collections.abc import Container, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from evalsim.gate.applicable import Fits, Parts
from evalsim.gate.document import Document
from evalsim.gate.keywords import IN_PLACE, OF_PARTS, pointer
from evalsim.gate.values import is_array, is_object
from evalsim.gate.walk.rewrite import Rewriter
from evalsim.types import Json, JsonObject

MAX_DEPTH_OF_DEFAULTS = 16
"""Defaults within defaults within defaults: deeper ones are filled as they are declared."""
MAX_SIZE_OF_DEFAULT = 1000
"""Values in one default with the defaults inside it; a larger one is filled as declared."""
WALKED = (IN_PLACE | OF_PARTS) - {"not"}
"""Keywords whose schemas may say what a value should hold."""


@dataclass(slots=True)
class Default:
    """A default, made ready once: the objects in it have their own defaults filled too."""

    name: str
    schema: Json
    value: Json
    place: str
    ready: bool = False
    being_made: bool = field(default=False, repr=False)


class Defaults:
    """Fills the defaults of one document."""

    def __init__(self, document: Document, parts: Parts, fits: Fits) -> None:
        self._document = document
        self._fits = fits
        self._defaults = {
            key: found
            for key, schema in document.schemas.items()
            if (found := list(declared_defaults(document, schema)))
        }
        self._leading = _leading_to(document, set(self._defaults))
        containing = _having_parts(document, self._leading)
        self._rewriter = Rewriter(
            document,
            parts,
            fits,
            choose=self._the_fitting_one,
            edit=self._fill_object,
            interesting=self._leading,
            containing=containing,
        )
        self._depth = 0
        for defaults in self._defaults.values():
            for default in defaults:
                self._make_ready(default)
        self._only = (
            self._defaults.get(id(document.root), []) if self._is_flat(containing) else None
        )

    @property
    def any(self) -> bool:
        """Whether any default can ever be filled."""
        return id(self._document.root) in self._leading

    def fill(self, value: JsonObject) -> JsonObject:
        """`value` itself when no default is missing from it, else a copy that has them."""
        if self._only is not None:
            missing = {x.name: _fresh(x.value) for x in self._only if x.name not in value}
            return {**value, **missing} if missing else value
        filled: JsonObject = self._rewriter.rewrite([self._document.root], value)
        return filled

    def _is_flat(self, containing: Container[int]) -> bool:
        """Whether all defaults are those of the root's own properties: there is no way to walk."""
        root = self._document.root
        return (
            is_object(root)
            and not self._document.targets(root)
            and id(root) not in containing
            and not any(
                steps[0] in IN_PLACE and id(item) in self._leading
                for steps, item in self._document.inside(root)
            )
        )

    def _the_fitting_one(self, branches: Sequence[Json], value: Json) -> Sequence[Json]:
        if not any(id(branch) in self._leading for branch in branches):
            return ()
        # The gate has accepted the value, so a branch that alone has room for it fits.
        possible = [branch for branch in branches if self._document.may_hold(branch, value)]
        if len(possible) > 1:
            possible = [branch for branch in possible if self._fits(branch, value)]
        return possible if len(possible) == 1 else ()

    def _fill_object(self, holding: Sequence[JsonObject], members: JsonObject) -> bool:
        before = len(members)
        for schema in holding:
            for default in self._defaults.get(id(schema), ()):
                if default.name not in members and self._make_ready(default):
                    members[default.name] = _fresh(default.value)
        return len(members) > before

    def _make_ready(self, default: Default) -> bool:
        """Fill the defaults inside a default; False for one that turns up inside itself."""
        if default.ready or self._depth == MAX_DEPTH_OF_DEFAULTS:
            return True
        if default.being_made:
            return False
        default.being_made = True
        self._depth += 1
        whole = self._rewriter.rewrite([default.schema], default.value)
        self._depth -= 1
        if _size(whole) <= MAX_SIZE_OF_DEFAULT:
            default.value = whole
        default.ready = True
        return True


def declared_defaults(document: Document, schema: JsonObject) -> Iterator[Default]:
    """The default of each property: its own, or that of a schema it refers to or builds on."""
    for name, declared in schema.get("properties", {}).items():
        for item in document.conjuncts(declared):
            if "default" in item:
                yield Default(name, declared, item["default"], default_place(document, item))
                break


def default_place(document: Document, schema: JsonObject) -> str:
    """The JSON pointer of a schema's default."""
    return pointer(document.pointers[id(schema)], "default")


def _leading_to(document: Document, wanted: set[int]) -> set[int]:
    """By id(), the schemas from which a walk can come to one that is wanted."""
    above: dict[int, list[int]] = {}
    for key, schema in document.schemas.items():
        below = [item for steps, item in document.inside(schema) if steps[0] in WALKED]
        below += [target.schema for target in document.targets(schema).values()]
        for item in below:
            above.setdefault(id(item), []).append(key)
    found: set[int] = set()
    waiting = list(wanted)
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting.extend(above.get(key, ()))
    return found


def _having_parts(document: Document, wanted: set[int]) -> set[int]:
    """By id(), the schemas that have a wanted one for a member or an item."""
    return {
        key
        for key, schema in document.schemas.items()
        for steps, item in document.inside(schema)
        if steps[0] in OF_PARTS and id(item) in wanted
    }


def _fresh(value: Json) -> Json:
    return deepcopy(value) if is_object(value) or is_array(value) else value


def _size(value: Json) -> int:
    count = 0
    waiting = [value]
    while waiting and count <= MAX_SIZE_OF_DEFAULT:
        item = waiting.pop()
        count += 1
        if is_object(item):
            waiting.extend(item.values())
        elif is_array(item):
            waiting.extend(item)
    return count
