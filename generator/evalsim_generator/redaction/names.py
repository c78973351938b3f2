"""Which names say that what they hold is a secret."""

import re

_HEADERS = frozenset(
    {
        *("authorization", "proxy-authorization", "cookie", "set-cookie", "mcp-session-id"),
        *("www-authenticate", "proxy-authenticate", "authentication-info"),
    }
)
_WORDS = frozenset(
    {
        *("token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "credential"),
        *("credentials", "authorization", "auth", "bearer", "jwt", "cookie", "apikey", "otp"),
        *("signature", "sig", "accesskey", "privatekey", "secretkey", "accesstoken"),
        *("refreshtoken", "idtoken", "clientsecret", "sessionid", "sid"),
    }
)
_KEYS = frozenset(
    {
        *("api", "access", "private", "secret", "signing", "encryption", "auth", "shared"),
        *("service", "subscription", "master", "deploy", "webhook", "account", "storage"),
    }
)
"""A key of one of these kinds is a secret; an id of an idempotent request, say, is not."""
_PAGES = frozenset(
    {*("page", "next", "prev", "previous", "continuation", "sync", "delta"), "pagination", "cursor"}
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def is_secret_name(name: str) -> bool:
    """Whether a field, header, argument or parameter of this name holds a secret.

    `apiKey`, `X-Api-Key`, `access_token` and `clientSecret` do; `nextPageToken`, `max_tokens`
    and `primary_key` do not.
    """
    if name.lower() in _HEADERS:
        return True
    words = [word.lower() for word in _PART.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    match words:
        case [*_, kind, "key"]:
            return kind in _KEYS
        case [*_, "session", "id"]:
            return True
        case [*_, kind, "token"]:
            return kind not in _PAGES
        case [*_, last]:
            return last in _WORDS
        case _:
            return False
