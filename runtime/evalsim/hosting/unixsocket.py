"""A unix socket to listen on, which only its user can connect to."""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

from evalsim.errors import EvalsimError


def bind_unix(path: Path) -> socket.socket:
    """A listening unix socket at `path`, for this user alone (0600); the caller removes the file.

    A socket that a killed process left there is replaced. Raises `EvalsimError` in one sentence
    when there cannot be one: the platform has none, something listens there, or it is a file.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise EvalsimError("This platform has no unix sockets: use --admin-token instead.")
    listening = socket.socket(socket.AF_UNIX)
    try:
        _remove_stale(path)
        listening.bind(os.fspath(path))
        path.chmod(0o600)  # before it listens: until then nobody can connect
        listening.listen(128)
    except OSError as error:
        listening.close()
        reason = error.strerror or str(error)
        raise EvalsimError(f"Cannot listen on {path}: {reason}. Name another path.") from error
    return listening


def _remove_stale(path: Path) -> None:
    """Remove a socket that nothing listens on; raises OSError when something else is there."""
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(kind):
        raise FileExistsError(0, "there is a file that is no socket")
    with socket.socket(socket.AF_UNIX) as knocking, suppress(ConnectionRefusedError):
        knocking.connect(os.fspath(path))
        raise FileExistsError(0, "another process listens there")
    path.unlink()
