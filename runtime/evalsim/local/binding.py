"""What the command is told of the fakes: addresses, in variables and in binding files."""

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evalsim.contract.document import read_document
from evalsim.errors import EvalsimError
from evalsim.recipe.allow import declared_servers
from evalsim.recipe.locate import find_recipe

PREFIX = "EVALSIM_"


def check_required(fakes: Path, served: Iterable[str]) -> None:
    """Raise `EvalsimError` when the Recipe requires a server that is not among the `served`."""
    root = find_recipe(fakes).root
    if root is None:
        return
    servers = declared_servers(read_document(root / "package.json"))
    needed = {name for name, entry in servers.items() if entry.get("required") is True}
    if missing := sorted(needed - set(served)):
        raise EvalsimError(
            f"{root / 'package.json'} requires {', '.join(missing)}, which would not be served: "
            "make its fake, or name it in --fakes too."
        )


def variables(urls: Mapping[str, str]) -> dict[str, str]:
    """`EVALSIM_URL_<ID>` for each address; raises `EvalsimError` when two ids share a name."""
    named: dict[str, str] = {}
    for id_ in urls:
        name = f"{PREFIX}URL_{re.sub('[^A-Z0-9]', '_', id_.upper())}"
        if name in named:
            raise EvalsimError(
                f"The fakes {named[name]} and {id_} would share the variable {name}: "
                "serve one of them (--fakes), or rename one."
            )
        named[name] = id_
    return {name: urls[id_] for name, id_ in named.items()}


def environment(
    outer: Mapping[str, str], workspace: Path, urls: Mapping[str, str]
) -> dict[str, str]:
    """The command's environment: the outer one without evalsim's settings, and the addresses."""
    kept = {name: value for name, value in outer.items() if not name.startswith(PREFIX)}
    kept.pop("OLDPWD", None)
    return {**kept, "PWD": str(workspace), **variables(urls)}


def write_bindings(workspace: Path, urls: Mapping[str, str]) -> None:
    """Write `.pi/mcp.local.json` and `.mcp.json`, the two shapes that agents read."""
    listed: Sequence[dict[str, str]] = [
        {"id": id_, "transport": "streamable_http", "url": url} for id_, url in urls.items()
    ]
    named = {id_: {"type": "http", "url": url} for id_, url in urls.items()}
    (workspace / ".pi").mkdir()
    _write(workspace / ".pi" / "mcp.local.json", {"servers": listed})
    _write(workspace / ".mcp.json", {"mcpServers": named})


def find_program(name: str, outer: Mapping[str, str]) -> str:
    """The program's path, as found from here; raises `EvalsimError` when there is none."""
    found = shutil.which(name, path=outer.get("PATH"))
    if found is None:
        raise EvalsimError(f"There is no program {name!r} to run.")
    return os.path.abspath(found)  # noqa: PTH100  a link's own name is what it was called by


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")
