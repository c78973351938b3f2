"""Loading a Recipe as one private package."""

import json
import pickle
import sys
from pathlib import Path

import pytest

from evalsim.errors import EvalsimError, RecipeError, UnknownScenario
from evalsim.host import load_fakes, start_services
from evalsim.hosting.check import start_problems
from support.fakes import (
    ADD_DEAL,
    ENTITIES,
    HANDLERS,
    MODELS,
    write_contract,
    write_fake,
    write_recipe,
    write_scenarios,
)

WRAPPED = HANDLERS.replace(
    '@handler("add-deal")\n',
    "def plain(function):\n    def inner(*args):\n        return function(*args)\n"
    '    return inner\n\n@handler("add-deal")\n@plain\n',
)


def test_a_recipe_is_a_mapping_of_its_fakes(tmp_path: Path) -> None:
    """Fakes by id, hyphens included, with the Recipe's world and scenarios."""
    recipe = load_fakes(write_recipe(tmp_path, "crm", "light-app"))

    assert list(recipe) == ["crm", "light-app"]
    assert recipe.SCENARIOS == ("quiet", "busy")
    assert recipe.world is not None
    assert [tool.name for tool in recipe["light-app"].tools] == ["list-deals", "add-deal"]
    assert recipe["light-app"].problems == ()


def test_a_recipe_loads_from_its_root_and_only_once(tmp_path: Path) -> None:
    """One process and path has one set of classes, whichever folder named it."""
    fakes = write_recipe(tmp_path)

    assert load_fakes(fakes) is load_fakes(tmp_path)
    assert load_fakes(fakes)["crm"].state_type is load_fakes(tmp_path)["crm"].state_type


def test_two_recipes_with_equal_ids_are_apart(tmp_path: Path) -> None:
    """Both are loaded in one process, and neither sees the other's modules."""
    one = load_fakes(write_recipe(tmp_path / "one"))
    two = load_fakes(write_recipe(tmp_path / "two"))

    assert one["crm"].state_type is not two["crm"].state_type
    assert one["crm"].state_type.__module__ != two["crm"].state_type.__module__


def test_nothing_of_a_recipe_is_on_the_path(tmp_path: Path) -> None:
    """Its modules have private names alone, so no folder of it can hide a package."""
    before = list(sys.path)

    fakes = write_recipe(tmp_path)
    load_fakes(fakes)

    assert before == sys.path
    assert not [name for name in sys.modules if name.split(".")[0] in ("fakes", "scenarios")]
    # The folder fakes/mcp has not become the package the SDK has the name of
    sdk = sys.modules.get("mcp")
    assert sdk is None or str(fakes) not in str(sdk.__path__)


def test_states_pickle_within_the_process(tmp_path: Path) -> None:
    """The package stays in sys.modules, where pickle and pydantic look classes up."""
    state = load_fakes(write_recipe(tmp_path))["crm"].state_type(deals=[{"id": "a", "name": "A"}])

    assert state == pickle.loads(pickle.dumps(state))


def test_scenarios_import_their_fakes_relatively(tmp_path: Path) -> None:
    """`from ..mcp.crm.entities import State` works where the ids are identifiers."""
    write_fake(tmp_path / "fakes")
    write_scenarios(
        tmp_path / "fakes",
        """
        from ..mcp.crm.entities import State
        SCENARIOS = ()
        def world(*, clock):
            return {"crm": State()}
        """,
    )

    recipe = load_fakes(tmp_path / "fakes")

    assert recipe.world is not None
    assert isinstance(recipe.world(clock=None)["crm"], recipe["crm"].state_type)


def test_handlers_may_be_split_over_modules_and_folders(tmp_path: Path) -> None:
    """Every module of the fake's folder that is not generated is read for handlers."""
    head = HANDLERS.partition("@handler")[0]
    first, second = HANDLERS.split('@handler("add-deal")')
    fakes = write_recipe(tmp_path, handlers=first)
    (fakes / "mcp" / "crm" / "writing").mkdir()
    deeper = head.replace("from .", "from ..") + '@handler("add-deal")' + second
    (fakes / "mcp" / "crm" / "writing" / "deals.py").write_text(deeper)

    fake = load_fakes(fakes)["crm"]

    assert {"list-deals", "add-deal"} == set(fake.handlers)
    assert "deals.py:" in fake.handlers["add-deal"].where


