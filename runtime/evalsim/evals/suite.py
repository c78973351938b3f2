"""A suite: an agent, and the world that each case of it is given anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalsim.evals.agents.driving import Agent, Factory
from evalsim.evals.invalid import EvalError
from evalsim.evals.mode import Mode, ModeDecision, Wanted, must_be_live, resolve_mode
from evalsim.evals.model.provider import Model
from evalsim.evals.options import CaseOptions
from evalsim.evals.policy import read_policy
from evalsim.types import Json

if TYPE_CHECKING:
    import pytest

    from evalsim.evals.opening import SessionContext
    from evalsim.evals.services.request import Service
    from evalsim.recipe.loader import LoadedFake

MARK = "evalsim"
CASE_MARK = "eval_case"
TURN_TIMEOUT = 90.0
"""Seconds an agent may take for a turn."""
DRAIN = 10.0
"""Seconds that what an agent left running may take once its case is over."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Suite:
    """The cases of one agent, each of them in a fresh world.

    - `agent`: a function of `AgentIO` (sync, async or a generator), a class or `Factory` that makes
      one for each case, or one of `evalsim.evals.agents`.
    - `model`: the model to ask in live mode, as `"openai:gpt-5"`; without one, suites are scripted.
    - `requires`: further environment variables that a live run needs; where it is scripted, the
      agent is given a placeholder for each.
    - `fakes`: a Recipe's folder of fakes, a loaded Recipe, or some of its fakes by id; `scenario`
      and `clock` are those of `start_services`.
    - `network`: an `EvalNetwork`, whose log and state are reset for each case and repeat, or a
      function that makes one for each.
    - `jobs`: background jobs by name, which are run; or a function that makes, for each case and
      repeat, a client of jobs that are not, as `RecordingJobs`.
    - `apis`: functions that make the stand-ins of a case, by name, for services that need no fake;
      the agent finds them in `io.http`, and a test in `session.apis`.
    - `files`, `stubs`: functions that make the store of files and the `Harness` of stubs of a case.
    - `env`: all of the agent's environment, beside the credentials of a live run.
    - `identity`: who the session is, a mapping of the suite's own.
    - `greeting`: what the agent says before the user does.
    - `policy`: which repeats have to pass: `any`, `all` or `rate>=0.8`.
    """

    agent: "Agent | None" = None
    name: str = ""
    model: Model | str | None = None
    requires: Sequence[str] = ()
    fakes: "str | Path | Mapping[str, LoadedFake] | None" = None
    scenario: str | None = None
    clock: datetime | str | None = None
    network: Any = None
    jobs: Callable[[], Any] | Mapping[str, Callable[..., Any]] | None = None
    files: Callable[[], Any] | None = None
    apis: "Mapping[str, Callable[[], Service]]" = field(default_factory=dict[str, Any])
    stubs: Callable[[], Any] | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    identity: Mapping[str, Json] = field(default_factory=dict[str, Json])
    greeting: str | None = None
    turn_timeout: float = TURN_TIMEOUT
    drain: float = DRAIN
    policy: str = "any"

    def __post_init__(self) -> None:
        """Raises `EvalError` for what cannot work, before any case runs."""
        read_policy(self.policy)
        if self.agent is None and not isinstance(self.jobs, Mapping):
            raise EvalError("A suite has an agent or runs jobs: give agent=, or jobs={name: …}.")
        is_opener = isinstance(self.agent, Factory) or hasattr(self.agent, "open_agent")
        if self.agent is not None and not callable(self.agent) and not is_opener:
            raise EvalError(f"The agent {self.agent!r} is no function, class or Factory.")
        made_by = {name: getattr(self, name) for name in ("jobs", "files", "stubs")}
        for name, made in {**made_by, **{f"apis[{n!r}]": m for n, m in self.apis.items()}}.items():
            if made is not None and not callable(made) and not isinstance(made, Mapping):
                raise EvalError(
                    f"{name}={type(made).__name__}(…) would be shared by all cases: "
                    f"give a function, {name}=lambda: {type(made).__name__}(…)."
                )

    @property
    def title(self) -> str:
        """The suite's name; that of its agent where it has none."""
        agent = self.agent.make if isinstance(self.agent, Factory) else self.agent
        unnamed = "jobs" if agent is None else type(agent).__name__
        return self.name or getattr(agent, "__name__", unnamed)

    @property
    def live_model(self) -> Model | None:
        """The model of a live run; raises `EvalsimError` for one that is not known."""
        return Model(self.model) if isinstance(self.model, str) else self.model

    def mode(self, env: Mapping[str, str], wanted: Wanted = "auto") -> ModeDecision:
        """How the suite runs with this environment; raises `CannotRunLive` (see `resolve_mode`)."""
        model = self.live_model
        if model is None and not self.requires:
            return self._never_live(env, wanted)
        keys = () if model is None else model.key_names
        return resolve_mode((*keys, *self.requires), env, wanted)

    def _never_live(self, env: Mapping[str, str], wanted: Wanted) -> ModeDecision:
        """The mode of a suite with nothing to run live."""
        if resolve_mode((), env, wanted).mode == "live" and must_be_live(env, wanted):
            raise EvalError(
                f"The suite {self.title} names no model to run live: give model=, or requires= "
                "with the variables that a live run of its jobs needs."
            )
        return ModeDecision("stub", "the suite names no model to run live")

    def open(
        self, *, mode: Mode = "stub", env: Mapping[str, str] | None = None, **case: Any
    ) -> "SessionContext":
        """A session of one case, without any test runner: in `async with` or in `with`.

        `case` are the options of `CaseOptions`; `env` holds the credentials of a live run.
        """
        from evalsim.evals.opening import open_session  # noqa: PLC0415  it starts threads

        return open_session(self, CaseOptions.of(case), mode, env or {})

    @property
    def mark(self) -> "pytest.MarkDecorator":
        """The mark that makes the tests of a module or class cases: `pytestmark = suite.mark`."""
        import pytest  # noqa: PLC0415  only cases of pytest need it

        return pytest.mark.evalsim(self)

    def case(self, **options: Any) -> "pytest.MarkDecorator":
        """The options of one case, over the suite's: `@suite.case(stub_reply=…)`.

        It makes the test a case of this suite too, where no mark does. Raises `EvalError` for an
        option that is none.
        """
        import pytest  # noqa: PLC0415  only cases of pytest need it

        CaseOptions.of(options)
        return pytest.mark.eval_case(suite=self, **options)
