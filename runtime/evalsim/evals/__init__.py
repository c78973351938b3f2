"""Evals of any Python agent, as tests: scripted without a key, live with one.

from evalsim.evals import Call, Suite, expect_called
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalsim.evals.agents.driving import Factory
    from evalsim.evals.agents.endpoint import ChatEndpoint
    from evalsim.evals.agents.io import AgentIO, McpEndpoint, ModelEndpoint
    from evalsim.evals.agents.process import AgentExited, Subprocess
    from evalsim.evals.claims.calls import (
        expect_called,
        expect_not_called,
        expect_refused,
        expect_tool_before_speech,
        refusal_pattern,
    )
    from evalsim.evals.claims.envelope import Envelope
    from evalsim.evals.claims.readers import (
        calls_to,
        custom_events,
        errors_in,
        last_state,
        last_tool_result,
        said_in,
        tool_args,
        tool_names,
        tool_result,
        tool_results,
        turn_calling,
    )
    from evalsim.evals.claims.states import expect_no_changes, expect_only_changes
    from evalsim.evals.claims.telling import describe_calls, describe_turn
    from evalsim.evals.events import Event, events_of, is_event
    from evalsim.evals.invalid import (
        AgentLeak,
        EvalError,
        InvalidMeasurement,
        SessionOver,
        TurnTimeout,
    )
    from evalsim.evals.jobs.adapters import RecordedArq, recorded_celery
    from evalsim.evals.jobs.app import App, SyncApp
    from evalsim.evals.jobs.client import JobClient, RunSnapshot, run_snapshot
    from evalsim.evals.jobs.recording import RecordingJobs
    from evalsim.evals.jobs.run import JobContext, JobRun, JobTimeout, completed_output
    from evalsim.evals.judging import Judgement, Ruling
    from evalsim.evals.mode import ModeDecision, resolve_mode
    from evalsim.evals.model.provider import Model
    from evalsim.evals.model.steps import Call, Fail, Json, Parallel
    from evalsim.evals.services.binary import BinaryService
    from evalsim.evals.services.files import StubFile, StubFiles
    from evalsim.evals.services.job_api import AsyncJobApi, JobApiFields
    from evalsim.evals.services.presets import speech, transcription
    from evalsim.evals.services.request import Failure, Reply, Request, Service
    from evalsim.evals.services.subagent import StubSubagent
    from evalsim.evals.session import Session, SyncSession
    from evalsim.evals.simulating import SimulatedCall
    from evalsim.evals.suite import Suite
    from evalsim.evals.tools import ToolCall
    from evalsim.evals.transcript import transcript_of
    from evalsim.evals.turn import Turn

_HOMES = {
    "ChatEndpoint": "agents.endpoint",
    **dict.fromkeys(("AgentExited", "Subprocess"), "agents.process"),
    "Factory": "agents.driving",
    **dict.fromkeys(("AgentIO", "McpEndpoint", "ModelEndpoint"), "agents.io"),
    **dict.fromkeys(("expect_called", "expect_not_called", "expect_refused"), "claims.calls"),
    **dict.fromkeys(("expect_tool_before_speech", "refusal_pattern"), "claims.calls"),
    **dict.fromkeys(("calls_to", "custom_events", "errors_in", "last_state"), "claims.readers"),
    **dict.fromkeys(("last_tool_result", "said_in", "tool_args", "tool_names"), "claims.readers"),
    **dict.fromkeys(("tool_result", "tool_results", "turn_calling"), "claims.readers"),
    **dict.fromkeys(("expect_no_changes", "expect_only_changes"), "claims.states"),
    **dict.fromkeys(("describe_calls", "describe_turn"), "claims.telling"),
    **dict.fromkeys(("Event", "events_of", "is_event"), "events"),
    **dict.fromkeys(("AgentLeak", "EvalError", "InvalidMeasurement"), "invalid"),
    **dict.fromkeys(("SessionOver", "TurnTimeout"), "invalid"),
    **dict.fromkeys(("App", "SyncApp"), "jobs.app"),
    **dict.fromkeys(("JobClient", "RunSnapshot", "run_snapshot"), "jobs.client"),
    "RecordingJobs": "jobs.recording",
    **dict.fromkeys(("JobContext", "JobRun", "JobTimeout", "completed_output"), "jobs.run"),
    **dict.fromkeys(("Judgement", "Ruling"), "judging"),
    "Envelope": "claims.envelope",
    **dict.fromkeys(("RecordedArq", "recorded_celery"), "jobs.adapters"),
    "BinaryService": "services.binary",
    **dict.fromkeys(("StubFile", "StubFiles"), "services.files"),
    **dict.fromkeys(("AsyncJobApi", "JobApiFields"), "services.job_api"),
    **dict.fromkeys(("speech", "transcription"), "services.presets"),
    **dict.fromkeys(("Failure", "Reply", "Request", "Service"), "services.request"),
    "StubSubagent": "services.subagent",
    "SimulatedCall": "simulating",
    **dict.fromkeys(("ModeDecision", "resolve_mode"), "mode"),
    "Model": "model.provider",
    **dict.fromkeys(("Call", "Fail", "Json", "Parallel"), "model.steps"),
    **dict.fromkeys(("Session", "SyncSession"), "session"),
    "Suite": "suite",
    "ToolCall": "tools",
    "transcript_of": "transcript",
    "Turn": "turn",
}
__all__ = [
    "AgentExited",
    "AgentIO",
    "AgentLeak",
    "App",
    "AsyncJobApi",
    "BinaryService",
    "Call",
    "ChatEndpoint",
    "Envelope",
    "EvalError",
    "Event",
    "Factory",
    "Fail",
    "Failure",
    "InvalidMeasurement",
    "JobApiFields",
    "JobClient",
    "JobContext",
    "JobRun",
    "JobTimeout",
    "Json",
    "Judgement",
    "McpEndpoint",
    "ModeDecision",
    "Model",
    "ModelEndpoint",
    "Parallel",
    "RecordedArq",
    "RecordingJobs",
    "Reply",
    "Request",
    "Ruling",
    "RunSnapshot",
    "Service",
    "Session",
    "SessionOver",
    "SimulatedCall",
    "StubFile",
    "StubFiles",
    "StubSubagent",
    "Subprocess",
    "Suite",
    "SyncApp",
    "SyncSession",
    "ToolCall",
    "Turn",
    "TurnTimeout",
    "calls_to",
    "completed_output",
    "custom_events",
    "describe_calls",
    "describe_turn",
    "errors_in",
    "events_of",
    "expect_called",
    "expect_no_changes",
    "expect_not_called",
    "expect_only_changes",
    "expect_refused",
    "expect_tool_before_speech",
    "is_event",
    "last_state",
    "last_tool_result",
    "recorded_celery",
    "refusal_pattern",
    "resolve_mode",
    "run_snapshot",
    "said_in",
    "speech",
    "tool_args",
    "tool_names",
    "tool_result",
    "tool_results",
    "transcript_of",
    "transcription",
    "turn_calling",
]


# Imported when asked for: pytest loads the plugin below this package in every run of every project
def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