def test_annotations_are_never_evaluated(tmp_path: Path) -> None:
    """A type that exists for type checkers only keeps no handler from loading."""
    handlers = HANDLERS.replace(
        "from .entities import Deal, State",
        "from typing import TYPE_CHECKING\nfrom .entities import Deal\n"
        "if TYPE_CHECKING:\n    from .entities import State",
    )
    fakes = write_recipe(tmp_path, handlers="from __future__ import annotations\n" + handlers)

    assert load_fakes(fakes)["crm"].problems == ()


def test_a_function_that_another_module_imports_is_one_handler(tmp_path: Path) -> None:
    """The same function found twice is no second handler."""
    fakes = write_recipe(tmp_path)
    (fakes / "mcp" / "crm" / "again.py").write_text("from .handlers import add_deal\n")

    assert load_fakes(fakes)["crm"].problems == ()


def test_two_handlers_of_one_tool_are_a_problem(tmp_path: Path) -> None:
    """The second one is named with the place of the first."""
    twice = '@handler("add-deal")\ndef again(args, state):\n    return {}\n'
    fakes = write_recipe(tmp_path, handlers=HANDLERS + twice)

    (problem,) = load_fakes(fakes)["crm"].problems

    assert "'add-deal'" in problem
    assert "already handles this tool" in problem
    assert problem.count("handlers.py:") == 2


@pytest.mark.parametrize(
    ("handlers", "expected"),
    [
        (WRAPPED, "functools.wraps"),
        (HANDLERS.replace("args: models.AddDealArgs, state: State, call: Call", "args"), "(args)"),
        (HANDLERS.replace("call: Call", "call, more"), "(args, state, call, more)"),
        (HANDLERS.replace("call: Call", "*, call"), "(args, state, call)"),
    ],
)
def test_a_handler_whose_parameters_do_not_fit_is_a_problem(
    tmp_path: Path, handlers: str, expected: str
) -> None:
    """What a handler takes must be visible: (args, state) or (args, state, call)."""
    (problem,) = load_fakes(write_recipe(tmp_path, handlers=handlers))["crm"].problems

    assert "'add-deal'" in problem
    assert expected in problem


def test_a_wrapped_handler_keeps_its_parameters(tmp_path: Path) -> None:
    """functools.wraps shows what the wrapper takes."""
    honest = WRAPPED.replace("    def inner", "    @functools.wraps(function)\n    def inner")
    fakes = write_recipe(tmp_path, handlers="import functools\n" + honest)

    fake = load_fakes(fakes)["crm"]

    assert fake.problems == ()
    assert fake.handlers["add-deal"].takes_call


@pytest.mark.parametrize(
    ("module", "text", "expected"),
    [
        ("handlers", "import nothing_like_it\n", r"handlers\.py:1: ModuleNotFoundError"),
        ("handlers", "x = 1\n1 / 0\n", r"handlers\.py:2: ZeroDivisionError"),
        ("handlers", "\ndef broken(:\n", r"handlers\.py:2: SyntaxError"),
        ("handlers", "raise SystemExit(1)\n", r"handlers\.py:1: SystemExit"),
        ("entities", "Stat = dict\n", r"entities\.py exports no State"),
        ("contract", "CONTRACT = None\n", r"contract\.py holds no CONTRACT: run `evalsim generate"),
    ],
)
def test_what_a_module_raises_is_one_sentence(
    tmp_path: Path, module: str, text: str, expected: str
) -> None:
    """File, line and error, not a traceback; a corrected module then loads."""
    fakes = write_recipe(tmp_path)
    path = fakes / "mcp" / "crm" / f"{module}.py"
    right = path.read_text()
    path.write_text(text)

    with pytest.raises(RecipeError, match=expected):
        load_fakes(fakes)

    path.write_text(right + "\n")
    assert list(load_fakes(fakes)) == ["crm"]


