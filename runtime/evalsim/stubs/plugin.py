"""The pytest fixtures of stubs: harnesses that are closed by how their test went.

Nothing of the harness is imported before a test asks for one.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pytest

from evalsim.stubs.values import is_sequence

if TYPE_CHECKING:
    from evalsim.stubs.harness import Harness

MARK = "harness"
NewHarness: TypeAlias = "Callable[..., Harness]"
"""Makes a harness; takes what `Harness` takes."""
_BROKEN = pytest.StashKey[bool]()


@dataclass(slots=True)
class HarnessMaker:
    """Makes the harnesses of one test, and closes them all."""

    test: str
    """The id of the test, which owns what its harnesses record."""
    module: Path
    """The test's file; cassettes lie relative to its folder."""
    claims: Callable[[], Path]
    """The folder in which the processes of a run tell each other who records where."""
    made: "list[Harness]" = field(default_factory=list["Harness"])

    def __call__(self, *stubs: Any, cassette: Any = None, **options: Any) -> "Harness":
        """A new harness; a cassette's path is relative to the folder of the test's file."""
        from evalsim.stubs.harness import Harness  # noqa: PLC0415  most runs have no harness

        if isinstance(cassette, str | Path):
            cassette = self.module.parent / cassette
        harness = Harness(*stubs, cassette=cassette, **options)
        self.made.append(harness)
        if harness.rewrites:
            self._claim(cassette)
        return harness

    def close(self, *, failed: bool) -> None:
        """Close every harness; what went wrong is raised once all are closed."""
        faults: list[Exception] = []
        for harness in self.made:
            try:
                harness.close(failed=failed)
            except Exception as fault:
                faults.append(fault)
        if len(faults) > 1:
            raise ExceptionGroup(f"{self.test}: harnesses could not be closed", faults)
        if faults:
            raise faults[0]

    def _claim(self, cassette: Path) -> None:
        """Make a cassette this test's own: of two that write it anew, one would be lost."""
        from evalsim.stubs.errors import CassetteError  # noqa: PLC0415

        folder = self.claims() / "cassettes"
        folder.mkdir(exist_ok=True)
        name = hashlib.sha256(str(cassette.resolve()).encode()).hexdigest()[:32]
        claim = folder / name
        try:
            with claim.open("x", encoding="utf-8") as file:
                file.write(self.test)
        except FileExistsError:
            owner = claim.read_text("utf-8")
            if owner != self.test:
                told = f"{cassette} is recorded by {owner or 'another test'} in this run"
                what = f"{told}, and {self.test} would replace it: give each its own file."
                raise CassetteError(what) from None


@pytest.fixture
def new_harness(request: pytest.FixtureRequest) -> Iterator[NewHarness]:
    """Makes harnesses that are closed, and saved if the test passed, when it is over."""
    from evalsim.testing.plugin import run_recordings  # noqa: PLC0415  the two import each other

    item = cast("pytest.Item", request.node)  # pyright: ignore[reportUnknownMemberType]
    item.stash[_BROKEN] = False
    recordings = run_recordings(request.config)
    assert recordings is not None
    make = HarnessMaker(item.nodeid, request.path, lambda: recordings.folder)
    yield make
    make.close(failed=item.stash[_BROKEN])


@pytest.fixture
def harness(request: pytest.FixtureRequest, new_harness: NewHarness) -> "Harness":
    """A harness as the `harness` marks of the test, its class and its module say.

    The stubs of nearer marks come first; of any other option the nearest mark decides.
    `cassette=True` is the file cassettes/<module>/<test>.json beside the test's file.
    """
    item = cast("pytest.Item", request.node)  # pyright: ignore[reportUnknownMemberType]
    options = _marked(item)
    if options.get("cassette") is True:
        options["cassette"] = _default_cassette(item)
    made = new_harness(**options)
    made.made_at = (str(item.path), (item.location[1] or 0) + 1)
    return made


def _marked(item: pytest.Item) -> dict[str, Any]:
    """The options of all marks as one, the nearest first."""
    options: dict[str, Any] = {}
    stubs: list[Any] = []
    for mark in item.iter_markers(MARK):
        given: Mapping[str, Any] = mark.kwargs
        for layer in (*mark.args, given.get("stubs", ())):
            stubs.extend(layer if is_sequence(layer) else (layer,))
        options = {**given, **options}
    return {**options, "stubs": stubs} if stubs else options


def _default_cassette(item: pytest.Item) -> str:
    name = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in item.name)
    if name != item.name:
        name = f"{name}-{hashlib.sha256(item.name.encode()).hexdigest()[:6]}"
    folders = [part.name for part in item.listchain() if isinstance(part, pytest.Class)]
    return str(Path("cassettes", item.path.stem, *folders, f"{name}.json"))


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> None:
    """Note that a test with a harness did not pass, for the closing of the harness."""
    if call.excinfo is not None and _BROKEN in item.stash:
        item.stash[_BROKEN] = True
