"""Which operation a path leads to: literal before partial segment before parameter."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote

from evalsim.api.refused import bad
from evalsim.api.templates import Segment, Template

MAX_SEGMENTS = 256
"""Segments of a path that are looked at; no description has as many."""


@dataclass(frozen=True, slots=True)
class Route:
    """One operation at one template; `weight` is how much it asks of a request."""

    operation: int
    template: Template
    hosts: frozenset[str]
    weight: int = 0

    def fits(self, query: Mapping[str, str], host: str | None) -> bool:
        """Whether the request's query and host are those the route is told by."""
        if host is not None and self.hosts and host not in self.hosts:
            return False
        return all(
            name in query and value in (None, query[name]) for name, value in self.template.query
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A route that a request may take, and the texts of its path parameters."""

    route: Route
    texts: Mapping[str, str]


@dataclass(slots=True)
class _Node:
    literals: "dict[str, _Node]" = field(default_factory=dict[str, "_Node"])
    partials: "list[tuple[Segment, _Node]]" = field(default_factory=list[tuple[Segment, "_Node"]])
    whole: "_Node | None" = None
    rest: "_Node | None" = None
    methods: dict[str, list[Route]] = field(default_factory=dict[str, list[Route]])

    def child(self, segment: Segment) -> "_Node":
        """The node that a segment leads to, made where there is none."""
        if not segment.names:
            return self.literals.setdefault(segment.text, _Node())
        if segment.pattern is None:
            if segment.greedy:
                self.rest = self.rest or _Node()
                return self.rest
            self.whole = self.whole or _Node()
            return self.whole
        for known, node in self.partials:
            if known.pattern == segment.pattern:
                return node
        node = _Node()
        self.partials.append((segment, node))
        # What has more letters of its own is told first
        self.partials.sort(key=lambda entry: -_literal_length(entry[0]))
        return node


class Router:
    """The routes of one fake."""

    def __init__(self, *, slash: bool) -> None:
        """`slash` lets a path end in one slash more or less than it is described with."""
        self._root = _Node()
        self._plain: dict[str, _Node] = {}
        self._alone: dict[tuple[str, str], Found] = {}
        self._slash = slash
        self._hosts: frozenset[str] = frozenset()

    def add(self, method: str, route: Route) -> None:
        """Add a route; of those at one place, what asks for more is tried first."""
        self._hosts |= route.hosts
        node = self._root
        for segment in route.template.segments:
            node = node.child(segment)
        routes = node.methods.setdefault(method, [])
        routes.append(route)
        routes.sort(key=lambda one: -one.weight)
        if not route.template.names:
            path = "/" + "/".join(segment.text for segment in route.template.segments)
            self._plain[path] = node
            if len(routes) == 1 and not route.template.query:
                self._alone[method, path] = Found(route, {})
            else:
                self._alone.pop((method, path), None)

    def find(self, method: str, path: str, query: str, host: str | None) -> "list[Found]":
        """The routes a request may take, best first; raises Refused (400) for what is no path.

        `path` is as it was sent, still encoded. `host` is None where it tells nothing, as one does
        that no route is at.
        """
        host = host if host in self._hosts else None
        known = self._alone.get((method, path))
        if known is not None and (host is None or not known.route.hosts):
            return [known]
        for node, texts in self._leaves(path):
            routes = node.methods.get(method)
            if routes:
                found = _fitting(routes, texts, query, host)
                if found:
                    return found
        return []

    def methods(self, path: str, host: str | None) -> list[str]:
        """The methods that a path has."""
        host = host if host in self._hosts else None
        found: dict[str, None] = {}
        for node, _ in self._leaves(path):
            for method, routes in node.methods.items():
                if any(host is None or not one.hosts or host in one.hosts for one in routes):
                    found[method] = None
        return list(found)

    def _leaves(self, path: str) -> "Iterator[tuple[_Node, Sequence[str]]]":
        plain = self._plain.get(path)
        if plain is not None:
            yield plain, ()
        segments = path.split("/")[1:]
        if len(segments) > MAX_SEGMENTS:
            return
        if "%" in path:
            segments = [_decoded(segment) for segment in segments]
        if self._slash and len(segments) > 1 and not segments[-1]:
            segments.pop()
        for node, texts in _walk(self._root, segments, 0, self._slash):
            if node is not plain:
                yield node, texts


def _walk(
    node: _Node, segments: Sequence[str], at: int, slash: bool
) -> Iterator[tuple[_Node, Sequence[str]]]:
    """The nodes that the segments lead to, best first, each with the texts on its way."""
    if at == len(segments):
        yield node, ()
        if slash and "" in node.literals:
            yield node.literals[""], ()
        return
    segment = segments[at]
    literal = node.literals.get(segment)
    if literal is not None:
        yield from _walk(literal, segments, at + 1, slash)
    if not segment:
        return
    for partial, inner in node.partials:
        assert partial.pattern is not None
        match = partial.pattern.fullmatch(segment)
        if match is not None:
            for found, texts in _walk(inner, segments, at + 1, slash):
                yield found, (*match.groups(), *texts)
    if node.whole is not None:
        for found, texts in _walk(node.whole, segments, at + 1, slash):
            yield found, (segment, *texts)
    if node.rest is not None:
        for end in range(len(segments), at, -1):
            taken = "/".join(segments[at:end])
            for found, texts in _walk(node.rest, segments, end, slash):
                yield found, (taken, *texts)


def _fitting(
    routes: list[Route], texts: Sequence[str], query: str, host: str | None
) -> list[Found]:
    if len(routes) == 1 and not routes[0].template.query:
        only = routes[0]
        if host is not None and only.hosts and host not in only.hosts:
            return []
        return [Found(only, dict(zip(only.template.names, texts, strict=True)))]
    sent = dict(parse_qsl(query, keep_blank_values=True))
    return [
        Found(route, dict(zip(route.template.names, texts, strict=True)))
        for route in routes
        if route.fits(sent, host)
    ]


def _decoded(segment: str) -> str:
    if "%" not in segment:
        return segment
    try:
        return unquote(segment, errors="strict")
    except UnicodeDecodeError as error:
        raise bad("parameters", "The path is not percent-encoded UTF-8") from error


def _literal_length(segment: Segment) -> int:
    return len(segment.text) - sum(len(name) + 2 for name in segment.names)