def test_a_half_made_fake_is_named(tmp_path: Path) -> None:
    """A folder without a manifest.json is never skipped in silence."""
    fakes = write_recipe(tmp_path)
    (fakes / "mcp" / "mail").mkdir()

    with pytest.raises(RecipeError, match=r"mail is half-made: it has no manifest\.json"):
        load_fakes(fakes)


def test_folders_that_tools_leave_are_no_fakes(tmp_path: Path) -> None:
    """Caches and hidden folders are passed over."""
    fakes = write_recipe(tmp_path)
    for name in ("__pycache__", ".mypy_cache"):
        (fakes / "mcp" / name).mkdir()

    assert list(load_fakes(fakes)) == ["crm"]


@pytest.mark.parametrize("fake_id", ["health", "_evalsim", "a.b", "a b", "-x"])
def test_an_id_that_cannot_be_served_is_refused(tmp_path: Path, fake_id: str) -> None:
    """Ids are parts of addresses and module names, beside the host's own routes."""
    write_fake(tmp_path / "fakes", fake_id)

    with pytest.raises(RecipeError, match="The id"):
        load_fakes(tmp_path / "fakes")


def test_an_id_is_used_once_over_mcp_and_api(tmp_path: Path) -> None:
    """A record line, a state and an address name one fake."""
    fakes = write_recipe(tmp_path)
    (fakes / "api" / "crm").mkdir(parents=True)
    (fakes / "api" / "crm" / "manifest.json").write_text("{}")

    with pytest.raises(RecipeError, match="two fakes are named 'crm'"):
        load_fakes(fakes)


def test_a_subset_serves_only_those(tmp_path: Path) -> None:
    """The ids asked for, in the Recipe's order; an unknown one names those there are."""
    recipe = load_fakes(write_recipe(tmp_path, "cal", "crm", "mail"))

    assert list(recipe.subset(["mail", "cal"])) == ["cal", "mail"]
    with pytest.raises(RecipeError, match="no fake 'slack'; it has: cal, crm, mail"):
        recipe.subset(["slack"])


def test_scenarios_without_a_world_are_refused(tmp_path: Path) -> None:
    """A Recipe's scenarios export the function that builds them."""
    write_fake(tmp_path / "fakes")
    write_scenarios(tmp_path / "fakes", "SCENARIOS = ()")

    with pytest.raises(RecipeError, match=r"exports no function world\(scenario, clock\)"):
        load_fakes(tmp_path / "fakes")


def test_a_folder_that_does_not_exist_is_said(tmp_path: Path) -> None:
    """A misspelt folder never leads to other fakes."""
    write_recipe(tmp_path)

    with pytest.raises(RecipeError, match="fakse is no folder"):
        load_fakes(tmp_path / "fakse")


def test_an_empty_fake_is_refused_with_the_command_that_helps(tmp_path: Path) -> None:
    """A fake that was captured but not generated says how to generate it."""
    folder = write_fake(tmp_path / "fakes", tools=[ADD_DEAL], entities=ENTITIES)
    (folder / "contract.py").unlink()

    with pytest.raises(EvalsimError, match="run `evalsim generate crm`"):
        load_fakes(tmp_path / "fakes")


def narrowed(tmp_path: Path, handlers: str, *allowed: str) -> Path:
    """A fake whose generated modules have only list-deals, with handlers of two tools."""
    fakes = write_recipe(tmp_path, handlers=handlers)
    (fakes / "mcp" / "crm" / "models.py").write_text(MODELS.partition("class AddDealArgs")[0])
    write_contract(fakes / "mcp" / "crm", ["list-deals"])
    servers = [{"id": "crm", "tools": ["list-deals", *allowed]}]
    (tmp_path / "package.json").write_text(json.dumps({"pi": {"mcp": {"servers": servers}}}))
    return fakes


GONE = "; remove its handler (fakes/mcp/crm/handlers.py:12)"
LEFT = f"add-deal is no longer allowed by package.json{GONE}, or allow it and run "


@pytest.mark.parametrize("async_", [False, True])
def test_a_handler_that_is_no_longer_allowed_is_named(tmp_path: Path, async_: bool) -> None:
    """Its annotations name what was generated away; what to remove is said instead."""
    handlers = HANDLERS.replace("def add_deal", "async def add_deal") if async_ else HANDLERS
    fakes = narrowed(tmp_path, handlers)

    with pytest.raises(RecipeError) as caught:
        load_fakes(fakes)

    assert str(caught.value) == f"{LEFT}`evalsim generate crm`."


