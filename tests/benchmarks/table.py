"""What was measured beside what was to be reached, as a table."""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

OURS: Final = "evalsim"
HEADINGS: Final = ("work", "unit", "evalsim", "beside it", "target", "reached", "")


class Verdict(StrEnum):
    """How a figure stands to its target."""

    PASS = "pass"
    SHORT = "short"
    FAILED = "BELOW HALF"
    NONE = "-"


@dataclass(frozen=True, slots=True)
class Target:
    """A bound on evalsim's figure, or on its ratio to that of the peer it is held against."""

    bound: float
    at_least: bool = True
    against: str | None = None

    def verdict(self, reached: float) -> Verdict:
        """Whether the bound is kept; more than twice off is a failure, not noise."""
        part = reached / self.bound if self.at_least else self.bound / reached
        if part >= 1:
            return Verdict.PASS
        return Verdict.SHORT if part >= 0.5 else Verdict.FAILED

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.bound:g}" + (f" × {self.against}" if self.against else "")


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of work: what each server or command took for it, a figure a round.

    The rounds are interleaved, so a ratio is the median of the rounds' own ratios, whatever the
    machine did between them.
    """

    work: str
    unit: str
    figures: Mapping[str, Sequence[float]]
    targets: Sequence[Target] = ()
    note: str = ""

    def reached(self, target: Target) -> float:
        """The figure, or the ratio, that the target is about."""
        ours = self.figures[OURS]
        if target.against is None:
            return statistics.median(ours)
        theirs = self.figures[target.against]
        return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))

    def verdicts(self) -> list[Verdict]:
        """The verdict on each target."""
        return [target.verdict(self.reached(target)) for target in self.targets]

    def lines(self) -> Iterator[tuple[str, ...]]:
        """The row as cells, with a line of its own for each further target."""
        beside = ", ".join(
            f"{name} {shown(statistics.median(figures))}"
            for name, figures in self.figures.items()
            if name != OURS
        )
        ours = shown(statistics.median(self.figures[OURS]))
        start = (self.work, self.unit, ours, "; ".join(filter(None, (beside, self.note))))
        if not self.targets:
            yield (*start, "", "", Verdict.NONE)
        for target, verdict in zip(self.targets, self.verdicts(), strict=True):
            yield (*start, str(target), shown(self.reached(target)), verdict)
            start = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """A piece of work that cannot be measured here, and why."""

    work: str
    reason: str

    def lines(self) -> Iterator[tuple[str, ...]]:
        """The reason, as cells of a row."""
        yield (self.work, "", "", f"not measured: {self.reason}", "", "", Verdict.NONE)


def shown(figure: float) -> str:
    """A figure with the digits that mean something."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def markdown(rows: Iterable[Row | NotMeasured]) -> str:
    """The table, aligned so that it reads well as it is."""
    lines = [HEADINGS, *(line for row in rows for line in row.lines())]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join(
        "| "
        + " | ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    )
