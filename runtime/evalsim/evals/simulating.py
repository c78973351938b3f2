"""A simulated user: a second model that talks to the agent until it hangs up."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any, Literal, TypeAlias

from evalsim.evals.asking import Asked
from evalsim.evals.conversation import Conversation
from evalsim.evals.invalid import TurnTimeout
from evalsim.evals.model.provider import Model
from evalsim.evals.model.steps import Call, Script
from evalsim.evals.turn import Turn
from evalsim.types import JsonObject

EndedBy: TypeAlias = Literal["caller", "max_turns", "agent", "timeout"]
MAX_TURNS = 12
SILENCE = "(the agent says nothing)"
CONNECTED = "(the line connects)"
NOTHING_TO_SAY = "The caller had nothing more to say."
HANGS_UP = "end_call"
DEFAULT_CALLER: Script = ("Hello.", Call(HANGS_UP, reason="The script is over."))
"""What a scripted caller does where it is given no script: it says one line, and hangs up."""
_HANG_UP: JsonObject = {
    "type": "function",
    "function": {
        "name": HANGS_UP,
        "description": "Hang up, once your goal is reached or cannot be.",
        "parameters": {"type": "object", "properties": {"reason": {"type": "string"}}},
    },
}
_INSTRUCTIONS = """You are a caller, talking to an agent. Stay in your role.
Who you are: {persona}
What you want: {goal}
Say one short thing at a time, as people do. Tell a fact only when you are asked for it. Answer what
the agent asks before you hang up. When your goal is reached or cannot be, call end_call."""


@dataclass(frozen=True, slots=True)
class CallTurn:
    """What the caller said, and the agent's turn; `latency` is in seconds, None for silence."""

    caller: str
    turn: Turn

    @property
    def latency(self) -> float | None:
        """Seconds to the agent's first words."""
        return self.turn.seconds


@dataclass(frozen=True, slots=True)
class SimulatedCall:
    """A whole call: who hung up and why, apart from whether anything was reached."""

    persona: str
    goal: str
    greeting: str | None
    turns: tuple[CallTurn, ...]
    ended_by: EndedBy
    end_reason: str | None = None

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Turns, tool calls by name, and latency in seconds: its mean, median and maximum."""
        times = [turn.latency for turn in self.turns if turn.latency is not None]
        names = [call.name for one in self.turns for call in one.turn.tool_calls]
        latency = {"mean": mean(times), "p50": median(times), "max": max(times)} if times else {}
        return {
            "turns": len(self.turns),
            "tool_calls": len(names),
            "tool_call_counts": dict(Counter(names)),
            "latency": latency,
        }

    def transcript(self) -> str:
        """Who said what."""
        lines = [f"Agent: {self.greeting}"] if self.greeting else []
        for one in self.turns:
            lines += [f"User: {one.caller}", f"Agent: {one.turn.text or SILENCE}"]
        return "\n".join([*lines, f"({self.ended_by} ended the call: {self.end_reason or '-'})"])


@dataclass(slots=True)
class Caller:
    """The caller's side: what it heard and said so far."""

    asked: Asked
    heard: list[JsonObject] = field(default_factory=list[JsonObject])

    async def next_line(self) -> tuple[str, str | None]:
        """What it says next, empty where it is silent, and why it hangs up, where it does."""
        reply = await self.asked.ask(self.heard, tools=[_HANG_UP])
        hung_up = next((call for call in reply.tool_calls if call.name == HANGS_UP), None)
        if hung_up is not None:
            return reply.text, str(hung_up.args.get("reason") or "The caller hung up.")
        return reply.text, None if reply.text.strip() else NOTHING_TO_SAY

    def says(self, line: str) -> None:
        """Remember what it said."""
        self.heard.append({"role": "assistant", "content": line})

    def hears(self, line: str) -> None:
        """Remember what the agent said."""
        self.heard.append({"role": "user", "content": line})


async def simulate_call(
    conversation: Conversation,
    *,
    persona: str,
    goal: str,
    opening: str | None = None,
    max_turns: int = MAX_TURNS,
    stub_caller: Script | Sequence[Any] = DEFAULT_CALLER,
    model: Model | str | None = None,
) -> SimulatedCall:
    """Let a caller talk to the agent until one of them ends the call, or `max_turns` are over.

    The session stays open. Raises `InvalidMeasurement` for what measured nothing.
    """
    greeting = conversation.case.suite.greeting
    asked = Asked(conversation.case, "caller", stub_caller, model)
    system = _INSTRUCTIONS.format(persona=persona, goal=goal)
    caller = Caller(asked, [{"role": "system", "content": system}])
    caller.hears(greeting or CONNECTED)
    turns: list[CallTurn] = []

    def ended(by: EndedBy, why: str | None = None) -> SimulatedCall:
        return SimulatedCall(persona, goal, greeting, tuple(turns), by, why)

    try:
        while len(turns) < max_turns:
            is_first = opening is not None and not turns
            line, hung_up = (opening or "", None) if is_first else await caller.next_line()
            if line.strip():
                caller.says(line)
                turn = await conversation.say(line)
                turns.append(CallTurn(line, turn))
                caller.hears(turn.text or SILENCE)
            if hung_up is not None:
                return ended("caller", hung_up)
            recorder = conversation.case.recorder
            if recorder.refused_by is not None:
                return ended("agent", recorder.refused_by.reason)
            if recorder.ended_by is not None:
                return ended("agent", recorder.ended_by.reason)
        return ended("max_turns", f"{max_turns} turns were over")
    except TurnTimeout as error:
        return ended("timeout", str(error))
    finally:
        asked.close()
