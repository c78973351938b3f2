"""The things the fake of `peer` keeps: yours to write, scaffolded once.

`State` is what a scenario builds and the handlers change in place. Any Pydantic model, dataclass
or TypedDict will do; its top-level fields are the entities that manifest.json names.
"""

from pydantic import BaseModel


class State(BaseModel):
    """Everything the fake remembers."""
