"""The recording of a test run: emptied before it, and sorted after it whatever its order was."""

import os
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def recording(file: str | Path) -> Generator[Path]:
    """A file to record to in this context, empty at first; `file` then holds its lines, sorted.

    Give it to `with_fakes` or `start_services` as `record`. The committed file is replaced whole
    when the context is left, and stays as it was when that is by an exception.
    """
    with tempfile.TemporaryDirectory(prefix="evalsim-") as folder:
        part = Path(folder) / "calls.jsonl"
        yield part
        keep(Path(file), [part])


def keep(file: Path, parts: Iterable[Path]) -> None:
    """Make `file` hold the lines of all the parts, sorted; a part that is missing has none."""
    lines = [line for part in parts if part.exists() for line in part.read_bytes().splitlines(True)]
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    beside.write_bytes(b"".join(sorted(lines)))
    beside.replace(file)
