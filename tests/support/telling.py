"""Words that no response may hold: no real server would say them."""

import re
from typing import Final

from support.wire import Response

TELLING: Final = re.compile(
    r"fake|evalsim|scenario|\bquiet\b|\bbusy\b"
    r"|uvicorn|starlette|httptools|asgi|pydantic|orjson|jsonschema|python|\bmcp_types\b"
    r"|traceback|\.py\b|site-packages|/tmp/|/home/|<class|nonetype|(?-i:[A-Z]\w+(Error|Exception)\b)",
    re.IGNORECASE,
)
"""Names of the project, of the scenarios of `support.fakes`, of what it stands on, and of code."""


def telling_words(response: Response) -> list[str]:
    """What a response, head or body, should not have said."""
    text = response.head + response.body.decode("utf-8", "replace")
    return [found.group() for found in TELLING.finditer(text)]
