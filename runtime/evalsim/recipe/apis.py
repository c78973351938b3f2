"""Loading an API fake: its description, contract and handlers, by the rules that hold for tools."""

from evalsim.api.contract import ApiContract
from evalsim.api.hooks import collect_hooks
from evalsim.api.loading import load_api, read_api_inputs
from evalsim.contract.manifest import Manifest
from evalsim.recipe.handlers import collect_handlers
from evalsim.recipe.leftover import Operations
from evalsim.recipe.loader import LoadedFake
from evalsim.recipe.source import Source


def load_api_fake(source: Source, manifest: Manifest, siblings: frozenset[str]) -> LoadedFake:
    """The API fake in a folder; raises `RecipeError` or `DocumentError` as `load_fakes` does."""
    inputs = read_api_inputs(source.folder)
    state_type = source.state_type()
    contract = source.contract(ApiContract)
    names = {one.key: one.name for one in inputs.operations}
    available = Operations(source.fake, names, contract.operations)
    modules = source.user_modules(available)
    handlers, problems = collect_handlers(modules, names)
    hooks, unusable = collect_hooks(source.fake, modules)
    api, unprepared = load_api(contract, manifest, inputs, hooks)
    return LoadedFake(
        id=source.fake,
        kind="api",
        folder=source.folder,
        manifest=manifest,
        answered=None,
        state_type=state_type,
        tools=(),
        handlers=handlers,
        problems=(*problems, *unusable, *unprepared),
        available=available,
        siblings=siblings,
        api=api,
    )
