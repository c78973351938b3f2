"""Worlds that share nothing, and calls that leave nothing but what they say: over random worlds."""

import asyncio
import copy
import itertools
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalsim.host import LoadedRecipe, Services, load_fakes, start_services
from evalsim.types import Json
from support.calling import HEADERS
from support.fakes import CLOCK, write_recipe

Step: TypeAlias = tuple[str, Any]
"""A tool and its arguments, or `advance` and seconds."""

FIXED = (str, bytes, type, int, float, datetime, timedelta, type(None))
TOOLS = [
    {
        "name": name,
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 5},
                "at": {"type": "integer", "default": 0},
                "more": {"default": {"deep": [1]}},
            },
            "required": ["name"],
        },
    }
    for name in ("add", "rename", "note", "look", "spoil")
]
ARGS = "class {}Args(Model):\n    name: str\n    at: int\n    more: Any\n"
MODELS = "from typing import Any\nfrom evalsim.models import Model\n" + "".join(
    ARGS.format(str(tool["name"]).capitalize()) for tool in TOOLS
)
ENTITIES = """
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from pydantic import BaseModel

@dataclass
class Deal:
    id: str
    name: str
    at: datetime | None = None

class State(BaseModel):
    deals: list[Deal] = []
    notes: dict[str, Any] = {}
    seen: set[str] = set()
"""
HANDLERS = """
import time
from evalsim.mcp import ToolError
from .contract import handler
from .entities import Deal

def number(state, call):
    return {"call": call.number, "deals": len(state.deals), "now": call.now}

@handler("add")
def add(args, state, call):
    size = len(state.deals)
    deal = Deal(call.new_id(args.name), args.name, call.now)
    state.deals.append(deal)
    time.sleep(0)
    state.seen.add(args.name)
    assert len(state.deals) == size + 1
    return [deal, call.new_id(args.name), number(state, call)]

@handler("rename")
def rename(args, state, call):
    if not state.deals:
        raise ToolError("There is no deal.")
    state.deals[args.at % len(state.deals)].name = args.name
    return number(state, call)

@handler("note")
def note(args, state, call):
    # The arguments themselves, and then changed: what a state holds is no one else's
    state.notes[args.name] = args.more
    if isinstance(args.more, dict):
        args.more.setdefault("deep", []).append(call.number)
    return [args.more, number(state, call)]

@handler("look")
def look(args, state, call):
    return [state, number(state, call)]

@handler("spoil")
def spoil(args, state, call):
    state.notes["spoilt"] = call.number
    raise KeyError(args.name)
"""

JSON: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda part: st.lists(part, max_size=2) | st.dictionaries(st.text(), part, max_size=2),
    max_leaves=6,
)
NAMES = st.text(st.characters(codec="utf-8"), max_size=5)
DEALS = st.lists(
    st.fixed_dictionaries({"id": NAMES, "name": NAMES, "at": st.just(CLOCK) | st.none()}),
    max_size=4,
)
WORLDS = st.fixed_dictionaries(
    {
        "deals": DEALS,
        "notes": st.dictionaries(NAMES, JSON, max_size=3),
        "seen": st.lists(NAMES, max_size=3, unique=True),
    }
)
ARGUMENTS = st.fixed_dictionaries(
    {"name": NAMES}, optional={"at": st.integers(-5, 5), "more": JSON}
)
GOOD = st.tuples(st.sampled_from(["add", "rename", "note", "look"]), ARGUMENTS)
SPOILING = st.tuples(st.just("spoil"), ARGUMENTS)
REFUSED = st.tuples(
    st.sampled_from(["add", "rename", "note", "spoil"]),
    st.sampled_from([{}, {"name": 3}, {"name": "too long"}, {"name": "a", "at": 0.5}]),
)
UNSERVED = st.tuples(st.just("nope"), ARGUMENTS)
ADVANCES = st.tuples(st.just("advance"), st.integers(0, 10**6))
STEPS = st.lists(GOOD | SPOILING | REFUSED | UNSERVED | ADVANCES, max_size=10)

few = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> LoadedRecipe:
    fakes = write_recipe(
        tmp_path_factory.mktemp("isolation"),
        "crm",
        "other",
        tools=TOOLS,
        models=MODELS,
        entities=ENTITIES,
        handlers=HANDLERS,
    )
    return load_fakes(fakes)


def giving(state: Json) -> Callable[..., Mapping[str, Any]]:
    """A world that gives one and the same state to every fake, each time it is asked."""

    def world(*, clock: datetime) -> Mapping[str, Any]:
        return {"crm": state, "other": state}

    return world


async def send(client: httpx.AsyncClient, services: Services, step: Step) -> Json:
    """What one step is answered with."""
    tool, arguments = step
    if tool == "advance":
        services.world.clock.advance(timedelta(seconds=arguments))
        return None
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return (await client.post(services.url("crm"), json=message)).json()


def play(services: Services, steps: Sequence[Step], *, callers: int = 1) -> list[Json]:
    """The answers to steps, sent one after another or by some callers at once."""

    async def main() -> list[Json]:
        limits = httpx.Limits(max_connections=callers)
        async with (
            services,
            httpx.AsyncClient(headers=HEADERS, limits=limits, verify=False) as client,
        ):
            if callers > 1:
                return await asyncio.gather(*(send(client, services, step) for step in steps))
            return [await send(client, services, step) for step in steps]

    return asyncio.run(main())


def mutable(value: Any, found: dict[int, Any]) -> dict[int, Any]:
    """Every object under `value` that could be changed, by identity."""
    if id(value) in found or isinstance(value, FIXED):
        return found
    if not isinstance(value, tuple | frozenset):
        found[id(value)] = value
    for part in _parts(value):
        mutable(part, found)
    return found


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from itertools.chain(value, value.values())
    elif isinstance(value, list | tuple | set | frozenset):
        yield from value
    else:
        yield from getattr(value, "__dict__", {}).values()
        for name in getattr(type(value), "__slots__", ()):
            # What a Clock measures seconds with is a function, which has nothing to change
            part = getattr(value, name, None)
            yield None if callable(part) else part


def shared(one: Mapping[int, Any], other: Mapping[int, Any]) -> list[Any]:
    """What two graphs have in common."""
    return [value for key, value in one.items() if key in other]


def graph(services: Services) -> dict[int, Any]:
    """Every object of a started instance's world that could be changed."""
    world = services.world
    return mutable([world.states, world.initial, world.clock, world.faults], {})


@few
@given(state=WORLDS, steps=STEPS)
def test_two_instances_share_no_object(
    recipe: LoadedRecipe, state: Json, steps: list[Step]
) -> None:
    """Though their world gave them one object, and whatever one of them is called with."""
    given_state = recipe["crm"].state_type(**copy.deepcopy(state))
    world = giving(given_state)
    one, two = (start_services(recipe, world, clock=CLOCK) for _ in range(2))
    before = two.snapshot()

    play(one, steps)

    assert shared(graph(one), graph(two)) == []
    assert shared(mutable(given_state, {}), {**graph(one), **graph(two)}) == []
    assert shared(mutable(one.states["crm"], {}), mutable(one.states["other"], {})) == []
    assert two.snapshot() == before == {"initial": one.initial, "final": one.initial}
    assert one.snapshot()["final"]["other"] == one.initial["other"]


@few
@given(state=WORLDS, steps=STEPS)
def test_two_resumed_instances_share_no_object(
    recipe: LoadedRecipe, state: Json, steps: list[Step]
) -> None:
    """Nor with the JSON that both were resumed from."""
    part = {"crm": state, "other": state}
    resume = {"states": part, "initial": part}
    one, two = (start_services(recipe, resume=resume, clock=CLOCK) for _ in range(2))

    play(one, steps)

    assert shared(graph(one), graph(two)) == []
    assert shared(mutable(resume, {}), {**graph(one), **graph(two)}) == []


