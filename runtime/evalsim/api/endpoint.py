"""One API fake as an ASGI app: from the bytes of a request to those of its answer."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

from evalsim.api.answers import ApiAnswer
from evalsim.api.calls import ServedOperation
from evalsim.api.links import Address, Links
from evalsim.api.refused import Refused
from evalsim.api.request import ApiRequest
from evalsim.api.routing import Found, Router
from evalsim.api.sending import Sending, send_plain, send_stream, send_whole
from evalsim.api.webhooks import Webhooks
from evalsim.hosting.keeping import KeptCalls
from evalsim.openapi.media_types import body_kind
from evalsim.protocol.errors import TransportError
from evalsim.protocol.guard import Guard
from evalsim.protocol.request import (
    ClientGone,
    Fields,
    Receive,
    Scope,
    Send,
    read_body,
    read_fields,
)


class ApiEndpoint:
    """An ASGI app for one API fake, which looks at the path below `prefix`."""

    def __init__(
        self,
        router: Router,
        operations: Sequence[ServedOperation],
        kept: KeptCalls[ApiRequest, ApiAnswer],
        guard: Guard,
        links: Links,
        webhooks: Webhooks,
        max_body: int,
    ) -> None:
        self._router = router
        self._operations = operations
        self._names = [served.prepared.name for served in operations]
        self._kept = kept
        self._guard = guard
        self._links = links
        self._webhooks = webhooks
        self._max_body = max_body

    def has(self, scope: Scope) -> bool:
        """Whether the path of a request is one of the API's."""
        try:
            return bool(self._router.methods(_raw_path(scope), None))
        except Refused:
            return False

    async def __call__(
        self, scope: Scope, receive: Receive, send: Send, *, prefix: str = "", by_host: bool = False
    ) -> None:
        """Answer one HTTP request; whatever it holds, nothing is raised.

        `prefix` is the part of the path that names the fake, where it is not called `by_host`.
        """
        fields = read_fields(scope["headers"])
        refusal = self._guard.refusal(fields)
        if refusal is not None:
            await send_plain(send, 403, refusal)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in fields.items()
        }
        proto, host = headers.get("x-forwarded-proto"), headers.get("host", "localhost")
        address = _address(proto, host, prefix, by_host)
        try:
            request, found = await self._request(scope, receive, fields, headers, address)
            await self._reply(request, found, receive, send)
        except ClientGone:
            return
        except asyncio.CancelledError:  # the server closes, and waits for this answer alone
            with suppress(RuntimeError):  # which says that some of it was sent
                await send_plain(send, 503, "")

    async def _request(
        self,
        scope: Scope,
        receive: Receive,
        fields: Fields,
        headers: Mapping[str, str],
        address: Address,
    ) -> tuple[ApiRequest, list[Found]]:
        """The request, and the routes it may take."""
        path = _raw_path(scope).removeprefix(address.prefix)
        query = self._links.back_query(scope["query_string"].decode("latin-1"), address)
        method: str = scope["method"]
        request = ApiRequest(method, path, query, headers, b"", address, {})
        found: list[Found] = []
        try:
            found = self._routes(request)
        except Refused as refused:
            request.refused = refused
        try:
            request.body = await read_body(receive, fields, self._max_body)
            if request.body and body_kind(headers.get("content-type", "")) == "json":
                request.body = self._links.back(request.body, address)
            self._check_encoding(headers)
        except TransportError as error:
            too_large = Refused(error.status, "too_large", _too_large(self._max_body))
            request.refused = request.refused or too_large
        except Refused as refused:
            request.refused = request.refused or refused
        return request, found

    def _routes(self, request: ApiRequest) -> list[Found]:
        """The routes of a request; raises Refused (400, 404, 405)."""
        host = _host(request.address)
        find, method = self._router.find, request.method
        found = find(method, request.path, request.query, host)
        if not found and method == "HEAD":
            found = find("GET", request.path, request.query, host)
        if found:
            return found
        methods = self._router.methods(request.path, host)
        if not methods:
            raise Refused(404, "not_found", "There is no such address")
        allow = ", ".join(dict.fromkeys(_with_implied(methods)))
        if method == "OPTIONS":
            raise Refused(204, "method", "", {"allow": allow})
        told = f"The method {method[:20]} is not allowed here"
        raise Refused(405, "method", told, {"allow": allow})

    def _check_encoding(self, headers: Mapping[str, str]) -> None:
        encoding = headers.get("content-encoding", "identity").lower()
        if encoding != "identity":
            told = f"A body of content encoding {encoding[:20]} is not read"
            raise Refused(415, "media_type", told)

    async def _reply(
        self, request: ApiRequest, found: list[Found], receive: Receive, send: Send
    ) -> None:
        name = self._choose(request, found)
        begun = self._kept.begin(request)
        outcome = await self._kept.calls(name, request, begun.number)
        sending = Sending(self._links, request, receive, send)
        if outcome.result.items is not None and outcome.fault is None:
            if await send_stream(sending, self._kept, name, begun, outcome):
                self._send_webhooks(request)
        else:
            answer = await self._kept.finish(name, begun, outcome)
            if outcome.fault is None and answer is outcome.result:
                self._send_webhooks(request)
            await send_whole(sending, answer)

    def _send_webhooks(self, request: ApiRequest) -> None:
        if request.outbox is not None:
            self._webhooks.send(request.outbox.webhooks)

    def _choose(self, request: ApiRequest, found: list[Found]) -> str:
        """The name of the operation that a request is for, its path parameters noted.

        Of several at one address it is the first that takes the request as it is.
        """
        if not found:
            return f"{request.method} {request.path}"
        chosen = found[0]
        if len(found) > 1 and request.refused is None:
            chosen = next((one for one in found if self._takes(request, one)), found[-1])
        request.texts = chosen.texts
        return self._names[chosen.route.operation]

    def _takes(self, request: ApiRequest, found: Found) -> bool:
        prepared = self._operations[found.route.operation].prepared
        try:
            prepared.read(request, found.texts)
        except Exception:  # a schema that is no gate is told of when it is called
            return False
        return True


def _raw_path(scope: Scope) -> str:
    """The path as it was sent, still encoded."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")


@lru_cache(maxsize=1024)
def _address(proto: str | None, host: str, prefix: str, by_host: bool) -> Address:
    return Address(proto if proto in ("http", "https") else "http", host, prefix, by_host)


def _host(address: Address) -> str | None:
    """The host that tells operations apart, where the API was called by one of its own."""
    return address.authority.rsplit(":", 1)[0].lower() if address.by_host else None


def _with_implied(methods: Sequence[str]) -> list[str]:
    implied = ["HEAD"] if "GET" in methods else []
    return [*methods, *implied, "OPTIONS"]


def _too_large(limit: int) -> str:
    return f"The body is larger than {limit:,} bytes"
