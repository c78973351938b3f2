"""The bytes at a path or an address."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalsim.errors import DocumentError, EvalsimError

SIZE_LIMIT = 128 * 1024 * 1024
"""The largest public description has 47 MB."""
_SECONDS = 60
_ACCEPT = "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.8"


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was found."""

    data: bytes
    where: str
    """The path or address as it may be told: without credentials."""
    path: str | None = None
    """The file, where it is one."""
    content_type: str = ""
    """What a server said it is."""


def fetch(source: str, headers: Mapping[str, str]) -> Fetched:
    """The bytes of a file or an http(s) address; raises DocumentError saying why there are none."""
    if "://" in source:
        return _from_address(source, headers)
    return Fetched(read_bytes(Path(source), SIZE_LIMIT), source, source)


def read_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; raises DocumentError otherwise."""
    if path.exists() and not path.is_file():  # a pipe would be waited for
        what = "it is a folder" if path.is_dir() else "it is no regular file"
        raise DocumentError(f"{path}: cannot be read: {what}.")
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise DocumentError(f"{path}: cannot be read: {said or error}.") from error
    if len(data) > limit:
        raise DocumentError(f"{path}: larger than {limit:,} bytes, which is the most that is read.")
    return data


def _from_address(source: str, headers: Mapping[str, str]) -> Fetched:
    import httpx2  # noqa: PLC0415  most descriptions are files

    from evalsim_generator.clients.servers import http_server, source_of  # noqa: PLC0415

    try:
        server = http_server(source, headers)
    except EvalsimError:
        raise DocumentError(
            "A description is read from a file or an http(s) address; this is neither."
        ) from None
    where = source_of(server)
    sent = {"accept": _ACCEPT, **headers}
    try:
        with (
            httpx2.Client(
                timeout=_SECONDS, follow_redirects=not headers, max_redirects=5
            ) as client,
            client.stream("GET", server.url, headers=sent) as answer,
        ):
            if answer.status_code != 200:
                raise DocumentError(f"{where}: answered with {_status(answer.status_code)}.")
            data = bytearray()
            for chunk in answer.iter_bytes():
                data += chunk
                if len(data) > SIZE_LIMIT:
                    raise DocumentError(f"{where}: larger than {SIZE_LIMIT:,} bytes.")
            return Fetched(bytes(data), where, None, answer.headers.get("content-type", ""))
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        said = str(error).strip().rstrip(".") or type(error).__name__
        raise DocumentError(f"{where}: cannot be reached: {said}.") from error


def _status(status: int) -> str:
    """A status in words; a redirection is not followed with headers, which may be credentials."""
    moved = " and, since headers are sent, not followed" if 300 <= status < 400 else ""
    return f"status {status}{moved}"
