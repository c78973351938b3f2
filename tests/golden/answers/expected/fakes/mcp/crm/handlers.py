"""What the fake crm does, one function per tool.

This file is yours to edit. `evalsim generate` adds a stub at its end for a new tool and
changes nothing that stands here. A handler is known by the tool its decorator names, so
rename functions as you like, and move them to other modules of this folder.
"""

from evalsim.mcp import not_implemented

from . import models
from .contract import handler
from .entities import State


@handler("get-one")
def get_one(args: models.GetOneArgs, state: State) -> models.GetOneResult:
    not_implemented("get-one")


@handler("as-json")
def as_json(args: models.AsJsonArgs, state: State) -> models.AsJsonResult:
    not_implemented("as-json")


@handler("as-toon")
def as_toon(args: models.AsToonArgs, state: State) -> models.AsToonResult:
    not_implemented("as-toon")


@handler("as-prefixed")
def as_prefixed(args: models.AsPrefixedArgs, state: State) -> models.AsPrefixedResult:
    not_implemented("as-prefixed")


@handler("as-text")
def as_text(args: models.AsTextArgs, state: State) -> models.AsTextResult:
    not_implemented("as-text")


@handler("as-content")
def as_content(args: models.AsContentArgs, state: State) -> models.AsContentResult:
    not_implemented("as-content")


@handler("undeclared")
def undeclared(args: models.UndeclaredArgs, state: State) -> models.UndeclaredResult:
    not_implemented("undeclared")
