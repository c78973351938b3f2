"""Stand-ins for known kinds of services: transcription by jobs and at once, and speech."""

from collections.abc import Callable, Sequence
from typing import Any

from evalsim.evals.services.binary import BinaryService
from evalsim.evals.services.job_api import AsyncJobApi, JobApiFields
from evalsim.evals.services.request import Answer, Failure, Request
from evalsim.types import Json

SILENT = "There is no speech in that recording."
SILENCE = bytes(12_000)
"""A quarter of a second of nothing, as 16-bit samples at 24 kHz."""


def transcription(
    text: str | Sequence[str] = "hello there",
    *,
    seconds: float = 60,
    pending_polls: int = 0,
    job_error: str | None = None,
    failure: Failure | None = None,
    audio_url: str = "https://cdn.example.test/upload/1",
    otherwise: Callable[[Request], Answer] | None = None,
) -> AsyncJobApi:
    """Transcribes audio, by jobs as AssemblyAI and at once as OpenAI do.

    An empty text means something: a job that hears nothing is over with an error, which is final,
    and a request that is answered at once says that nothing was said.
    """
    return AsyncJobApi(
        upload="POST /v2/upload",
        submit="POST /v2/transcript",
        poll="GET /v2/transcript/{id}",
        direct="POST /v1/audio/transcriptions",
        outputs=text if isinstance(text, str) else list(text),
        pending_polls=pending_polls,
        job_error=job_error,
        failure=failure,
        uploaded={"upload_url": audio_url},
        id_prefix="stub_transcript_",
        fields=JobApiFields(output="text"),
        refuses=_hears_nothing,
        extra={"audio_duration": seconds},
        otherwise=otherwise,
    )


def speech(
    data: bytes = SILENCE, *, failure: Failure | None = None, require_key: bool = False
) -> BinaryService:
    """Speaks a text, as OpenAI does: its calls tell `input`, `voice` and so on; it says nothing."""
    return BinaryService(
        "POST /v1/audio/speech", data, "audio/pcm", failure=failure, require_key=require_key
    )


def _hears_nothing(text: Json) -> str | None:
    spoken: Any = text
    return None if str(spoken).strip() else SILENT
