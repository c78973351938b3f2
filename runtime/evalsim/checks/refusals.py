"""Check: what the captured input schema refuses is refused, and leaves the state as it was."""

import json

from evalsim.answers import is_refused, text_of
from evalsim.checks.arguments import BadCall, bad_calls
from evalsim.checks.calling import Instance, started
from evalsim.checks.recorded import answered_args
from evalsim.checks.subject import Finding, Findings, Subject
from evalsim.recipe.loader import LoadedFake
from evalsim.types import JsonObject

_REFUSED = "Input validation error: "
_SHOWN = 200


def refuses_bad_calls(subject: Subject, fake: LoadedFake) -> Findings:
    """No call with one fault in its arguments reaches a handler or changes the state."""
    known = answered_args(subject, fake.id)
    with started(subject, fake) as instance:
        for tool in fake.tools:
            for bad in bad_calls(tool.captured, known.get(tool.name)):
                yield from _fault(instance, tool.name, bad)


def _fault(instance: Instance, tool: str, bad: BadCall) -> Findings:
    before = instance.state()
    result = instance.call(tool, bad.args)
    called = f"{tool!r} called {bad.fault}: {_shown(bad.args)}"
    gate = "arguments are refused by the captured input schema before a handler runs"
    if not is_refused(result):
        yield Finding(
            f"{called} is answered, and the real server refuses it. The {gate}: generate the "
            "fake again, and leave the gate of its contract alone."
        )
    elif not (text_of(result) or _REFUSED).startswith(_REFUSED):
        yield Finding(
            f"{called} reaches the handler, which says {text_of(result)!r}; the real server "
            f"refuses it by its schema. The {gate}."
        )
    if instance.state() != before:
        yield Finding(f"{called} changes the state, though the real server refuses it. The {gate}.")


def _shown(args: JsonObject) -> str:
    text = json.dumps(args, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
