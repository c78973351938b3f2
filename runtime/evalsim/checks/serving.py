"""Check: a fake serves the tools its Recipe allows, as they were captured and in their order."""

from evalsim.checks.calling import started
from evalsim.checks.subject import Finding, Findings, Subject
from evalsim.contract.inputs import read_inputs
from evalsim.hosting.check import undeclared_tools
from evalsim.recipe.allow import allowed_tools
from evalsim.recipe.loader import LoadedFake
from evalsim.types import JsonObject


def serves_allowed_tools(subject: Subject, fake: LoadedFake) -> Findings:
    """`tools/list` is the captured tools that package.json allows, in captured order."""
    captured = read_inputs(fake.folder).tools
    allowed = allowed_tools(subject.package, fake.id)
    for name in allowed.unknown(captured):
        yield Finding(
            f"package.json names the tool {name!r}, which was not captured: correct the name, or "
            f"capture the server again with `evalsim capture {fake.id}`."
        )
    expected = [captured[name].served for name in allowed.pick(captured)]
    with started(subject, fake) as instance:
        served = instance.tools()
    yield from _differences(fake.id, expected, served)


def declares_every_answer(_subject: Subject, fake: LoadedFake) -> Findings:
    """Each tool says what it answers: in its outputSchema, answers.json or beside its handler."""
    for name in undeclared_tools(fake):
        yield Finding(
            f"{name!r} declares no answer, so nothing holds its handler to one: observe the real "
            f"server (`evalsim observe {fake.id}`) and generate again, add an entry to "
            f'answers.json, or write @handler("{name}", answer=…).'
        )


def _differences(fake_id: str, expected: list[JsonObject], served: list[JsonObject]) -> Findings:
    wanted, given = [tool["name"] for tool in expected], [tool["name"] for tool in served]
    again = f"run `evalsim generate {fake_id}`"
    for name in wanted:
        if name not in given:
            yield Finding(f"{name!r} is allowed by package.json and is not served: {again}.")
    for name in given:
        if name not in wanted:
            yield Finding(
                f"{name!r} is served, and package.json does not allow it: allow it there, or "
                f"{again} without it."
            )
    if sorted(wanted) == sorted(given) and wanted != given:
        first = next(name for name, other in zip(wanted, given, strict=True) if name != other)
        place = wanted.index(first)
        yield Finding(
            f"The tools are served in another order than the real server lists them: it has "
            f"{first!r} at place {place + 1}, and the fake {given[place]!r}: {again}."
        )
    by_name = {tool["name"]: tool for tool in served}
    for tool in expected:
        if (other := by_name.get(tool["name"])) is not None and other != tool:
            keys = [key for key in {**tool, **other} if tool.get(key) != other.get(key)]
            yield Finding(
                f"{tool['name']!r} is served with another {', '.join(keys)} than the real server "
                f"listed: tools.json is served as captured, so {again}."
            )
