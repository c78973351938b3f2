"""Tests of all outcomes."""

import sys

import pytest

HEAVY = ("evalsim.host", "evalsim.errors", "pydantic", "orjson", "starlette", "mcp")


@pytest.mark.mine
@pytest.mark.parametrize("scenario", ["one", "two"])
def test_mine(services, fakes, scenario, check):
    assert (services, fakes, check) == ("mine", ["mine"], "mine")
    assert scenario in ("one", "two")


@pytest.mark.parametrize("check", [1, 2])
def test_checks_of_their_own(check):
    assert check


def test_nothing_heavy_is_imported():
    assert [name for name in HEAVY if name in sys.modules] == []


def test_fails():
    assert sys.version == "1"


@pytest.mark.xfail(reason="known")
def test_is_expected_to_fail():
    assert sys.version == "1"


@pytest.mark.skip(reason="not today")
def test_is_skipped():
    pass


def test_temporary_folders(tmp_path):
    (tmp_path / "file").write_text("")