@few
@given(state=WORLDS, steps=st.lists(REFUSED | UNSERVED, min_size=1, max_size=8))
def test_a_call_that_is_refused_changes_nothing(
    recipe: LoadedRecipe, state: Json, steps: list[Step]
) -> None:
    """No state, no fault, no clock, and no byte of the state file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.json"
        services = start_services(recipe, giving(state), clock=CLOCK, state_file=path)
        before = services.snapshot(), services.world.clock.now
        answers = play(services, steps)

        assert all("error" in answer or answer["result"]["isError"] for answer in answers)
        assert (services.snapshot(), services.world.clock.now) == before
        assert services.faults == []
        assert json.loads(path.read_bytes()) == services.initial


@few
@given(state=WORLDS, steps=STEPS)
def test_a_sequence_that_is_replayed_gives_the_same(
    recipe: LoadedRecipe, state: Json, steps: list[Step]
) -> None:
    """States, answers, faults, ids and times."""
    runs = []
    for options in ({}, {}, {"transactional": True}):
        services = start_services(recipe, giving(state), clock=CLOCK, **options)
        answers = play(services, steps)
        faults = [(fault.kind, fault.call, fault.message) for fault in services.faults]
        runs.append((answers, faults, services.snapshot(), services.world.clock.now))

    assert runs[0] == runs[1]
    if not any(tool == "spoil" for tool, _ in steps):
        assert runs[0] == runs[2]


@settings(few, max_examples=10)
@given(state=WORLDS, steps=st.lists(GOOD, min_size=64, max_size=64))
def test_sync_handlers_are_atomic(recipe: LoadedRecipe, state: Json, steps: list[Step]) -> None:
    """64 callers at once leave what the same calls leave one after another, in some order."""
    deal = {"id": "first", "name": "", "at": None}  # so that no rename is refused
    state = {**state, "deals": [deal, *state["deals"]]}
    services = start_services(recipe, giving(state), clock=CLOCK)
    answers = play(services, steps, callers=64)
    assert services.faults == []

    order = sorted(range(64), key=lambda place: called(answers[place]))
    assert [called(answers[place]) for place in order] == list(range(1, 65))
    replayed = start_services(recipe, giving(state), clock=CLOCK)
    again = play(replayed, [steps[place] for place in order])

    assert again == [answers[place] for place in order]
    assert replayed.snapshot() == services.snapshot()


def called(answer: Json) -> int:
    """The number of the call that an answer answers."""
    value = json.loads(answer["result"]["content"][0]["text"])
    number: int = (value[-1] if isinstance(value, list) else value)["call"]
    return number


@few
@given(state=WORLDS, steps=STEPS, data=st.data())
def test_a_run_is_continued_exactly(
    recipe: LoadedRecipe, state: Json, steps: list[Step], data: st.DataObject
) -> None:
    """The state it left, to the byte, and no id that either part made is made by the other."""
    cut = data.draw(st.integers(0, len(steps)))
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "state.json"
        first = start_services(recipe, giving(state), clock=CLOCK, state_file=kept)
        play(first, steps[:cut])
        left = kept.read_bytes()
        assert json.loads(left) == first.snapshot()["final"]

        resume = {"states": json.loads(left), "initial": first.initial}
        second = start_services(recipe, resume=resume, clock=first.world.clock.now, state_file=kept)
        assert second.snapshot() == first.snapshot()
        play(second, steps[cut:])
        whole = start_services(recipe, giving(state), clock=CLOCK)
        play(whole, steps)

        assert second.initial == whole.initial
        assert without_new(second) == without_new(whole)
        made = [deal.id for deal in second.states["crm"].deals[len(state["deals"]) :]]
        assert len(set(made)) == len(made)
        assert json.loads(kept.read_bytes()) == second.snapshot()["final"]


def without_new(services: Services) -> Json:
    """The final state without what numbers of calls and new ids say in it."""
    final = copy.deepcopy(services.snapshot()["final"]["crm"])
    size = len(services.initial["crm"]["deals"])
    return {
        "deals": [
            {**deal, "id": ""} if place >= size else deal
            for place, deal in enumerate(final["deals"])
        ],
        "notes": sorted(final["notes"]),
        "seen": final["seen"],
    }
