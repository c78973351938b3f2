"""Hosts, IP addresses, e-mail addresses, URIs and URLs."""

import re
from functools import cache

from evalsim.gate.formats.javascript import SPACE

_FLAGS = re.IGNORECASE | re.ASCII

_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}", _FLAGS)
_GROUP = re.compile(r"[0-9a-f]{1,4}", _FLAGS)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOSTNAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?", _FLAGS)
_WORD = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_DOMAIN_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_EMAIL = re.compile(rf"{_WORD}(?:\.{_WORD})*@{_DOMAIN_LABEL}(?:\.{_DOMAIN_LABEL})+", _FLAGS)


def is_ipv4(text: str) -> bool:
    """Four numbers up to 255, without leading zeros."""
    return _IPV4.fullmatch(text) is not None


def is_ipv6(text: str) -> bool:
    """Eight groups, or fewer around one `::`; an IPv4 address may stand for the last two."""
    head, gap, tail = text.partition("::")
    groups = [group for side in (head, tail) if side for group in side.split(":")]
    count = len(groups)
    if groups and (tail or not gap) and is_ipv4(groups[-1]):
        groups.pop()
        count += 1
    if not all(_GROUP.fullmatch(group) for group in groups):
        return False
    return count <= 7 if gap else count == 8


def is_hostname(text: str) -> bool:
    """Labels of up to 63 letters, digits and hyphens; a dot may end it."""
    return _HOSTNAME.fullmatch(text) is not None and len(text.removesuffix(".")) <= 253


def is_email(text: str) -> bool:
    """An ASCII dot-atom, an @ and a domain of at least two labels."""
    return _EMAIL.fullmatch(text) is not None


_HEX = "%[0-9a-f]{2}"
_FUTURE_IP = re.compile(r"v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+", _FLAGS)


@cache  # compiled when it is first asked for, as few schemas do
def _uri(whole: bool) -> re.Pattern[str]:
    """RFC 3986's grammar; a reference need not be whole, and may hold a quotation mark."""
    plain = r"a-z0-9\-._~!$&'()*+,;=" + ("" if whole else '"')
    pchar = rf"(?:[{plain}:@]|{_HEX})"
    scheme = r"[a-z][a-z0-9+\-.]*:"
    user = rf"(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|{_HEX})*@)?"
    host = rf"(?:\[(?P<ip>[^\]]*)\]|(?:[{plain}]|{_HEX})*)"
    authority = rf"/?/{user}{host}(?::\d*)?(?:/{pchar}*)*"
    path = rf"/(?:{pchar}+(?:/{pchar}*)*)?|{pchar}+(?:/{pchar}*)*"
    start = rf"{scheme}(?:{authority}|{path})"
    if not whole:
        start = rf"(?:{scheme})?(?:{authority}|{path})?"
    return re.compile(rf"{start}(?:\?(?:{pchar}|[/?])*)?(?:#(?:{pchar}|[/?])*)?", _FLAGS)


def is_uri(text: str) -> bool:
    """A URI with its scheme."""
    return _is_uri(text, whole=True)


def is_uri_reference(text: str) -> bool:
    """A URI, or a part of one that leads on from another."""
    return _is_uri(text, whole=False)


def _is_uri(text: str, whole: bool) -> bool:
    match = _uri(whole).fullmatch(text)
    if match is None:
        return False
    address = match["ip"]
    return address is None or is_ipv6(address) or _FUTURE_IP.fullmatch(address) is not None


# URLs are those of the public internet: no bare host, no address of a private network.
_PRIVATE_PAIR = r"(?:169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))"
_PRIVATE = rf"(?:(?:10|127)(?:\.\d{{1,3}}){{3}}|{_PRIVATE_PAIR}(?:\.\d{{1,3}}){{2}})"
_FIRST = r"(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])"
_MIDDLE = r"(?:1?\d{1,2}|2[0-4]\d|25[0-5])"
_LAST = r"(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4])"
_PUBLIC_IPV4 = rf"(?!{_PRIVATE}){_FIRST}(?:\.{_MIDDLE}){{2}}\.{_LAST}"
_NAME = r"(?:[a-z0-9\u00a1-\uffff]+-)*[a-z0-9\u00a1-\uffff]+"
_NAMED_HOST = rf"{_NAME}(?:\.{_NAME})*\.[a-z\u00a1-\uffff]{{2,}}"
_URL = (
    rf"(?:https?|ftp)://(?:[^{SPACE}]+@)?(?:{_PUBLIC_IPV4}|{_NAMED_HOST})"
    rf"(?::\d{{2,5}})?(?:/[^{SPACE}]*)?"
)


@cache
def _url() -> re.Pattern[str]:
    return re.compile(_URL, _FLAGS)


def is_url(text: str) -> bool:
    """A web or FTP address with a public host."""
    return _url().fullmatch(text) is not None
