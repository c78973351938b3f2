"""Why a Recipe's scenarios cannot be imported, as far as their text shows it."""

from pathlib import Path

from evalsim_generator.handwritten.imports import import_problems
from evalsim_generator.handwritten.modules import read_module, read_modules
from evalsim_generator.handwritten.scope import Scope
from evalsim_generator.problems import Problem, label


def scenario_problems(fakes: Path) -> list[Problem]:
    """What keeps scenarios/ (or scenarios.py) from loading; nothing where a Recipe has neither."""
    folder = fakes / "scenarios"
    if folder.is_dir():
        modules, problems = read_modules(folder, ())
        start = "__init__.py"
    elif (fakes / "scenarios.py").is_file():
        read = read_module(fakes, "scenarios.py")
        modules, problems = ([], [read]) if isinstance(read, Problem) else ([read], [])
        folder, start = fakes, "scenarios.py"
    else:
        return []
    scope = Scope(folder, modules)
    problems += import_problems(folder, fakes, modules, scope, ())
    for module in modules:
        if module.path == start and scope.lacks(module.dotted, "world"):
            what = "it defines no function world(scenario, clock)"
            problems.append(Problem("error", f"{label(folder)}/{start}", what, "Define it there"))
    return problems
