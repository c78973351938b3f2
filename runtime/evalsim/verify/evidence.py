"""The evidence of a run: manifests, states and records, read and checked."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from evalsim.errors import EvalsimError
from evalsim.types import Json, JsonObject, is_array, is_object

States: TypeAlias = Mapping[str, Mapping[str, Json]]
"""`{"initial", "final"}`, each with every fake's state by id."""
Manifests: TypeAlias = Mapping[str, Mapping[str, Json]]
"""Each fake's manifest.json by id; its `tools` and `operations` say what each one writes."""
Calls: TypeAlias = Iterable[Mapping[str, Json]]
"""Lines of a record, `{"server", "tool", …}`, or what a client calls, `{"name", …}`."""
ENDS = ("initial", "final")


class VerifyError(EvalsimError):
    """Evidence that is missing, or is not what it should be."""


def load_manifests(directory: str | Path) -> dict[str, JsonObject]:
    """`{id: manifest}` of a folder's fakes: `<directory>/<id>/manifest.json`.

    A folder that has `mcp/` or `api/`, as a Recipe's fakes and what a sidecar exports, gives those
    of both. Raises `VerifyError` when there is none, and for a fake's folder without one.
    """
    found: dict[str, JsonObject] = {}
    for folder in _fake_folders(Path(directory)):
        if folder.name in found:
            raise VerifyError(f"{folder}: another fake is named {folder.name!r}.")
        found[folder.name] = read_object(folder / "manifest.json")
    if not found:
        raise VerifyError(f"{directory}: no fake's manifest.json lies in this folder.")
    entries(found)
    return found


def read_record(path: str | Path) -> list[JsonObject]:
    """The calls of a record, in order; raises `VerifyError` for a line that is torn or is none."""
    *lines, last = _text(Path(path)).split("\n")
    calls = [_parsed(line, f"{path}, line {n}") for n, line in enumerate(lines, start=1)]
    calls += [_parsed(last, f"{path}, line {len(calls) + 1}")] if last else []
    for number, call in enumerate(calls, start=1):
        answer = call.get("result", call.get("response"))
        if not is_object(answer) or not isinstance(name_of(call), str):
            raise VerifyError(f"{path}, line {number}: not the record of a call.")
    return calls


def name_of(call: Mapping[str, Json]) -> Json:
    """The tool or operation of a record line, or the name that a client called."""
    return call.get("tool", call.get("operation", call.get("name")))


def entries(manifests: Manifests) -> list[tuple[str, str, str, list[str]]]:
    """Each fake's tools and operations: its id, `tool` or `operation`, the name, what it writes.

    Raises `VerifyError` for no manifests, and for one that does not say so.
    """
    if not manifests:
        raise VerifyError("There are no manifests, so nothing says what the tools write.")
    return [entry for fake, manifest in manifests.items() for entry in _entries_of(fake, manifest)]


def written(manifests: Manifests) -> dict[str, list[str]]:
    """The entities that each fake's tools write, in the order of the tools."""
    found: dict[str, dict[str, None]] = {fake: {} for fake in manifests}
    for fake, _, _, writes in entries(manifests):
        found[fake].update(dict.fromkeys(writes))
    return {fake: list(entities) for fake, entities in found.items()}


def state_of(states: States, end: str, fake: str) -> JsonObject:
    """A fake's state at one end of the run; raises `VerifyError` when there is none."""
    whole = states.get(end)
    state = whole.get(fake) if is_object(whole) else None
    if not is_object(state):
        raise VerifyError(f"{fake} has no {end} state.")
    return state


def read_object(path: Path) -> JsonObject:
    """The JSON object in a file; raises `VerifyError` when there is none."""
    return _parsed(_text(path), str(path))


def _fake_folders(directory: Path) -> list[Path]:
    kinds = [directory / kind for kind in ("mcp", "api") if (directory / kind).is_dir()]
    is_flat = not kinds or any((kind / "manifest.json").exists() for kind in kinds)
    try:
        places = [path for kind in ([directory] if is_flat else kinds) for path in kind.iterdir()]
    except OSError as error:
        raise VerifyError(f"{directory}: {error.strerror}.") from error
    return [p for p in sorted(places) if p.is_dir() and not p.name.startswith((".", "__"))]


def _entries_of(fake: str, manifest: Json) -> Iterator[tuple[str, str, str, list[str]]]:
    known: JsonObject = manifest if is_object(manifest) else {}
    blocks = {kind: known.get(f"{kind}s") for kind in ("tool", "operation")}
    if not any(map(is_object, blocks.values())):
        raise VerifyError(f"{fake}: its manifest has neither tools nor operations.")
    for kind, block in blocks.items():
        for name, entry in block.items() if is_object(block) else ():
            writes = entry.get("writes", []) if is_object(entry) else None
            if not is_array(writes) or not all(isinstance(entity, str) for entity in writes):
                raise VerifyError(f"{fake}: its manifest does not say what {name!r} writes.")
            yield fake, kind, name, writes


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise VerifyError(f"{path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise VerifyError(f"{path}: not UTF-8 text.") from error


def _parsed(text: str, where: str) -> JsonObject:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise VerifyError(f"{where}: not JSON, or not the whole of it ({error}).") from error
    if not is_object(value):
        raise VerifyError(f"{where}: not a JSON object.")
    return value
