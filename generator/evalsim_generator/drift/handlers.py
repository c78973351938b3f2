"""The lines of a fake's handlers that a difference touches."""

from collections.abc import Iterator
from pathlib import Path

from evalsim_generator.drift.table import HARMLESS, Difference
from evalsim_generator.handwritten.find import Found, Handler, find_handlers
from evalsim_generator.handwritten.uses import uses_in
from evalsim_generator.output.ledger import GENERATED


class Touched:
    """The handlers of one fake, read once."""

    def __init__(self, folder: Path) -> None:
        self._found: Found = find_handlers(folder, GENERATED)

    def by(self, difference: Difference) -> list[str]:
        """The handlers of the tool that differs, as `handlers.py:12`, with each line that reads
        the argument that does; none for what is harmless."""
        if difference.severity == HARMLESS:
            return []
        return list(dict.fromkeys(str(place) for place in self._places(difference)))

    def _places(self, difference: Difference) -> Iterator[object]:
        for handler in self._handlers(difference.tool):
            yield handler.place
            if difference.argument:
                yield from uses_in(handler, difference.argument)

    def _handlers(self, tool: str) -> list[Handler]:
        return [handler for handler in self._found.handlers if handler.tool == tool]
