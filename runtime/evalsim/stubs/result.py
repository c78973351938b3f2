"""The verdict of an assertion: whether it holds, and words that are made when they are read."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """Whether an assertion is `ok`; true as a boolean when it is, and its repr is the message."""

    ok: bool
    _message: Callable[[], str]

    @property
    def message(self) -> str:
        """Why it holds or does not, made now."""
        return self._message()

    def require(self) -> None:
        """Raise AssertionError with the message unless it is ok."""
        __tracebackhide__ = True
        if not self.ok:
            raise AssertionError(self.message)

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return self.message
