"""The fixtures of a case: its session, and what the suite made for it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import pytest

from evalsim.evals.plugin.run import bound_to

if TYPE_CHECKING:
    from evalsim.evals.base_session import BaseSession
    from evalsim.evals.jobs.app import App, SyncApp
    from evalsim.evals.mode import Mode
    from evalsim.evals.plugin.bound import BoundCase
    from evalsim.evals.session import Session, SyncSession


def _bound(request: pytest.FixtureRequest) -> "BoundCase":
    item = cast("pytest.Item", request.node)  # pyright: ignore[reportUnknownMemberType]
    bound = bound_to(item)
    if bound is None:
        raise pytest.UsageError(
            f"{item.nodeid} is no case of a suite, and has no {request.fixturename}: "
            "set pytestmark = suite.mark in its module."
        )
    return bound


def _made(request: pytest.FixtureRequest, session: "BaseSession") -> Any:
    """What the suite made for this case under the fixture's name."""
    name = str(request.fixturename)
    made = getattr(session, name)
    if made is None:
        title = _bound(request).suite.title
        raise pytest.UsageError(f"The suite {title} has no {name}: give it Suite({name}=…).")
    return made


@pytest.fixture
def session(request: pytest.FixtureRequest) -> "Iterator[BaseSession]":
    """The case's session in a fresh world: a `Session` in async tests, else a `SyncSession`."""
    bound = _bound(request)
    from evalsim.evals.plugin.collecting import is_async  # noqa: PLC0415  only for cases

    yield bound.open(is_async=is_async(request.function))
    bound.close()


@pytest.fixture
def eval_mode(request: pytest.FixtureRequest) -> "Mode":
    """`live` or `stub`; assert what a script alone determines in `stub` only."""
    return _bound(request).decision.mode


@pytest.fixture
def network(request: pytest.FixtureRequest, session: "BaseSession") -> Any:
    """The case's network."""
    return _made(request, session)


@pytest.fixture
def jobs(request: pytest.FixtureRequest, session: "BaseSession") -> Any:
    """The case's client of background jobs."""
    return _made(request, session)


@pytest.fixture
def eval_app(session: "Session | SyncSession") -> "App | SyncApp":
    """The suite's jobs, to be run and waited for: an `App` in async tests, else a `SyncApp`."""
    return session.app


@pytest.fixture
def files(request: pytest.FixtureRequest, session: "BaseSession") -> Any:
    """The case's store of files."""
    return _made(request, session)


@pytest.fixture
def simulate(session: "Session | SyncSession") -> Any:
    """Lets a simulated user talk to the agent: `await simulate(persona=…, goal=…)`."""
    return session.simulate


@pytest.fixture
def judge(session: "Session | SyncSession") -> Any:
    """Rules on the session by criteria: `await judge(["…"])`; scripted where the case is."""
    return session.judge


@pytest.fixture
def model_server(session: "BaseSession") -> Any:
    """The case's side of the model server: its `calls`, and what of its scripts is `unused`."""
    return session.model
