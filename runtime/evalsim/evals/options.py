"""What a case may say of itself, over what its suite says."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from evalsim.errors import did_you_mean
from evalsim.evals.invalid import EvalError
from evalsim.evals.model.steps import DEFAULT_SCRIPT, Script
from evalsim.types import Json

NESTED = "nested"
"""The role of model calls that a tool makes itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOptions:
    """How one case runs.

    `stub_reply` is what a scripted model does, `stub_generate` what it does in calls that a tool
    makes itself, and `stub_scripts` what it does in other roles. A `live` case is skipped in
    scripted mode and a `scripted` one in live mode. `network`, `scenario` and `repeat` stand in for
    the suite's. `identity` is merged over the suite's; a value of None takes a key away.
    """

    stub_reply: Script = DEFAULT_SCRIPT
    stub_generate: Script | None = None
    stub_scripts: Mapping[str, Script] = field(default_factory=dict[str, Script])
    live: bool = False
    scripted: bool = False
    network: Any = None
    identity: Mapping[str, Json] | None = None
    scenario: str | None = None
    repeat: int | None = None
    policy: str | None = None

    def __post_init__(self) -> None:
        if self.live and self.scripted:
            raise EvalError(
                "A case that is both live and scripted would never run: take one of them away."
            )
        if self.repeat is not None and self.repeat < 1:
            raise EvalError(f"A case runs once or more: repeat={self.repeat!r} is not a number.")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "CaseOptions":
        """The options that a mark gives; raises `EvalError` for a name that is none."""
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                hint = did_you_mean(name, known)
                told = f"A case has no option {name!r}{hint}; it has: {', '.join(known)}."
                raise EvalError(told)
        return cls(**given)

    @property
    def scripts(self) -> dict[str, Script]:
        """The scripts of roles beside the default one."""
        nested = {} if self.stub_generate is None else {NESTED: self.stub_generate}
        return {**nested, **self.stub_scripts}
