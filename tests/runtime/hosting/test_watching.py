"""Watching calls in the process that serves them: told when they arrive, and how they end."""

import asyncio
from pathlib import Path

import orjson

from evalsim.host import load_fakes, start_services
from evalsim.testing import call, connect
from support.fakes import CLOCK, write_recipe


class Watch:
    """Notes what it is told, and lets calls pass once it may."""

    def __init__(self) -> None:
        self.may_pass = asyncio.Event()
        self.told: list[tuple[object, ...]] = []

    async def arrived(self, fake: str, name: str, number: int, sent: bytes, /) -> None:
        self.told.append(("arrived", fake, name, number, orjson.loads(sent)))
        await self.may_pass.wait()

    def ended(self, number: int, line: bytes, /) -> None:
        self.told.append(("ended", number, orjson.loads(line)))


def test_a_call_is_told_of_as_it_arrives_and_as_it_ends(tmp_path: Path) -> None:
    """A held call has changed nothing; once let go, its line says what it changed."""
    write_recipe(tmp_path)

    async def check() -> None:
        watch = Watch()
        services = start_services(
            load_fakes(tmp_path / "fakes"), clock=CLOCK, journal=True, watch=watch
        )
        async with services, connect(services, "crm") as crm:
            adding = asyncio.create_task(call(crm, "add-deal", {"name": "Bolt"}))
            while not watch.told:
                await asyncio.sleep(0.001)
            assert [("arrived", "crm", "add-deal", 1, {"name": "Bolt"})] == watch.told
            assert ["Acme"] == [deal.name for deal in services.states["crm"].deals]

            watch.may_pass.set()
            await adding

            _, (_, number, line) = watch.told
            assert 1 == number
            assert isinstance(line, dict)
            assert "deals" == line["changes"][0]["entity"]

    asyncio.run(check())
