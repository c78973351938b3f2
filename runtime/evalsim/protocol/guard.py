"""Who may call: the Host and Origin a request may name, and how large its body may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

MAX_BODY: Final = 4 * 1024 * 1024
LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
WILDCARDS: Final = ("0.0.0.0", "::", "[::]", "")


@dataclass(frozen=True, slots=True)
class Guard:
    """The hosts that are this server's own; any other name may be a page's that was rebound to it.

    `names` are allowed at any port and `addresses`, written with their port (or without one, as
    at port 80), exactly. `any_address` lets every IP address pass: only a name can be rebound.
    """

    names: frozenset[str]
    addresses: frozenset[str] = frozenset()
    any_address: bool = False
    any_host: bool = False
    max_body: int = MAX_BODY

    @classmethod
    def for_binding(cls, host: str, port: int, allowed_hosts: Sequence[str] = ()) -> "Guard":
        """The guard of a server bound to `host` and `port`.

        Loopback names pass at any port, and so does the bound host. An allowed host is a name
        (at the bound port, or at any when `port` is 0), `name:port`, `name:*`, or `*` for all;
        `*.name:*` is any one label before a name.
        """
        names: set[str] = set(LOOPBACK)
        addresses: set[str] = set()
        if host not in WILDCARDS:
            names.add(_bracketed(host.lower()))
        for allowed in allowed_hosts:
            name, allowed_port = _split(allowed.lower())
            if allowed_port == "*" or (not allowed_port and not port):
                names.add(name)
            else:
                addresses |= {allowed.lower()} if allowed_port else {name, f"{name}:{port}"}
        return cls(
            names=frozenset(names),
            addresses=frozenset(addresses),
            any_address=host in WILDCARDS,
            any_host="*" in allowed_hosts,
        )

    def refusal(self, fields: Mapping[bytes, bytes]) -> str | None:
        """Why a request with these header fields is refused with 403; None when it may pass."""
        host = fields.get(b"host", b"").decode("latin-1").lower()
        if not self.allows(host):
            return _host_refusal(host)
        origin = fields.get(b"origin", b"").decode("latin-1")
        if origin and not self._allows_origin(origin):
            name = _origin_name(origin)
            return f"Invalid Origin: {name}" if name else f"Invalid Origin header: {origin}"
        return None

    def allows(self, host: str) -> bool:
        """Whether `host`, a name with or without a port in lower case, is this server's own."""
        if self.any_host or host in self.addresses:
            return True
        name, port = _split(host)
        if port and not port.isdecimal():
            return False
        if name in self.names or (self.any_address and _is_address(name)):
            return True
        return f"*.{name.partition('.')[2]}" in self.names

    def _allows_origin(self, origin: str) -> bool:
        try:
            url = urlsplit(origin)
        except ValueError:
            return False
        return self.any_host or (
            url.scheme in ("http", "https") and self.allows(url.netloc.lower())
        )


def _host_refusal(host: str) -> str:
    if not host:
        return "Missing Host header"
    name, port = _split(host)
    is_malformed = " " in name or (port and not port.isdecimal())
    return f"Invalid Host header: {host}" if is_malformed else f"Invalid Host: {name}"


def _origin_name(origin: str) -> str | None:
    try:
        return urlsplit(origin).hostname
    except ValueError:
        return None


def _split(host: str) -> tuple[str, str]:
    """The name and the port (empty when there is none) of a Host header."""
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):
        return host, ""
    return name, port


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
