"""Webhooks: what handlers send to addresses that the world names, one after the other."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

import orjson

from evalsim.hosting.record import record_line
from evalsim.types import JsonObject

TIMEOUT = 10.0
"""Seconds that a receiver has to answer."""
_HEAD = 64 * 1024

log = logging.getLogger("evalsim")


@dataclass(frozen=True, slots=True)
class Webhook:
    """One message to be sent: a POST of `body`, of this media type, with these header fields."""

    fake: str
    name: str
    url: str
    body: bytes
    media_type: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a webhook: the status it was answered with, or why it was not."""

    webhook: Webhook
    status: int | None = None
    problem: str | None = None

    def line(self) -> bytes:
        """The record's line of it."""
        webhook = self.webhook
        body = webhook.body.decode(errors="backslashreplace")
        is_json = webhook.media_type == "application/json"
        request: JsonObject = {
            "method": "POST",
            "url": webhook.url,
            "headers": dict(webhook.headers),
            "body": orjson.loads(webhook.body) if is_json else body,
        }
        told = {"status": self.status} if self.problem is None else {"error": self.problem}
        names = {"server": webhook.fake, "operation": f"WEBHOOK {webhook.name}"}
        parts = {"request": orjson.dumps(request), "response": orjson.dumps(told)}
        return record_line(names, parts)


Post = Callable[[Webhook, SplitResult], Awaitable[int]]


class Webhooks:
    """The webhooks of one world, delivered in the order in which they were sent.

    Nothing is sent to an address beyond this machine, unless its host is `allowed`: an agent that
    subscribes must reach no one that the eval's author has not named.
    """

    def __init__(self, allowed: Collection[str], record: Callable[[bytes], None] | None) -> None:
        self.deliveries: list[Delivery] = []
        self._allowed = frozenset(host.lower() for host in allowed)
        self._record = record
        self._waiting: asyncio.Queue[Webhook] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def send(self, webhooks: Collection[Webhook]) -> None:
        """Deliver these after all that were sent before."""
        for webhook in webhooks:
            self._waiting.put_nowait(webhook)
        if webhooks and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._deliver())

    async def close(self, grace: float) -> None:
        """Deliver what waits for `grace` seconds at most, and no more."""
        if self._task is None:
            return
        waiting = asyncio.ensure_future(self._waiting.join())
        _, late = await asyncio.wait({waiting}, timeout=grace)
        for task in (*late, self._task):
            task.cancel()
        if late:
            log.warning("%d webhooks were not delivered in time.", self._waiting.qsize() + 1)

    async def _deliver(self) -> None:
        while True:
            webhook = await self._waiting.get()
            try:
                self._keep(await self._delivered(webhook))
            finally:
                self._waiting.task_done()

    async def _delivered(self, webhook: Webhook) -> Delivery:
        try:
            address = urlsplit(webhook.url)
            problem = self._problem(address)
            if problem is not None:
                return Delivery(webhook, problem=problem)
            status = await asyncio.wait_for(_post(webhook, address), TIMEOUT)
            return Delivery(webhook, status)
        except TimeoutError:
            return Delivery(webhook, problem=f"no answer within {TIMEOUT:g} s")
        except (OSError, ValueError, asyncio.LimitOverrunError, EOFError) as error:
            return Delivery(webhook, problem=f"{type(error).__name__}: {error}")

    def _problem(self, address: SplitResult) -> str | None:
        """Why nothing may be sent to an address."""
        host = (address.hostname or "").lower()
        if address.scheme not in ("http", "https") or not host:
            return "the address is not of http or https"
        if host in self._allowed or _is_loopback(host):
            return None
        return f"{host} is beyond this machine and was not allowed"

    def _keep(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        if delivery.problem is not None:
            name, url = delivery.webhook.name, delivery.webhook.url
            log.warning("The webhook %s to %s: %s.", name, url, delivery.problem)
        if self._record is not None:
            try:
                self._record(delivery.line())
            except OSError as error:
                log.error("A webhook cannot be recorded: %s", error)


async def _post(webhook: Webhook, address: SplitResult) -> int:
    """The status that a receiver answers with."""
    secure = ssl.create_default_context() if address.scheme == "https" else None
    port = address.port or (443 if secure else 80)
    reader, writer = await asyncio.open_connection(address.hostname, port, ssl=secure, limit=_HEAD)
    try:
        writer.write(_request(webhook, address))
        await writer.drain()
        version, _, rest = (await reader.readline()).partition(b" ")
        if not version.startswith(b"HTTP/"):
            raise ValueError("the receiver does not speak HTTP")
        return int(rest[:3])
    finally:
        writer.close()


def _request(webhook: Webhook, address: SplitResult) -> bytes:
    target = (address.path or "/") + (f"?{address.query}" if address.query else "")
    fields = {
        "Host": address.netloc.rpartition("@")[2],
        "Content-Type": webhook.media_type,
        **webhook.headers,
        "Content-Length": str(len(webhook.body)),
        "Connection": "close",
    }
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    head = "\r\n".join(line.replace("\r", " ").replace("\n", " ") for line in lines)
    return head.encode("utf-8", "replace") + b"\r\n\r\n" + webhook.body


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
