"""Why no instance of a schema could be made."""


class Impossible(Exception):
    """No value of a schema was found.

    `reason` says why, `path` where in the value; `definite` is False where a longer search, or a
    deeper one, might have found a value.
    """

    def __init__(self, reason: str, *, definite: bool = True) -> None:
        self.reason = reason
        self.definite = definite
        self.path: tuple[str | int, ...] = ()
        super().__init__(reason)

    def under(self, step: str | int) -> "Impossible":
        """The same, seen from one level further out."""
        self.path = (step, *self.path)
        return self

    def __str__(self) -> str:
        where = "".join(f"/{step}" for step in self.path)
        return f"{where or 'the root'}: {self.reason}"


class Exhausted(Exception):
    """The search for one value took more steps than it may."""
