"""Checks: an API fake serves what its manifest says, and answers as its description has it."""

from evalsim.api.prepared import PreparedOperation
from evalsim.checks.apis.requests import RecordedRequest, recorded_requests
from evalsim.checks.entities import entry_faults
from evalsim.checks.subject import Finding, Findings, Subject
from evalsim.openapi.bodies import Response
from evalsim.openapi.media_types import body_kind, parse_media
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json, is_object


def serves_its_operations(_subject: Subject, fake: LoadedFake) -> Findings:
    """Every operation of the description is served, and nothing else is."""
    described = [one.name for one in fake.api.inputs.operations] if fake.api is not None else []
    again = f"run `evalsim generate {fake.id}`"
    for name in described:
        if name not in fake.contract:
            yield Finding(f"{name!r} is in openapi.json and is not served: {again}.")
    for name in fake.contract:
        if name not in described:
            yield Finding(f"{name!r} is served, and openapi.json does not have it: {again}.")


def maps_operations_to_entities(_subject: Subject, fake: LoadedFake) -> Findings:
    """The manifest has exactly the operations served, of a known kind, over declared entities."""
    entries = fake.manifest.operations
    for name in fake.contract:
        if name not in entries:
            yield Finding(
                f"{name!r} is served and has no entry in the manifest's operations: say its kind "
                "and what it reads and writes."
            )
    for name, entry in entries.items():
        if name not in fake.contract:
            yield Finding(
                f"The manifest's operations name {name!r}, which is not served: remove the entry, "
                "or capture the operation."
            )
        else:
            yield from entry_faults(name, entry, fake)


def answers_as_described(subject: Subject, fake: LoadedFake) -> Findings:
    """Every recorded answer reads as the description has it, and each operation was answered."""
    if fake.api is None:
        return
    by_key = {one.operation.key: one for one in fake.api.operations}
    answered: set[str] = set()
    for recorded in recorded_requests(subject, fake.id):
        prepared = by_key.get(recorded.operation)
        if prepared is None:
            continue
        if recorded.fault is not None:
            yield Finding(f"{recorded}: the fake failed: {recorded.fault}. Mend the handler.")
            continue
        if recorded.status < 400:
            answered.add(recorded.operation)
        yield from _faults(prepared, recorded)
    unseen = [key for key in by_key if key not in answered]
    if unseen and subject.recording is not None:
        yield Finding(
            f"{', '.join(map(repr, unseen))} has no successful answer in the recording, so nothing "
            "was held to its description: write a test that calls it.",
            fails=False,
        )


def _faults(prepared: PreparedOperation, recorded: RecordedRequest) -> Findings:
    response = prepared.operation.response(recorded.status)
    if response is None:
        if prepared.operation.responses and recorded.status < 400:
            yield Finding(
                f"{recorded} is answered with {recorded.status}, which is not described: "
                "answer with a status that is, or add it to the capture's addResponses."
            )
        return
    refusal = _refusal(prepared, response, recorded.response)
    if refusal is not None:
        yield Finding(f"{recorded}: the answer is not as it is described: {refusal}.")


def _refusal(prepared: PreparedOperation, response: Response, answer: Json) -> str | None:
    headers = answer.get("headers") if is_object(answer) else None
    said = headers.get("content-type", "") if is_object(headers) else ""
    if not isinstance(said, str) or body_kind(said) != "json" or "body" not in answer:
        return None
    sent = parse_media(said)
    name = next((name for name in response.content if parse_media(name).covers(sent)), None)
    gate = prepared.answer_gate(response, name) if name is not None else None
    return gate.refusal(answer["body"]) if gate is not None else None
