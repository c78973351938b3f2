"""Services in a process of their own that says, when asked, what it holds; and load for them.

It reads `/proc`, so it is for Linux.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from evalsim.host import Services, load_fakes, start_services
from evalsim.hosting.loop import new_loop
from support.fakes import HANDLERS, write_recipe

CALLERS = 4
WAITING = HANDLERS.replace("def add_deal", "async def add_deal").replace(
    "if any(", "import asyncio\n    if args.name == 'wait': await asyncio.sleep(0.02)\n    if any("
)


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds: bytes of memory, open descriptors, asyncio tasks, faults."""

    memory: int
    descriptors: int
    tasks: int
    faults: int


@dataclass(frozen=True, slots=True)
class Watched:
    """Services under watch: their one fake's url, and what their process holds right now."""

    url: str
    held: Callable[[], Held]
    log: Path
    """What the process writes to its standard error."""

    def settled(self, before: Held) -> Held:
        """What is held once descriptors and tasks are as few as before, or after a while."""
        for _ in range(100):
            now = self.held()
            if now.descriptors <= before.descriptors and now.tasks <= before.tasks:
                break
            time.sleep(0.05)
        return now


@contextmanager
def watched(folder: Path) -> Generator[Watched]:
    """Serve a fake, whose `add-deal` is async, from a process of its own."""
    fakes = write_recipe(folder, handlers=WAITING)
    log = (folder / "stderr.txt").open("w")
    child = subprocess.Popen(
        [sys.executable, str(Path(__file__).resolve()), str(fakes)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    reading, asking = child.stdout, child.stdin
    assert reading is not None
    assert asking is not None

    def held() -> Held:
        asking.write("\n")
        asking.flush()
        return Held(**json.loads(reading.readline()))

    with log, child:
        yield Watched(reading.readline().strip(), held, folder / "stderr.txt")
        asking.close()


def request(url: str, method: str, params: object) -> bytes:
    """One whole HTTP request, to be sent as it is."""
    address = urlsplit(url)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    head = (
        f"POST {address.path} HTTP/1.1\r\nhost: {address.netloc}\r\naccept: application/json\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def mixed(url: str) -> list[bytes]:
    """Requests that leave the state as it is: answered, refused, and errors, of all kinds."""
    calls = [
        ("list-deals", {}),
        ("list-deals", {"limit": 1}),
        ("list-deals", {"limit": 99}),
        ("add-deal", {"name": "Acme"}),
        ("add-deal", {}),
        ("nope", {}),
    ]
    return [
        *(request(url, "tools/call", {"name": name, "arguments": sent}) for name, sent in calls),
        request(url, "tools/list", {}),
        request(url, "nope", {}),
    ]


def call(connection: socket.socket, sent: bytes) -> bytes:
    """The whole response to one request on a connection that is kept."""
    connection.sendall(sent)
    got = connection.recv(65536)
    while b"\r\n\r\n" not in got:
        got += _more(connection)
    head, _, body = got.partition(b"\r\n\r\n")
    size = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < size:
        body += _more(connection)
    return body


def _more(connection: socket.socket) -> bytes:
    got = connection.recv(65536)
    assert got, "the server hung up"
    return got


def load(url: str, calls: int) -> list[float]:
    """Send mixed requests over a few kept connections; the seconds each took, sorted."""
    requests = mixed(url)

    def caller(share: int) -> list[float]:
        taken: list[float] = []
        with connect(url) as connection:
            for number in range(share):
                start = time.perf_counter()
                call(connection, requests[number % len(requests)])
                taken.append(time.perf_counter() - start)
        return taken

    with ThreadPoolExecutor(CALLERS) as pool:
        shares = [calls // CALLERS] * CALLERS
        return sorted(second for part in pool.map(caller, shares) for second in part)


def vanish(url: str, clients: int) -> None:
    """Clients that connect, call, and are gone before they are answered, each in its own way."""
    waiting = request(url, "tools/call", {"name": "add-deal", "arguments": {"name": "wait"}})
    ways: Sequence[tuple[bytes, bool]] = [
        (waiting, False),
        (waiting, True),
        (waiting[:-10], False),
        (waiting[:40], True),
        (b"", False),
        (mixed(url)[0] * 3, True),
    ]

    def client(number: int) -> None:
        sent, is_reset = ways[number % len(ways)]
        with connect(url) as connection:
            if is_reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.sendall(sent)

    with ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(client, range(clients)))


def connect(url: str) -> socket.socket:
    """A connection to the server of a url."""
    address = urlsplit(url)
    return socket.create_connection((address.hostname or "", address.port or 0), timeout=30)


async def _serve(fakes: str) -> None:
    async with start_services(load_fakes(fakes)) as services:
        print(services.url("crm"), flush=True)
        loop = asyncio.get_running_loop()
        asked = asyncio.Event()
        done = threading.Event()

        def listen() -> None:
            for _ in sys.stdin:
                loop.call_soon_threadsafe(asked.set)
            done.set()
            loop.call_soon_threadsafe(asked.set)

        threading.Thread(target=listen, daemon=True).start()
        while True:
            await asked.wait()
            asked.clear()
            if done.is_set():
                return
            print(json.dumps(asdict(_held(services))), flush=True)


def _held(services: Services) -> Held:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Held(
        memory=pages * os.sysconf("SC_PAGE_SIZE"),
        descriptors=len(list(Path("/proc/self/fd").iterdir())),
        tasks=len(asyncio.all_tasks()),
        faults=len(services.faults),
    )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(sys.argv[1]))
