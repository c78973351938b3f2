"""The checks every Recipe keeps about its own fakes, each by the title it is known by."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from evalsim.checks.apis.refusals import refuses_bad_requests
from evalsim.checks.apis.serving import (
    answers_as_described,
    maps_operations_to_entities,
    serves_its_operations,
)
from evalsim.checks.entities import has_no_static_tool_over_live_entities, maps_tools_to_entities
from evalsim.checks.isolation import shares_no_state
from evalsim.checks.observed import answers_as_observed
from evalsim.checks.refusals import refuses_bad_calls
from evalsim.checks.serving import declares_every_answer, serves_allowed_tools
from evalsim.checks.subject import Findings, Subject
from evalsim.checks.worlds import is_consistent, refuses_unknown_scenario
from evalsim.recipe.loader import LoadedFake


@dataclass(frozen=True, slots=True)
class Check:
    """One check; `reads_recording` is for one that judges what the tests recorded."""

    title: str
    find: Callable[[Subject], Findings]
    reads_recording: bool = False


_Listed: TypeAlias = tuple[tuple[str, Callable[[Subject, LoadedFake], Findings], bool], ...]

_OF_TOOLS: _Listed = (
    (
        "serves the Recipe's allowed tools from its contract, in captured order",
        serves_allowed_tools,
        False,
    ),
    ("declares what every tool answers", declares_every_answer, False),
    ("maps every allowed tool to its entities", maps_tools_to_entities, False),
    (
        "has no static tool over an entity a tool writes or a world fills",
        has_no_static_tool_over_live_entities,
        False,
    ),
    (
        "refuses a call outside a tool's input schema and changes no state",
        refuses_bad_calls,
        True,
    ),
    ("shares no state between two started instances", shares_no_state, True),
    ("answers every observed tool as the real server did", answers_as_observed, True),
)
_OF_OPERATIONS: _Listed = (
    ("serves the operations of its description", serves_its_operations, False),
    ("maps every operation to its entities", maps_operations_to_entities, False),
    (
        "has no static operation over an entity an operation writes or a world fills",
        has_no_static_tool_over_live_entities,
        False,
    ),
    (
        "refuses a request outside its description and changes no state",
        refuses_bad_requests,
        True,
    ),
    ("shares no state between two started instances", shares_no_state, True),
    ("answers every recorded request as it is described", answers_as_described, True),
)


def checks_of(subject: Subject) -> Iterator[Check]:
    """Every check of a Recipe: those of each fake, of each scenario, and of unknown scenarios."""
    for fake in subject.fakes.values():
        for title, find, reads in _OF_TOOLS if fake.kind == "mcp" else _OF_OPERATIONS:
            yield Check(f"{fake.id} {title}", partial(_with_fake, find, fake), reads)
    for scenario in subject.scenarios:
        yield Check(f"the {scenario} world is consistent", is_consistent(scenario))
    yield Check("an unknown scenario is refused", refuses_unknown_scenario)


def _with_fake(
    find: Callable[[Subject, LoadedFake], Findings], fake: LoadedFake, subject: Subject
) -> Findings:
    return find(subject, fake)
