"""A store of files in memory, which takes no writes unless it is told to."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from evalsim.evals.invalid import EvalError
from evalsim.evals.services.request import Answer, Reply, Request
from evalsim.evals.services.routes import read_route
from evalsim.types import JsonObject

PREFIX = "file_stub_"


@dataclass(frozen=True, slots=True)
class StubFile:
    """A file; one that is not `complete` has only partly arrived, and `size` is of the whole."""

    data: bytes
    name: str = "file"
    media_type: str = "application/octet-stream"
    complete: bool = True
    size: int | None = None

    def info(self, file_id: str) -> JsonObject:
        """What is told of it without its bytes."""
        size = len(self.data) if self.size is None else self.size
        status = "complete" if self.complete else "incomplete"
        told = {"id": file_id, "filename": self.name, "bytes": size}
        return {**told, "media_type": self.media_type, "status": status}


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that was written, and the id it was given."""

    id: str
    file: StubFile


class StubFiles:
    """Files by id, for `io.files` and, as a service, at `/files`.

    It is read-only unless `writable`: a store that takes what nobody meant to write cannot show
    that something did. Ids of written files count from 1, so that a test can name them.
    """

    def __init__(
        self,
        files: Mapping[str, bytes | StubFile] | None = None,
        *,
        writable: bool = False,
        id_prefix: str = PREFIX,
    ) -> None:
        given = files or {}
        self._files = {
            id_: file if isinstance(file, StubFile) else StubFile(file)
            for id_, file in given.items()
        }
        self._writable, self._prefix = writable, id_prefix
        self._numbers = itertools.count(1)
        self.writes: list[WrittenFile] = []
        """Every file that was written, in order."""

    def read(self, file_id: str) -> bytes:
        """The bytes that are there; none of a file that is not."""
        file = self._files.get(file_id)
        return b"" if file is None else file.data

    def info(self, file_id: str) -> JsonObject | None:
        """What is told of a file; None of one that is not there."""
        file = self._files.get(file_id)
        return None if file is None else file.info(file_id)

    def write(
        self, data: bytes, name: str = "file", media_type: str = "application/octet-stream"
    ) -> str:
        """Keep a file, and give its id; raises `EvalError` where the store is read-only."""
        if not self._writable:
            raise EvalError(
                f"The store of files is read-only, and {name} would be written to it: make it "
                "StubFiles(…, writable=True) where that is meant."
            )
        file_id, file = f"{self._prefix}{next(self._numbers)}", StubFile(data, name, media_type)
        self._files[file_id] = file
        self.writes.append(WrittenFile(file_id, file))
        return file_id

    def answer(self, request: Request) -> Answer:
        """The same over HTTP: `POST /files`, `GET /files/{id}` and `GET /files/{id}/content`."""
        if read_route("POST /files").match(request) is not None:
            return self._written(request)
        for route in ("GET /files/{id}", "GET /files/{id}/content"):
            parts = read_route(route).match(request)
            if parts is not None:
                return self._told(parts["id"], whole=route.endswith("content"))
        return None

    def _written(self, request: Request) -> Reply:
        media_type = request.headers.get("content-type", "application/octet-stream")
        try:
            file_id = self.write(request.body, request.query.get("filename", "file"), media_type)
        except EvalError as refused:
            return Reply(403, {"error": str(refused)})
        return Reply(201, self.info(file_id))

    def _told(self, file_id: str, *, whole: bool) -> Reply:
        file = self._files.get(file_id)
        if file is None:
            return Reply(404, {"error": f"There is no file {file_id}."})
        if whole:
            return Reply(body=file.data, media_type=file.media_type)
        return Reply(json=file.info(file_id))
