"""Which entries a run replayed, told by each harness to a folder, so that the rest can go."""

import json
import os
import threading
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from evalsim.stubs.cassette.entry import Entry
from evalsim.stubs.cassette.file import read_cassette, write_cassette
from evalsim.stubs.errors import CassetteError

USAGE = "EVALSIM_STUBS_USAGE"
"""The folder that harnesses tell what they replayed."""


def tell_usage(path: Path, used: Iterable[int], environ: Mapping[str, str]) -> None:
    """Say which places of a cassette were used, where a run asks for it."""
    if not (folder := environ.get(USAGE)):
        return
    line = json.dumps({"path": str(path.resolve()), "used": sorted(used)})
    name = f"{sha256(line.encode()).hexdigest()[:16]}-{os.getpid()}-{threading.get_ident()}.json"
    Path(folder, name).write_text(line, "utf-8")


def read_usage(folder: Path) -> dict[Path, set[int]]:
    """The places that were used, by cassette."""
    used: dict[Path, set[int]] = {}
    for file in sorted(folder.glob("*.json")):
        told = json.loads(file.read_text("utf-8"))
        used.setdefault(Path(told["path"]), set()).update(told["used"])
    return used


def unused_entries(path: Path, used: Iterable[int]) -> list[Entry]:
    """The entries of a cassette that are at none of the places."""
    kept = set(used)
    return [entry for i, entry in enumerate(read_cassette(path)) if i not in kept]


def keep_used(path: Path, used: Iterable[int]) -> None:
    """Write a cassette without the entries that were not used; raises `CassetteError`."""
    kept = set(used)
    entries = read_cassette(path)
    if any(place >= len(entries) for place in kept):
        raise CassetteError(f"{path} changed while the command ran; nothing is pruned.")
    write_cassette(path, [entry for i, entry in enumerate(entries) if i in kept])
