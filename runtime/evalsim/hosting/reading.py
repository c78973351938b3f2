"""Reading what a gate has accepted as the model that a handler takes."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeGuard

from pydantic import BaseModel, TypeAdapter

from evalsim.types import Json


def reader_of(model: Any) -> Callable[[Json], Any]:
    """How an accepted value becomes what the handler takes; by wire name alone.

    A model is built when it is first used, as most of a large fake's never are.
    """
    validate: Callable[..., Any] = (
        model.model_validate if _is_model(model) else TypeAdapter[Any](model).validate_python
    )
    return partial(validate, by_alias=True, by_name=False)


def _is_model(model: Any) -> TypeGuard[type[BaseModel]]:
    return isinstance(model, type) and issubclass(model, BaseModel)
