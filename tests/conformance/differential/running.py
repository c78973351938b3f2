"""Sending the same requests to every server, and counting how their answers differ."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from conformance.differential.comparison import Comparison, compare
from conformance.differential.differences import DIFFERENCES, explain
from conformance.differential.exchange import Request, exchange
from conformance.differential.peers import OURS

SHOWN = 5


@dataclass(slots=True)
class Report:
    """What a run found: how often each listed difference showed, and what no entry explains."""

    peers: tuple[str, ...]
    sent: int = 0
    agreed: Counter[str] = field(default_factory=Counter[str])
    seen: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    unlisted: list[Comparison] = field(default_factory=list[Comparison])

    @property
    def never_seen(self) -> list[str]:
        """The labels of entries about these peers that nothing showed."""
        labels = {label for label, _ in self.seen}
        return [
            difference.label
            for difference in DIFFERENCES
            if difference.label not in labels and set(difference.peers) & set(self.peers)
        ]

    def add(self, comparison: Comparison) -> None:
        """Count one comparison; of a batch, each response in it that differs."""
        if comparison.agrees:
            self.agreed[comparison.peer] += 1
        for part in comparison.parts:
            if part.agrees:
                continue
            if (difference := explain(part)) is not None:
                self.seen[difference.label, part.peer] += 1
            else:
                self.unlisted.append(part)

    def table(self) -> str:
        """The counts as lines: labels down, peers across; then what is not listed."""
        rows = [("", *self.peers), ("agrees", *(self.agreed[peer] for peer in self.peers))]
        for difference in DIFFERENCES:
            counts = (self.seen[difference.label, peer] for peer in self.peers)
            rows.append((difference.label, *counts))
        unlisted = Counter(comparison.peer for comparison in self.unlisted)
        rows.append(("not listed", *(unlisted[peer] for peer in self.peers)))
        lines = [
            f"{label:<32}" + "".join(f"{cell:>12}" for cell in cells) for label, *cells in rows
        ]
        return "\n".join([*lines, *map(describe, self.unlisted[:SHOWN])])


def run(ports: Mapping[str, int], requests: Iterable[Request]) -> Report:
    """Send each request to the servers at `ports`, one after the other, and compare."""
    report = Report(tuple(name for name in ports if name != OURS))
    for request in requests:
        ours = exchange(ports[OURS], request)
        report.sent += 1
        for peer in report.peers:
            report.add(compare(request, peer, ours, exchange(ports[peer], request)))
    return report


def describe(comparison: Comparison) -> str:
    """A comparison for a reader: what was sent, and the two answers."""
    request = comparison.request
    return "\n".join(
        (
            f"\n{comparison.peer} differs on {', '.join(sorted(request.marks))}:",
            f"  {request.method} {dict(request.fields)}",
            f"  {request.body[:600]!r}",
            f"  ours:   {comparison.ours}"[:900],
            f"  theirs: {comparison.theirs}"[:900],
        )
    )
