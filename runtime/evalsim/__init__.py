"""evalsim: typed, stateful fakes of the services an agent uses, for evals."""

__version__ = "0.1.0"
