"""Holding the user's handlers against the plan: what is missing, no longer fits, or changed."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from evalsim.protocol.versions import legacy_up_to
from evalsim_generator.fakes import AnyCapture
from evalsim_generator.handwritten.changes import Change, diff, uses_of
from evalsim_generator.handwritten.find import Handler
from evalsim_generator.handwritten.scenarios import scenario_problems
from evalsim_generator.handwritten.signatures import misfit
from evalsim_generator.handwritten.stubs import (
    KINDS,
    Stub,
    append_stubs,
    new_module,
    stub_module,
)
from evalsim_generator.output.compare import Finding, Kind
from evalsim_generator.output.ledger import GENERATED
from evalsim_generator.plan.plan import FakePlan, OperationPlan, ToolPlan
from evalsim_generator.problems import Problem


def missing_stubs(capture: AnyCapture, plan: FakePlan) -> list[Stub]:
    """A stub for each planned tool that no module handles, in captured order."""
    handled = {handler.tool for handler in capture.found.handlers}
    return [stub_of(tool) for tool in plan.tools if tool.name not in handled]


def stub_of(tool: ToolPlan | OperationPlan) -> Stub:
    """The stub a tool or operation starts from."""
    return Stub(tool.name, tool.function, tool.args_type, tool.result_type, tool.summary)


def with_stubs(folder: Path, stubs: list[Stub], fake_id: str) -> dict[Path, bytes]:
    """The handlers' module with the missing stubs at its end; nothing when none is missing."""
    name, dots = stub_module(folder)
    path, kind = folder / name, KINDS[folder.parent.name]
    if not path.exists():
        return {path: new_module(stubs, fake_id, kind).encode()}
    return {path: append_stubs(path.read_bytes(), stubs, dots, kind)} if stubs else {}


def missing_handlers(capture: AnyCapture, plan: FakePlan) -> list[Finding]:
    """Tools that have no handler yet."""
    where = f"{capture.label}/{stub_module(capture.folder)[0]}"
    return [
        Finding(where, "handler", f"missing handler: {stub.tool}")
        for stub in missing_stubs(capture, plan)
    ]


def left_to_the_user(capture: AnyCapture, plan: FakePlan) -> list[Finding]:
    """What no generating mends: handlers and manifest entries that no longer fit the tools."""
    tools: dict[str, ToolPlan | OperationPlan] = {tool.name: tool for tool in plan.tools}
    found = [
        *_handler_faults(capture, tools),
        *_lost_models(capture, plan),
        *_manifest_faults(capture, tools),
    ]
    return [Finding(place, kind, detail, by_hand=True) for place, kind, detail in found]


def scenario_findings(fakes: Path) -> list[Finding]:
    """Why the Recipe's scenarios cannot be loaded, which only their author mends."""
    return [
        Finding(problem.where, "scenario", _told(problem), by_hand=True)
        for problem in scenario_problems(fakes)
    ]


def _told(problem: Problem) -> str:
    return f"{problem.what}; {problem.do[:1].lower()}{problem.do[1:]}"


def _handler_faults(
    capture: AnyCapture, tools: Mapping[str, ToolPlan | OperationPlan]
) -> Iterator[tuple[str, Kind, str]]:
    """Handlers whose tool is gone, whose signature no longer fits, that clash or cannot be read."""
    for handler in capture.found.handlers:
        place = f"{capture.label}/{handler.place}"
        if handler.tool not in tools:
            yield place, "handler", _gone(handler, capture)
        elif fault := misfit(handler, stub_of(tools[handler.tool])):
            yield place, "handler", f"{handler.tool}: {fault}"
    for problem in capture.found.problems:
        yield problem.where, "handler", _told(problem)


def _lost_models(capture: AnyCapture, plan: FakePlan) -> Iterator[tuple[str, Kind, str]]:
    """Imports of models that will not be there."""
    models = plan.type_names
    for name, place in capture.found.models:
        if name not in models:
            what = f"it imports {name} from .models, which has no such name; mend the import"
            yield f"{capture.label}/{place}", "handler", what


def _manifest_faults(
    capture: AnyCapture, tools: Mapping[str, ToolPlan | OperationPlan]
) -> Iterator[tuple[str, Kind, str]]:
    if capture.manifest is None:
        return
    where = f"{capture.label}/manifest.json"
    for name in capture.manifest.entries:
        if name not in tools:
            what = (
                f"{_block(capture)} names {name!r}, which is {_absent(capture)}; remove its entry"
            )
            yield where, "manifest", what
    try:
        legacy_up_to(capture.manifest.server.get("protocolVersion"))
    except ValueError as error:
        yield where, "manifest", f"server.protocolVersion: {error}"


def _gone(handler: Handler, capture: AnyCapture) -> str:
    why = "not allowed" if handler.tool in capture.captured else "not captured"
    noun = f"an {_noun(capture)}" if _noun(capture)[0] == "o" else f"a {_noun(capture)}"
    return f"a handler for {noun} that is {why}: {handler.tool}; remove it"


def _noun(capture: AnyCapture) -> str:
    return "tool" if capture.source == "tools.json" else "operation"


def _block(capture: AnyCapture) -> str:
    return f"{_noun(capture)}s"


def _absent(capture: AnyCapture) -> str:
    allowed = capture.source == "tools.json"
    return "not an allowed tool" if allowed else "no operation of openapi.json"


def contract_changes(capture: AnyCapture, plan: FakePlan) -> list[str]:
    """What changed in each tool since it was last generated, breaking changes marked."""
    before = capture.ledger.tools
    if not before:
        return []
    lines = [f"{capture.label}/{capture.source}: changed since it was last generated:"]
    planned = {tool.name for tool in plan.tools}
    lines += [f"{name}: removed (breaking)" for name in before if name not in planned]
    for tool in plan.tools:
        old = before.get(tool.name)
        if old is None:
            lines.append(f"{tool.name}: new")
        else:
            changes = diff(tool.name, old.arguments, tool.record.arguments)
            lines += _lines(changes, tool.name, capture)
            parts = [p for p, mark in tool.record.parts.items() if old.parts.get(p) != mark]
            lines += [
                f"{tool.name}: {p} changed"
                for p in parts
                if p not in ("arguments", "request") or not changes
            ]
    return lines if len(lines) > 1 else []


def _lines(changes: Iterable[Change], tool: str, capture: AnyCapture) -> Iterator[str]:
    for change in changes:
        yield f"{change.text} (breaking)" if change.breaking else change.text
        if change.removed_argument is not None:
            for place in uses_of(capture.folder, GENERATED, tool, change.removed_argument):
                yield f"    used at {capture.label}/{place}"
