"""What a fake of a REST API is written with: helpers for handlers, bases for generated code.

from evalsim.api import Reply, api_error, not_implemented

A handler that is no `async def` blocks all others while it runs: that makes it atomic, and it must
not wait for anything. An `async def` one may wait, and others run meanwhile.
"""

from evalsim.api.contract import ApiContract
from evalsim.api.handlers import Operation
from evalsim.api.hooks import credentials, error_body
from evalsim.api.refused import Problem
from evalsim.api.reply import ApiCall, ApiError, Event, File, Reply, api_error
from evalsim.contract.handlers import Mark
from evalsim.contract.reply import NotImplementedByFake, not_implemented
from evalsim.errors import UnknownScenario
from evalsim.models import Model
from evalsim.types import Json, JsonLike, JsonObject
from evalsim.verify import label_id

__all__ = [
    "ApiCall",
    "ApiContract",
    "ApiError",
    "Event",
    "File",
    "Json",
    "JsonLike",
    "JsonObject",
    "Mark",
    "Model",
    "NotImplementedByFake",
    "Operation",
    "Problem",
    "Reply",
    "UnknownScenario",
    "api_error",
    "credentials",
    "error_body",
    "label_id",
    "not_implemented",
]
