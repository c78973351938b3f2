"""Every format that is enforced, by name; a format that is not here accepts anything."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from evalsim.gate.formats import addresses, dates
from evalsim.gate.formats.regex import is_regex
from evalsim.types import JsonObject

FormatCheck = Callable[[str], bool]

_HEX = "[0-9a-f]"
_POINTER = r"(?:/(?:[^~/]|~[01])*)*"
_VARIABLE = rf"(?:\w|%{_HEX}{{2}})+(?::[1-9]\d{{0,3}}|\*)?"
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_LINE_END = re.compile(r"[\n\r\u2028\u2029]")


def _whole(expression: str) -> FormatCheck:
    @cache  # compiled when it is first asked for, as few schemas do
    def compiled() -> re.Pattern[str]:
        return re.compile(expression, re.IGNORECASE | re.ASCII)

    return lambda text: compiled().fullmatch(text) is not None


def _is_byte(text: str) -> bool:
    """Base64 on at least one line of the text, for that is what ajv-formats looks for."""
    return any(_BASE64.fullmatch(line) for line in _LINE_END.split(text))


def _anything(_text: str) -> bool:
    return True


TEXT_FORMATS: Mapping[str, FormatCheck] = MappingProxyType(
    {
        "byte": _is_byte,
        "date": dates.is_date,
        "date-time": dates.is_date_time,
        "duration": dates.is_duration,
        "email": addresses.is_email,
        "hostname": addresses.is_hostname,
        "ipv4": addresses.is_ipv4,
        "ipv6": addresses.is_ipv6,
        "iso-date-time": dates.is_iso_date_time,
        "iso-time": dates.is_iso_time,
        "json-pointer": _whole(_POINTER),
        "json-pointer-uri-fragment": _whole(
            rf"#(?:/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%{_HEX}{{2}}|~[01])*)*"
        ),
        "regex": is_regex,
        "relative-json-pointer": _whole(rf"(?:0|[1-9]\d*)(?:#|{_POINTER})"),
        "time": dates.is_time,
        "uri": addresses.is_uri,
        "uri-reference": addresses.is_uri_reference,
        "uri-template": _whole(
            rf"(?:[^\x00-\x20\"'<>%\\^`{{|}}]|%{_HEX}{{2}}"
            rf"|\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\}})*"
        ),
        "url": addresses.is_url,
        "uuid": _whole(rf"(?:urn:uuid:)?{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}"),
        # The engine would enforce these; ajv-formats does not know them.
        "idn-email": _anything,
        "idn-hostname": _anything,
        "iri": _anything,
        "iri-reference": _anything,
        "color": _anything,
    }
)

NUMBER_FORMATS: Mapping[str, JsonObject] = MappingProxyType(
    {
        "int32": {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
        "int64": {"type": "integer"},
    }
)
"""Formats of numbers, each as the schema that a number then meets."""
