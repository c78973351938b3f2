"""The start-up check: everything that keeps a fake from being served, found before it starts."""

from collections.abc import Iterator

from evalsim.protocol.versions import legacy_up_to
from evalsim.recipe.loader import LoadedFake


def start_problems(fake: LoadedFake) -> list[str]:
    """Why the fake cannot be served; empty when its handlers, manifest and contract agree."""
    return [
        *fake.problems,
        *_handler_problems(fake),
        *_manifest_problems(fake),
        *_version_problems(fake),
    ]


def undeclared_tools(fake: LoadedFake) -> list[str]:
    """The tools whose successful answer is declared nowhere."""
    return [tool.name for tool in fake.tools if tool.answer is None]


def _handler_problems(fake: LoadedFake) -> Iterator[str]:
    what = _WHAT[fake.kind][0]
    for name in fake.contract:
        if name not in fake.handlers:
            yield (
                f"{fake.id}: no handler answers the {what} {name!r}: run `evalsim generate "
                f"{fake.id}` for a stub."
            )
    for name, handler in fake.handlers.items():
        if name not in fake.contract:
            yield fake.available.problem(name, handler.where)


def _manifest_problems(fake: LoadedFake) -> Iterator[str]:
    path, (_, block, advice) = fake.folder / "manifest.json", _WHAT[fake.kind]
    entries = fake.manifest.entries
    for name in fake.contract:
        if name not in entries:
            yield f"{path}: {block} has no entry for {name!r}: say what it reads and writes."
    for name in entries:
        if name not in fake.contract:
            yield (
                f"{path}: {block} names {name!r}, which is not in the contract: remove it, or "
                f"{advice} and run `evalsim generate {fake.id}`."
            )


def _version_problems(fake: LoadedFake) -> Iterator[str]:
    try:
        legacy_up_to(fake.manifest.server.get("protocolVersion"))
    except ValueError as error:
        yield f"{fake.folder / 'manifest.json'}: server.protocolVersion: {error}"


_WHAT = {
    "mcp": ("tool", "tools", "allow the tool"),
    "api": ("operation", "operations", "capture the operation"),
}
"""What a fake of each kind has, the manifest's block of them, and how to come by one more."""
