"""Links: the API's own addresses in answers lead back to the one that the client used."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote

from evalsim.openapi.servers import host_of

_END = rb"""(?=[/?#"<>\s]|$)"""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a client found the fake: its scheme and authority, and the path it is under there.

    `by_host` says that it was called by a name that is the API's own.
    """

    scheme: str
    authority: str
    prefix: str = ""
    by_host: bool = False

    @property
    def root(self) -> str:
        """What stands before the API's own paths."""
        return f"{self.scheme}://{self.authority}{self.prefix}"


class Links:
    """The addresses of one API, found in what is sent and put in place of each other.

    Only a whole text that is an address is one: a word in a message is left alone.
    """

    def __init__(self, hosts: Sequence[str]) -> None:
        """`hosts` are the API's own, the one that its paths are at first."""
        self._hosts = [host.encode() for host in dict.fromkeys(hosts) if "*" not in host]
        names = b"|".join(map(re.escape, self._hosts))
        own = rb"https?://(?P<host>%b)(?::(?:80|443))?" % names
        self._in_json = _whole_texts(own)
        self._in_field = re.compile(rb"(?:(?<=<)|^)%b%b" % (own, _END))

    def out(self, body: bytes, address: Address) -> bytes:
        """A JSON body whose addresses are the client's."""
        if not self._hosts or b"://" not in body:
            return body
        return _replaced(self._in_json, body, lambda found: self._client(found, address))

    def out_field(self, value: str, name: str, address: Address) -> str:
        """A header's value with the client's addresses: `Location`, `Link` and the like."""
        if address.prefix and name in ("location", "content-location") and value[:1] == "/":
            # A path alone counts from the client's authority, where the API has a part to itself
            return value if value[:2] == "//" else address.prefix + value
        if not self._hosts or "://" not in value:
            return value
        data = value.encode("utf-8", "surrogateescape")
        return self._in_field.sub(lambda found: self._client(found, address), data).decode()

    def back(self, body: bytes, address: Address) -> bytes:
        """A JSON body in which the client's addresses are the API's own again."""
        root = address.root.encode()
        if not self._hosts or root not in body:
            return body
        return _replaced(_whole_texts(re.escape(root)), body, lambda _: self._own(address))

    def back_query(self, query: str, address: Address) -> str:
        """A query whose values that are addresses of the client's are the API's own again."""
        if not self._hosts or "=http" not in query:
            return query
        pairs = (pair.partition("=") for pair in query.split("&"))
        return "&".join(f"{n}{equals}{self._back(value, address)}" for n, equals, value in pairs)

    def _back(self, value: str, address: Address) -> str:
        """A value of a query, encoded as it was where it is no address of the client's."""
        root = address.root
        text = unquote(value)
        if text.startswith(root) and text[len(root) : len(root) + 1] in _AFTER:
            own = self._own(address).decode() + text[len(root) :]
            return own if value == text else quote(own, safe="")
        return value

    def _client(self, found: re.Match[bytes], address: Address) -> bytes:
        if not address.by_host:
            return address.root.encode()
        # Each of the API's hosts is reached as the one that was called, by its own name
        port = address.authority.rpartition(":")[2]
        suffix = f":{port}" if port.isdecimal() else ""
        return b"%b://%b%b" % (address.scheme.encode(), found["host"], suffix.encode())

    def _own(self, address: Address) -> bytes:
        if address.by_host:
            return b"https://" + address.authority.rsplit(":", 1)[0].encode()
        return b"https://" + self._hosts[0]


_AFTER = ("", "/", "?", "#")
_BEGINNING = b'"http'


@lru_cache(maxsize=64)
def _whole_texts(address: bytes) -> re.Pattern[bytes]:
    """What finds the texts of JSON that begin with an address and hold nothing but one."""
    return re.compile(rb'"%b(?P<rest>(?:[/?#][^"\\\s]*)?)(?=")' % address)


def _replaced(
    pattern: re.Pattern[bytes], body: bytes, new: Callable[[re.Match[bytes]], bytes]
) -> bytes:
    made: list[bytes] = []
    kept = 0
    # Looked for by what all begin with, since a pattern looks at every character
    at = body.find(_BEGINNING)
    while at >= 0:
        found = pattern.match(body, at)
        if found is not None and body[at - 1 : at] != b"\\":  # no quote within a text
            made += (body[kept : at + 1], new(found), found["rest"])
            kept = found.end()
        at = body.find(_BEGINNING, at + 1)
    return b"".join([*made, body[kept:]]) if made else body


def hosts_of(servers: Sequence[str]) -> list[str]:
    """The hosts of some servers' addresses, in order."""
    return [host for server in servers if (host := host_of(server)) is not None and "{" not in host]
