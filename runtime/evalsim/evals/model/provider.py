"""Which model is asked in live mode, and the credentials it needs."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from evalsim.errors import EvalsimError

_BASE_URLS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_KEYS = {"openai": ("OPENAI_API_KEY",), "anthropic": ("ANTHROPIC_API_KEY",)}


@dataclass(frozen=True, slots=True, init=False)
class Model:
    """A provider's model, as `Model("openai:gpt-5")`; `key_names` are the variables it needs."""

    provider: str
    name: str
    base_url: str
    key_names: tuple[str, ...] = field(compare=False)

    def __init__(
        self, spec: str, *, base_url: str | None = None, key_names: tuple[str, ...] | None = None
    ) -> None:
        """Raises `EvalsimError` for a provider whose API is not spoken here."""
        provider, colon, name = spec.partition(":")
        if not colon or not name or provider not in _BASE_URLS:
            known = " or ".join(f"{known}:<model>" for known in _BASE_URLS)
            raise EvalsimError(f"The model {spec!r} is not one of {known}.")
        url = base_url or _BASE_URLS[provider]
        keys = key_names if key_names is not None else () if _is_local(url) else _KEYS[provider]
        for attribute, value in (("provider", provider), ("name", name)):
            object.__setattr__(self, attribute, value)
        object.__setattr__(self, "base_url", url.rstrip("/"))
        object.__setattr__(self, "key_names", tuple(keys))

    def missing(self, env: Mapping[str, str]) -> tuple[str, ...]:
        """The names of credentials that are not set, or blank."""
        return tuple(name for name in self.key_names if not env.get(name, "").strip())


def _is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
