"""Opening a case: what it has of its own, made and served in a fixed order."""

import contextvars
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from evalsim.evals.agents.driving import Driver, open_driver
from evalsim.evals.case import Case
from evalsim.evals.draining import drain
from evalsim.evals.events import JobStarted
from evalsim.evals.mode import Mode
from evalsim.evals.networks import CaseNetwork, allow_roots
from evalsim.evals.options import CaseOptions
from evalsim.evals.recorder import FakeCalls, Recorder
from evalsim.evals.runtime import Runtime
from evalsim.evals.suite import Suite
from evalsim.hosting.start import start_services
from evalsim.recipe.loader import LoadedFake, load_fakes
from evalsim.types import Json

if TYPE_CHECKING:
    from evalsim.evals.jobs.engine import Jobs


def open_case(
    suite: Suite,
    options: CaseOptions,
    mode: Mode,
    runtime: Runtime,
    *,
    name: str,
    env: Mapping[str, str],
) -> Case:
    """A case with a world of its own; where it cannot be opened, nothing of it is left.

    `env` holds the credentials of a live run, of which the agent is given those the suite requires.
    """
    with ExitStack() as undo:
        network = _network(suite, options)
        recorder = Recorder(network=network)
        model = runtime.models.open(
            script=options.stub_reply,
            scripts=options.scripts,
            model=suite.live_model if mode == "live" else None,
            env=env,
        )
        undo.callback(model.close)
        case = Case(
            suite=suite,
            options=options,
            mode=mode,
            name=name,
            runtime=runtime,
            credentials=env,
            recorder=recorder,
            fake_calls=FakeCalls(recorder.now),
            model=model,
            network=network,
            jobs=_jobs(suite, recorder),
            files=_made(suite.files),
            harness=_made(suite.stubs),
            env=_environment(suite, env, mode),
            identity=_identity(suite, options),
            context=contextvars.copy_context(),
        )
        _aim(case, undo)
        undo.callback(
            model.close
        )  # again, for a model answers no more before the network is let go
        _serve(case, undo)
        _serve_apis(case, undo)
        if network is not None:
            allow_roots(network, [one.root for one in (case.services, case.apis) if one])
        if isinstance(suite.jobs, Mapping):
            case.jobs.io = case.io()
        undo.callback(drain, case)
        if case.harness is not None:
            undo.callback(case.harness.close)
        _open_agent(case, undo)
        case.closing = undo.pop_all()
        return case


def _made(make: Callable[[], Any] | None) -> Any:
    return None if make is None else make()


def _aim(case: Case, undo: ExitStack) -> None:
    """Aim the network at the case, in the context that all of its agent's code runs in."""
    network: CaseNetwork | None = case.network
    if network is None:
        return
    case.runtime.install(network)
    aimed = network.aim(case.name)
    case.context.run(aimed.__enter__)
    undo.callback(case.context.run, aimed.__exit__, None, None, None)
    allow_roots(network, [case.runtime.models.root])


def _network(suite: Suite, options: CaseOptions) -> Any:
    """The network of the case, with log and state as at first."""
    given = suite.network if options.network is None else options.network
    if given is None:
        return None
    if hasattr(given, "reset"):
        given.reset()
        return given
    return given()


def _jobs(suite: Suite, recorder: Recorder) -> Any:
    """The client of jobs: an engine of those the suite runs, or what it makes."""
    jobs: Any = suite.jobs
    if not isinstance(jobs, Mapping):
        return _made(jobs)
    from evalsim.evals.jobs.engine import JobEngine  # noqa: PLC0415  most suites run none

    def started(name: str, run_id: str, input: Any) -> None:
        recorder.note(JobStarted(name, run_id, input))

    return JobEngine(cast("Jobs", jobs), started)


def _environment(suite: Suite, env: Mapping[str, str], mode: Mode) -> dict[str, str]:
    """The agent's environment; what a script lets no one use is there in name."""
    if mode == "stub":
        return {**{name: f"scripted-{name.lower()}" for name in suite.requires}, **suite.env}
    required = {name: env[name] for name in suite.requires if name in env}
    return {**required, **suite.env}


def _identity(suite: Suite, options: CaseOptions) -> dict[str, Json]:
    merged = {**suite.identity, **(options.identity or {})}
    return {key: value for key, value in merged.items() if value is not None}


def _serve(case: Case, undo: ExitStack) -> None:
    """Serve the suite's fakes in a fresh world."""
    given = case.suite.fakes
    if given is None:
        return
    fakes: Mapping[str, LoadedFake]
    fakes = load_fakes(given) if isinstance(given, str | Path) else given
    services = start_services(
        fakes,
        None,
        case.options.scenario or case.suite.scenario,
        case.suite.clock,
        journal=True,
        watch=case.fake_calls,
    )
    case.runtime.serving.run(services.__aenter__)
    undo.callback(case.runtime.serving.run, services.aclose)
    case.services = services


def _serve_apis(case: Case, undo: ExitStack) -> None:
    """Serve the suite's stand-ins, made anew."""
    if not case.suite.apis:
        return
    from evalsim.evals.services.hosting import ServiceHost  # noqa: PLC0415  most suites have none

    host = ServiceHost({name: make() for name, make in case.suite.apis.items()})
    case.runtime.serving.run(host.open)
    undo.callback(case.runtime.serving.run, host.close)
    case.apis = host


def _open_agent(case: Case, undo: ExitStack) -> None:
    agent = case.suite.agent
    if agent is None:
        return

    async def open_() -> Driver:
        return await open_driver(agent, case.io())

    case.driver = case.run_agent(open_)
    undo.callback(case.run_agent, case.driver.close)
