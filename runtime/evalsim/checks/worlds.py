"""Checks: every scenario's world is whole and consistent, and no other is made up."""

from collections.abc import Callable
from traceback import extract_tb

from evalsim.checks.subject import Finding, Findings, Subject

UNKNOWN = "a-scenario-that-this-recipe-does-not-have"


def is_consistent(scenario: str) -> Callable[[Subject], Findings]:
    """The check of one scenario: it has every fake's state, and `consistent` has no complaint."""

    def check(subject: Subject) -> Findings:
        world = subject.build(scenario)
        if subject.consistent is None:
            return
        try:
            subject.consistent(world.states, scenario)
        except Exception as error:
            frame = extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {error}".rstrip(": ")
            yield Finding(f"{frame.filename}:{frame.lineno}: consistent() failed: {said}.")

    return check


def refuses_unknown_scenario(subject: Subject) -> Findings:
    """`world` raises for a name it does not know."""
    world = subject.world
    if world is None:
        yield Finding("There is no world: write world(scenario, clock) in fakes/scenarios/.")
        return
    try:
        world(UNKNOWN, clock=subject.moment)
    except Exception:
        return
    yield Finding(
        f"world({UNKNOWN!r}) builds a world, so an eval with a misspelled scenario would measure "
        "another one: raise UnknownScenario(scenario, list(SCENARIOS)) for a name it does not know."
    )
