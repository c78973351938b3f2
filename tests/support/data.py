"""Where the shared test data lies, and a clear skip where it is absent."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def data_dir() -> Path:
    """The folder of shared test data; skips the test when there is none."""
    folder = Path(os.environ.get("EVALSIM_TEST_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no shared test data: set EVALSIM_TEST_DATA to its folder")
    return folder


def captures() -> list[Path]:
    """Every real `tools/list` capture, sorted; empty where the data is absent."""
    folder = Path(os.environ.get("EVALSIM_TEST_DATA", PROJECT.parent / "shared" / "data"))
    return sorted((folder / "captures").glob("*.json"))


def description_files() -> list[Path]:
    """Every published OpenAPI description, sorted; empty where the data is absent."""
    folder = Path(os.environ.get("EVALSIM_TEST_DATA", PROJECT.parent / "shared" / "data"))
    found = (folder / "openapi").rglob("*.*")
    return sorted(path for path in found if _is_description(path))


def _is_description(path: Path) -> bool:
    """Neither prose nor fixtures, nor one of the parts of a description in several files."""
    part = "petstore-separate" in path.parts and path.stem != "swagger"
    return path.suffix in (".json", ".yaml") and path.stem != "stripe-fixtures3" and not part
