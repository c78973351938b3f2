"""What listens to an MCP server's answers: both transports over HTTP, in both eras."""

from functools import partial

import httpx2
from starlette.requests import Request

from evalsim_generator.record.calls import Calls, SentCall
from evalsim_generator.record.proxy import Choose
from evalsim_generator.record.recorder import Recorder
from evalsim_generator.record.taps import EventAnswers, JsonAnswer, Tap, channel_of


class McpTraffic:
    """Records the tool calls that pass."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._calls = Calls(recorder)

    def hear(self, request: Request, body: bytes) -> Choose:
        """Note the calls in a request, whose answers may come over another stream before its own
        answer does."""
        session = request.headers.get("mcp-session-id")
        path = channel_of(str(request.url))
        channel = f"session {session}" if session else path
        sent = self._calls.sent(body, channel) if request.method == "POST" else {}
        return partial(self._choose, path, channel, sent)

    def _choose(
        self, path: str, channel: str, sent: dict[str, SentCall], answer: httpx2.Response
    ) -> Tap | None:
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if answer.headers.get("content-encoding", "identity") != "identity":
            if sent:
                self._recorder.missed("an answer was compressed, though that was not asked for")
        elif kind == "text/event-stream":
            return EventAnswers(self._calls, channel, sent, path)
        elif kind == "application/json" and sent:
            return JsonAnswer(self._calls, channel, sent)
        elif sent and answer.status_code != 202:
            self._recorder.missed(f"an answer was HTTP {answer.status_code} and no message")
        return None
