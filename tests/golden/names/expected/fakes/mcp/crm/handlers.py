"""What the fake crm does, one function per tool.

This file is yours to edit. `evalsim generate` adds a stub at its end for a new tool and
changes nothing that stands here. A handler is known by the tool its decorator names, so
rename functions as you like, and move them to other modules of this folder.
"""

from evalsim.mcp import not_implemented

from . import models
from .contract import handler
from .entities import State


@handler("find")
def find(args: models.FindArgs, state: State) -> models.FindResult:
    """Find "things" by odd names."""
    not_implemented("find")


@handler("list-deals")
def list_dealsa_957_c_4(
    args: models.ListDealsa957c4Args, state: State
) -> models.ListDealsa957c4Result:
    not_implemented("list-deals")


@handler("listDeals")
def list_dealsf_0_cd_9_c(
    args: models.ListDealsf0cd9cArgs, state: State
) -> models.ListDealsf0cd9cResult:
    not_implemented("listDeals")


@handler("class")
def class_(args: models.ClassArgs, state: State) -> models.ClassResult:
    not_implemented("class")
