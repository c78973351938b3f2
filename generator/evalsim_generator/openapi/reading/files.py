"""The files beside a description that it may refer to."""

from pathlib import Path, PurePosixPath

from evalsim.errors import DocumentError
from evalsim_generator.openapi.reading.fetch import SIZE_LIMIT, read_bytes

SUFFIXES = (".json", ".yaml", ".yml")
MAX_FILES = 2_000


class Refused(Exception):
    """Why a file is not read."""


class Files:
    """Files by name: the path from the folder above the description's own.

    A description may come from anyone, and what it refers to is written into the fake. So it may
    name files with a description's suffix in the folder above its own or below that, as
    `../common/Error.yaml`, and none that is hidden or lies in a hidden folder, or leads out by a
    link.
    """

    def __init__(self, description: Path) -> None:
        self.own = ""
        whole = description.resolve()
        self._folder = whole.parent
        self._above = self._folder.parent
        self.own = self._name(whole)
        self._left = SIZE_LIMIT
        self._read = 0

    def name_from(self, base: str, path: str) -> str:
        """The name of the file that `path` leads to from the file named `base`; raises Refused."""
        if "\\" in path or "\0" in path or path.startswith("/"):
            raise Refused("only a path from file to file, with slashes, is followed")
        try:
            whole = (self._above / PurePosixPath(base).parent / path).resolve()
        except (OSError, RuntimeError, ValueError):
            raise Refused("its path cannot be followed") from None
        if not whole.is_relative_to(self._above):
            raise Refused("it leads out of the folder above the description's own")
        near = self._folder if whole.is_relative_to(self._folder) else self._above
        if any(part.startswith(".") for part in whole.relative_to(near).parts):
            raise Refused("it is hidden")
        if whole.suffix.lower() not in SUFFIXES:
            raise Refused("it is no .json, .yaml or .yml file")
        if not whole.is_file():
            raise Refused("it is not there")
        return self._name(whole)

    def read(self, name: str) -> bytes:
        """The bytes of a file that `name_from` named; raises Refused."""
        self._read += 1
        if self._read > MAX_FILES:
            raise Refused(f"more than {MAX_FILES:,} files are not read")
        try:
            data = read_bytes(self._above / name, self._left)
        except DocumentError as error:
            raise Refused(str(error).rpartition(": ")[2].rstrip(".")) from None
        self._left -= len(data)
        return data

    def _name(self, whole: Path) -> str:
        return whole.relative_to(self._above).as_posix()
