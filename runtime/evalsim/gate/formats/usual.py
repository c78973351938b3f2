"""The usual spellings of some formats, as patterns that the engine holds a text to by itself.

Asking this side about one text takes the engine longer than all else it does with a record, so it
asks only about texts that are spelled in another way. What a pattern accepts, the format accepts.
"""

from collections.abc import Mapping
from types import MappingProxyType

_DATE = (
    "[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    "|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
)
_TIME = (
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_UUID = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_EMAIL = r"[a-zA-Z0-9_+-]+(?:\.[a-zA-Z0-9_+-]+)*@[a-zA-Z0-9]+(?:[.-][a-zA-Z0-9]+)*\.[a-zA-Z0-9]+"
_URI = "https?://[a-zA-Z0-9.-]+(?::[0-9]+)?(?:/[a-zA-Z0-9._~/-]*)?"

USUAL: Mapping[str, str] = MappingProxyType(
    {
        name: f"^(?:{pattern})$"
        for name, pattern in {
            "date": _DATE,
            "date-time": f"{_DATE}T{_TIME}",
            "email": _EMAIL,
            "uri": _URI,
            "uuid": _UUID,
        }.items()
    }
)
