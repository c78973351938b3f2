"""Hosting fakes: loading a Recipe and serving it in a world.

from evalsim.host import load_fakes, start_services
"""

from evalsim.errors import DocumentError, EvalsimError, RecipeError, StartError, UnknownScenario
from evalsim.hosting.services import Services
from evalsim.hosting.sidecar import Settings, read_settings, serve_sidecar
from evalsim.hosting.start import start_services
from evalsim.recipe.loader import LoadedFake, LoadedRecipe, load_fakes
from evalsim.world.clock import Clock
from evalsim.world.faults import Fault
from evalsim.world.state import StateError

__all__ = [
    "Clock",
    "DocumentError",
    "EvalsimError",
    "Fault",
    "LoadedFake",
    "LoadedRecipe",
    "RecipeError",
    "Services",
    "Settings",
    "StartError",
    "StateError",
    "UnknownScenario",
    "load_fakes",
    "read_settings",
    "serve_sidecar",
    "start_services",
]
