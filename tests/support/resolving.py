"""Schemas with references, combinators and conditions, turned into flat ones by choosing."""

from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import unquote

from evalsim.types import Json
from support.alternatives import alternatives
from support.flat import Flat
from support.impossible import Impossible
from support.merging import meet, plain

LONGEST_CHAIN = 60


@dataclass(frozen=True, slots=True)
class _Way:
    """How a node was reached: whether to keep it shallow, through how many references and
    combinators, and what else is asked of the same value."""

    shallow: bool
    chain: int
    so_far: Flat


class Resolver:
    """Flattens the nodes of one document; `rng` picks among anyOf, oneOf and the like."""

    def __init__(self, root: Json, rng: Random) -> None:
        self.root = root
        self.rng = rng
        self._settled: dict[int, tuple[Json, Flat]] = {}
        self._options: dict[int, tuple[Json, list[Json] | None, bool]] = {}
        self._heights: dict[int, tuple[Json, int]] = {}

    def flat(self, node: Json, *, shallow: bool = False) -> tuple[Flat, bool]:
        """A flat schema for the node, and whether it is the only one.

        `shallow` prefers the branches that need the least nesting. Raises Impossible.
        """
        return self._flat(node, _Way(shallow, 0, {}))

    def _flat(self, node: Json, way: "_Way") -> tuple[Flat, bool]:
        if node is True:
            return {}, True
        if not isinstance(node, dict):
            raise Impossible("nothing may be here (a false schema)")
        known = self._settled.get(id(node))
        if known is not None:
            return known[1], True
        if way.chain > LONGEST_CHAIN:
            raise Impossible("its references lead in a circle")
        flat, settled = self._resolve(node, _Way(way.shallow, way.chain + 1, way.so_far))
        if settled:
            self._settled[id(node)] = (node, flat)
        return flat, settled

    def _resolve(self, node: dict[str, Json], way: "_Way") -> tuple[Flat, bool]:
        options, tricky = self.options(node)
        if options is not None:
            chosen = self._choose(options, way)
            return ({**chosen, "tricky": True} if tricky else chosen), False
        parts = self._parts(node)
        if not parts:
            return plain(node), True
        flat = plain(node)
        settled = True
        for part in parts:
            so_far = meet(way.so_far, flat)
            met, alone = self._flat(part, _Way(way.shallow, way.chain, so_far))
            flat, settled = meet(flat, met), settled and alone
        return flat, settled

    def _parts(self, node: dict[str, Json]) -> list[Json]:
        """What the node demands beyond its own keywords: its references' targets and allOf."""
        parts = [
            self.target(node[key])
            for key in ("$ref", "$dynamicRef", "$recursiveRef")
            if isinstance(node.get(key), str)
        ]
        return parts + list(node.get("allOf", []))

    def _choose(self, options: list[Json], way: "_Way") -> Flat:
        """The first option, in random order, that what was resolved before leaves possible."""
        order = list(options)
        self.rng.shuffle(order)
        if way.shallow:
            order.sort(key=self.height)
        problem = Impossible("none of its branches is possible")
        for option in order:
            try:
                flat = self._flat(option, way)[0]
                meet(way.so_far, flat)
                return flat
            except Impossible as error:
                problem = error
        raise problem

    def target(self, reference: str) -> Json:
        """What a local reference points to; raises Impossible where it points elsewhere."""
        node = self.root
        if not reference.startswith("#"):
            return self._by_id(reference)
        pointer = unquote(reference[1:])
        if pointer and not pointer.startswith("/"):
            return self._by_id(reference)
        for step in pointer.split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            try:
                node = node[int(key)] if isinstance(node, list) else node[key]
            except (KeyError, IndexError, ValueError, TypeError) as error:
                raise Impossible(f"$ref {reference!r} points nowhere") from error
        return node

    def _by_id(self, reference: str) -> Json:
        found = _find_id(self.root, reference)
        if found is None:
            raise Impossible(f"$ref {reference!r} is not a local reference")
        return found

    def options(self, node: dict[str, Json]) -> tuple[list[Json] | None, bool]:
        """The alternatives a node leaves open (None: it leaves none), and whether a value drawn
        from one of them must still be judged by the node."""
        known = self._options.get(id(node))
        if known is None:
            options, tricky = alternatives(node)
            known = self._options[id(node)] = (node, options, tricky)
        return known[1], known[2]

    def height(self, node: Json) -> int:
        """How many levels of nesting the smallest value needs, as far as a short look can tell."""
        known = self._heights.get(id(node))
        if known is None:
            known = self._heights[id(node)] = (node, self._height(node, 12))
        return known[1]

    def _height(self, node: Json, fuel: int) -> int:
        if not isinstance(node, dict):
            return 0 if node is True else 99
        if fuel == 0:
            return 99
        options, _ = self.options(node)
        if options is not None:
            return min((self._height(option, fuel - 1) for option in options), default=99)
        try:
            parts = max((self._height(part, fuel - 1) for part in self._parts(node)), default=0)
        except Impossible:
            return 99
        return max(parts, self._own_height(node, fuel))

    def _own_height(self, node: dict[str, Json], fuel: int) -> int:
        kinds = node.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if any(kind not in ("array", "object") for kind in kinds) or "enum" in node:
            return 0
        inner: list[Json] = []
        properties = node.get("properties", {})
        inner += [properties.get(name, True) for name in node.get("required", [])]
        if node.get("minItems"):
            inner.append(node.get("items", True))
        return 1 + max((self._height(child, fuel - 1) for child in inner), default=0)


def _find_id(node: Json, reference: str) -> Json | None:
    """The subschema that names itself `reference`, by $id or $anchor."""
    if isinstance(node, dict):
        if reference in (
            node.get("$id"),
            f"#{node.get('$anchor')}",
            f"#{node.get('$dynamicAnchor')}",
        ):
            return node
        children: list[Any] = list(node.values())
    else:
        children = node if isinstance(node, list) else []
    return next(
        (hit for child in children if (hit := _find_id(child, reference)) is not None), None
    )
