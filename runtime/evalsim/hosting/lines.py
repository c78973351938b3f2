"""Files that lines are appended to, and that hold only whole ones whatever ends the process.

One write is not enough for that: a process that is killed within a write leaves the pages that were
already copied, so a line that spans two of them is torn.
"""

import os
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path

_BLOCK = 64 * 1024


class AppendedFile:
    """A file that is appended to by single writes; a kill can leave a torn line at its end.

    The next run cuts that off. It is for what cannot be had twice: a device, a pipe, a file in a
    folder that takes no other, a file system without hard links.
    """

    def __init__(self, path: Path) -> None:
        """Opens `path`, or makes it; raises OSError when that cannot be."""
        self._file = _open(path)
        _cut_torn_line(self._file)

    def append(self, line: bytes) -> None:
        """Append a line, which ends in a newline; raises OSError when it is not taken whole."""
        _write(self._file, line)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


class TwinFile:
    """Two files with the same lines, of which one that is whole always has the name.

    A line is written to the file without the name, the name moves there in one step, and the other
    file follows. That costs the space of the file a second time, as `.<name>.1` or `.<name>.2`
    beside it, and two changes of the folder a line. A run that was killed leaves such a file for
    the next one to remove.
    """

    def __init__(self, path: Path) -> None:
        """Opens `path`, or makes it.

        Raises BlockingIOError when another process writes it, and OSError when there can be no
        twin beside it.
        """
        self._path = path
        self._twin, self._spare = (path.with_name(f".{path.name}.{n}") for n in (1, 2))
        self._named = _open_alone(path)
        self._other: int | None = None
        try:
            _cut_torn_line(self._named)
            self._follow()
            self._swap()  # once for nothing, so that what cannot be done is known before a line is
        except OSError:
            self.close()
            raise

    def append(self, line: bytes) -> None:
        """Append a line, which ends in a newline; raises OSError when it is not taken whole."""
        named, twin = self._named, self._follow()
        try:
            _write(twin, line)
            self._swap()
        except OSError:
            self._forget_twin()
            raise
        with suppress(OSError):  # if it does not follow now, it is made anew for the next line
            _write(named, line)

    def close(self) -> None:
        """Close both files and remove the one without the name."""
        self._forget_twin()
        os.close(self._named)

    def _swap(self) -> None:
        """Give the name to the twin, and the twin's place to the file that had it."""
        assert self._other is not None
        self._spare.hardlink_to(self._path)
        self._twin.replace(self._path)
        self._twin, self._spare = self._spare, self._twin
        self._named, self._other = self._other, self._named

    def _follow(self) -> int:
        """The twin, made anew where it differs: the disk was full, or someone cut the file."""
        if self._other is not None and _size(self._other) == _size(self._named):
            return self._other
        self._forget_twin()
        shutil.copy(self._path, self._twin)
        self._other = _open_alone(self._twin)
        return self._other

    def _forget_twin(self) -> None:
        if self._other is not None:
            os.close(self._other)
        self._other = None
        for beside in (self._twin, self._spare):
            beside.unlink(missing_ok=True)


def open_lines(path: Path) -> AppendedFile | TwinFile:
    """The file at `path`, or a new one, to append whole lines to.

    Raises OSError when it cannot be opened, BlockingIOError when another process writes it.
    """
    real = path.resolve()
    is_plain = not real.exists() or real.is_file()
    if is_plain and sys.platform != "win32":  # where no open file can be replaced
        try:
            return TwinFile(real)
        except BlockingIOError:
            raise
        except OSError:
            pass  # there is no twin to be had here, and perhaps no file either
    return AppendedFile(path)


def _size(file: int) -> int:
    return os.fstat(file).st_size


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)


def _open_alone(path: Path) -> int:
    """Open a file that no other process has; raises BlockingIOError when one has."""
    file = _open(path)
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415  it is not there on Windows

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise
    return file


def _write(file: int, line: bytes) -> None:
    # In one write, so that where others append as well no line of theirs stands within this one
    if os.write(file, line) != len(line):
        raise OSError("the line was cut short")


def _cut_torn_line(file: int) -> None:
    """End the file after its last newline; what is no file that can be read is left alone."""
    if not stat.S_ISREG(os.fstat(file).st_mode):
        return
    size = end = os.lseek(file, 0, os.SEEK_END)
    while end > 0:
        start = max(0, end - _BLOCK)
        os.lseek(file, start, os.SEEK_SET)
        newline = os.read(file, end - start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        os.ftruncate(file, end)
