"""What is kept of a case after each of its turns, as copies that nothing later changes."""

from dataclasses import dataclass
from pathlib import Path

import orjson

from evalsim.evals.case import Case
from evalsim.types import JsonObject
from evalsim.world.state import StateError


@dataclass(frozen=True, slots=True)
class Artifact:
    """The fakes' states and the calls they answered, as they were after turn `turn`.

    Turn 0 is the end of the case. `problem` is why a state cannot be written, where it cannot.
    """

    turn: int
    _states: bytes
    _calls: tuple[bytes, ...]
    problem: str | None = None

    @classmethod
    async def of(cls, case: Case, turn: int) -> "Artifact":
        """What there is now."""
        problem = None
        states: JsonObject = {"initial": {}, "final": {}}
        if case.services is not None:
            states["initial"] = case.services.initial
            try:
                states["final"] = await read_states(case)
            except StateError as error:
                problem = str(error)
        lines = tuple(map(orjson.dumps, case.fake_calls.lines))
        return cls(turn, orjson.dumps(states), lines, problem)

    @property
    def states(self) -> JsonObject:
        """`{"initial", "final"}`, each with every fake's state by id."""
        states: JsonObject = orjson.loads(self._states)
        return states

    @property
    def calls(self) -> list[JsonObject]:
        """The lines of the record, in the order the calls were answered."""
        return [orjson.loads(line) for line in self._calls]

    def save(self, folder: Path) -> None:
        """Write initial-state.json, state.json and calls.jsonl, as `evalsim verify` reads them."""
        folder.mkdir(parents=True, exist_ok=True)
        states = self.states
        (folder / "initial-state.json").write_bytes(orjson.dumps(states["initial"]))
        (folder / "state.json").write_bytes(orjson.dumps(states["final"]))
        (folder / "calls.jsonl").write_bytes(b"".join(line + b"\n" for line in self._calls))


async def read_states(case: Case) -> JsonObject:
    """Every fake's state, read between calls; raises `StateError`."""
    from asyncio import wrap_future  # noqa: PLC0415

    services = case.services
    assert services is not None

    async def read() -> JsonObject:
        return services.world.snapshot()

    return await wrap_future(case.runtime.serving.submit(read))
