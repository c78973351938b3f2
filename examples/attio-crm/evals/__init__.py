"""The evals of this Recipe's agent: run `python -m pytest evals`."""
