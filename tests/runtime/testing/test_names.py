"""What `from evalsim.testing import …` gives."""

from types import ModuleType

import pytest

import evalsim.testing


@pytest.mark.parametrize("name", evalsim.testing.__all__)
def test_a_name_stays_what_it_is(name: str) -> None:
    """However often it is imported, and whichever of its modules were imported before."""
    first = getattr(evalsim.testing, name)

    assert getattr(evalsim.testing, name) is first
    assert not isinstance(first, ModuleType)