def test_a_handler_that_is_no_longer_allowed_is_named_where_it_imports(tmp_path: Path) -> None:
    """A module may import the name that is gone; both places are said."""
    handlers = HANDLERS.replace("from . import models", "from .models import AddDealArgs")
    fakes = narrowed(tmp_path, handlers)

    with pytest.raises(RecipeError) as caught:
        load_fakes(fakes)

    first, second = str(caught.value).splitlines()
    assert first.startswith(
        "fakes/mcp/crm/handlers.py:3: ImportError: cannot import name 'AddDealA"
    )
    assert "_evalsim" not in first
    assert second.startswith(LEFT)


def test_a_handler_that_imports_but_is_not_allowed_is_named(tmp_path: Path) -> None:
    """Where nothing of it fails to import, the start says so, and whether it was captured."""
    handlers = HANDLERS.replace("args: models.AddDealArgs", "args")
    fake = load_fakes(narrowed(tmp_path / "one", handlers))["crm"]
    assert start_problems(fake)[0] == f"{LEFT}`evalsim generate crm`."

    fake = load_fakes(narrowed(tmp_path / "two", handlers, "add-deal"))["crm"]
    assert "add-deal is not yet in the contract of crm, but has a han" in start_problems(fake)[0]

    gone = handlers.replace('"add-deal"', '"sub-deal"')
    fake = load_fakes(narrowed(tmp_path / "three", gone))["crm"]
    assert start_problems(fake)[0] == (
        "sub-deal is not in the tools.json of crm; remove its handler "
        "(fakes/mcp/crm/handlers.py:12)."
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "from .models import Dael",
            "ImportError: cannot import name 'Dael' from 'fakes.mcp.",
        ),
        ("models.Dael", "AttributeError: module 'fakes.mcp.crm.models' has no attribute 'Dael'"),
        ("from .contract import handlr", "ImportError: cannot import name 'handlr' from 'fakes."),
    ],
)
def test_a_name_that_no_generated_module_has_is_said(tmp_path: Path, line: str, said: str) -> None:
    """Where it is used, and what to do, without the private name of the package."""
    head, tail = HANDLERS.split("\n\n", 1)
    fakes = write_recipe(tmp_path, handlers=f"{head}\n{line}\n{tail}")

    with pytest.raises(RecipeError) as caught:
        load_fakes(fakes)

    assert str(caught.value).startswith(f"fakes/mcp/crm/handlers.py:6: {said}")
    assert "run `evalsim generate crm`, or use a name that it has." in str(caught.value)
    assert "_evalsim" not in str(caught.value)


def test_a_scenario_that_raises_is_placed(tmp_path: Path) -> None:
    """While it is imported, or while it is asked for a world."""
    write_fake(tmp_path / "fakes")
    scenarios = "import json\ndef world(*, clock):\n    return json.loads('{')\n"
    write_scenarios(tmp_path / "fakes", scenarios)
    with pytest.raises(RecipeError, match=r"^fakes/scenarios/__init__\.py:3: world\(\) failed: "):
        start_services(load_fakes(tmp_path / "fakes"))

    write_fake(tmp_path / "other" / "fakes")
    write_scenarios(tmp_path / "other" / "fakes", "\n{}['x']\n")
    with pytest.raises(RecipeError, match=r"^fakes/scenarios/__init__\.py:2: KeyError: 'x'\.$"):
        load_fakes(tmp_path / "other" / "fakes")


def test_a_misspelt_id_is_guessed(tmp_path: Path) -> None:
    """An id or a scenario that is close to what was asked for is named."""
    recipe = load_fakes(write_recipe(tmp_path, "cal", "crm"))

    with pytest.raises(RecipeError, match=r"no fake 'cmr' \(did you mean 'crm'\?\); it has: cal"):
        recipe.subset(["cmr"])
    with pytest.raises(UnknownScenario, match=r"'quite' \(did you mean 'quiet'\?\); this Rec"):
        start_services(recipe, scenario="quite")
