"""YAML text, read by the rules of 1.2 into what JSON can hold."""

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from evalsim.errors import DocumentError
from evalsim.openapi.normal.notes import ROOT, Notes, Place
from evalsim.types import Json
from evalsim_generator.openapi.reading.writable import as_json
from evalsim_generator.openapi.reading.yaml_tree import Tree

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: bytes, where: str, notes: Notes, at: Place = ROOT) -> Json:
    """The value of a YAML text: keys are text, dates are text, yes and no are text.

    Only events are taken from the library, never objects. Raises DocumentError where the text is
    no YAML, goes too deep, or its aliases stand for more than anyone would write.
    """
    tree = Tree(notes, at)
    try:
        for event in _events(text):
            tree.take(event)
    except yaml.MarkedYAMLError as error:
        raise DocumentError(f"{where}: not YAML: {_said(error)}.") from None
    except yaml.YAMLError as error:
        said = " ".join(str(error).split())[:200]
        raise DocumentError(f"{where}: not YAML: {said}.") from None
    except ValueError as error:
        raise DocumentError(f"{where}: {error}{_place(tree.mark)}.") from None
    as_json(tree.document, where)
    return tree.document


def _events(text: bytes) -> Iterator[Any]:
    library: Any = yaml  # its functions have no types
    events: Iterable[Any] = library.parse(text.decode(), Loader=_Loader)
    yield from events


def _said(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or error.context or "it cannot be read"
    return f"{problem}{_place(error.problem_mark or error.context_mark)}"


def _place(mark: Any) -> str:
    return "" if mark is None else f" at line {mark.line + 1}, column {mark.column + 1}"
