"""What the fake crm does, one function per tool.

This file is yours to edit. `evalsim generate` adds a stub at its end for a new tool and
changes nothing that stands here. A handler is known by the tool its decorator names, so
rename functions as you like, and move them to other modules of this folder.
"""

from evalsim.mcp import not_implemented

from . import models
from .contract import handler
from .entities import State


@handler("search")
def search(args: models.SearchArgs, state: State) -> models.SearchResult:
    """Search."""
    not_implemented("search")
