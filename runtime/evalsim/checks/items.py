"""The checks as parametrised pytest items."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from evalsim.checks.catalogue import Check, checks_of
from evalsim.checks.running import Outcome, run_check
from evalsim.checks.subject import TIMEOUT, Consistent, Finding, Subject, read_subject
from evalsim.errors import EvalsimError
from evalsim.recipe.loader import LoadedFake
from evalsim.types import JsonObject
from evalsim.world.build import WorldFunction
from evalsim.world.clock import Clock

if TYPE_CHECKING:
    import pytest

LOADS = "the Recipe's fakes can be loaded"


def recipe_tests(
    recipe: str | Path,
    *,
    fakes: Mapping[str, LoadedFake] | None = None,
    world: WorldFunction | None = None,
    scenarios: Collection[str] | None = None,
    consistent: Consistent | None = None,
    clock: Clock | datetime | str | None = None,
    recording: str | Path | None = None,
    timeout: float = TIMEOUT,
) -> "Callable[[Check, pytest.FixtureRequest], None]":
    """A parametrised test with an item for each check: `test_recipe = recipe_tests(…)`.

    - `recipe`: the Recipe's root package.json, or a folder of the Recipe.
    - `fakes`, `world`, `scenarios`: those of the Recipe, where they are not given.
    - `consistent`: the Recipe's own invariants, `consistent(states, scenario)`; raises where one
      fails.
    - `clock`: the moment the worlds are built at; now by default.
    - `recording`: the file that the contract tests record every answer to.
    - `timeout`: seconds that one check may take.
    """
    import pytest  # noqa: PLC0415  the checks themselves run without it

    from evalsim.testing.plugin import item_of, run_recordings  # noqa: PLC0415

    try:
        subject = read_subject(
            recipe,
            fakes=fakes,
            world=world,
            scenarios=scenarios,
            consistent=consistent,
            clock=clock,
            recording=recording,
            timeout=timeout,
        )
        checks = list(checks_of(subject))
    except EvalsimError as error:
        subject, checks = _unloaded(str(error))
    is_own = fakes is None and world is None

    @pytest.mark.parametrize("check", [pytest.param(check, id=check.title) for check in checks])
    def test_recipe(check: Check, request: pytest.FixtureRequest) -> None:
        """What every Recipe keeps true of its fakes."""
        run = run_recordings(request.config)
        judged = subject
        if check.reads_recording and subject.recording is not None and run is not None:
            file = subject.recording.resolve()
            if run.is_shared and is_own:
                run.defer(_deferred(item_of(request), check, subject, Path(recipe)))
                pytest.skip("judged at the end of the run, once every process has recorded")
            judged = replace(subject, recording=run.current(file))
        outcome = run_check(check, judged)
        if run is not None:
            run.remarks += outcome.told_remarks
        if not outcome.passed:
            pytest.fail("\n".join(outcome.faults), pytrace=False)

    return test_recipe


def judge_deferred(deferred: JsonObject) -> Outcome:
    """What came of a check that a worker left for the end of the run."""
    subject = read_subject(
        deferred["recipe"],
        clock=deferred["clock"],
        recording=deferred["recording"],
        timeout=deferred["timeout"],
    )
    check = next(check for check in checks_of(subject) if check.title == deferred["title"])
    return run_check(check, subject)


def _deferred(node: "pytest.Item", check: Check, subject: Subject, recipe: Path) -> JsonObject:
    return {
        "nodeid": node.nodeid,
        "location": node.location,
        "title": check.title,
        "recipe": str(recipe.resolve()),
        "recording": str(subject.recording and subject.recording.resolve()),
        "clock": subject.moment.isoformat(),
        "timeout": subject.timeout,
    }


def _unloaded(reason: str) -> tuple[Subject, list[Check]]:
    """The one check there is of a Recipe that cannot be loaded."""
    check = Check(LOADS, lambda _: iter([Finding(reason)]))
    nothing = Subject(None, {}, None, (), datetime.min)
    return nothing, [check]
