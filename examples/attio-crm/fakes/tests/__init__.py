"""The tests of these fakes: run `python -m pytest fakes/tests`."""
