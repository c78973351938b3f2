"""A repository with three new files."""

from datetime import datetime

from ..mcp.git.entities import State


def build(clock: datetime) -> dict[str, State]:
    return {"git": State(untracked=["a.txt", "b.txt", "c.txt"])}
