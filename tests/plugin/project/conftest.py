"""A project that never heard of evalsim, and has fixtures of the same names."""

import pytest


@pytest.fixture
def services():
    return "mine"


@pytest.fixture
def fakes():
    return ["mine"]


@pytest.fixture
def check():
    return "mine"
