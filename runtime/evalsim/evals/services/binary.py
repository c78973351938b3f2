"""A route that answers with bytes: speech, images, files."""

from dataclasses import dataclass, field

from evalsim.evals.services.request import Answer, Failure, Reply, Request
from evalsim.evals.services.routes import read_route


@dataclass(slots=True)
class BinaryService:
    """Answers one route with the same bytes each time, and keeps what it was asked.

    With `require_key`, a request without a credential is refused, as by the service itself.
    """

    route: str
    data: bytes
    media_type: str = "application/octet-stream"
    failure: Failure | None = field(default=None, kw_only=True)
    require_key: bool = field(default=False, kw_only=True)
    calls: list[Request] = field(default_factory=list[Request], init=False)

    def answer(self, request: Request) -> Answer:
        """The bytes, or the refusal."""
        if read_route(self.route).match(request) is None:
            return None
        self.calls.append(request)
        if self.require_key and request.key is None:
            return Reply(401, {"error": "There is no API key in the request."})
        refused = None if self.failure is None else self.failure.at("other")
        return refused or Reply(body=self.data, media_type=self.media_type)
