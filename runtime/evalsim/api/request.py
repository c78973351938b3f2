"""A request as it came: its parts told apart, nothing of it judged yet."""

from collections.abc import Mapping
from dataclasses import dataclass

from evalsim.api.links import Address
from evalsim.api.outbox import Outbox
from evalsim.api.refused import Refused


@dataclass(slots=True)
class ApiRequest:
    """One request; `texts` are its path parameters, `outbox` is what its handler sends beside the
    answer, and `refused` is why it reaches no operation.

    Header fields go by lower-case name; one that was sent twice reads `first, second`.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    address: Address
    texts: Mapping[str, str]
    outbox: Outbox | None = None
    refused: Refused | None = None
