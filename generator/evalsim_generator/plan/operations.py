"""The planner of API fakes: what is generated from a description."""

from collections.abc import Mapping

from evalsim.api.views import Schemas, View
from evalsim.contract.fingerprint import fingerprint
from evalsim.openapi.operations import Operation
from evalsim.openapi.parameters import PLACES
from evalsim.types import Json, JsonObject
from evalsim_generator.capture.description import ApiCapture
from evalsim_generator.handwritten.changes import describe
from evalsim_generator.models.description import component_names, describe_description
from evalsim_generator.models.directions import schema_components
from evalsim_generator.models.shape import Shape
from evalsim_generator.models.text import first_sentence
from evalsim_generator.output.ledger import ToolRecord
from evalsim_generator.plan.names import snake, tool_names
from evalsim_generator.plan.plan import FakePlan, OperationPlan
from evalsim_generator.problems import Problem, some


def plan_api(capture: ApiCapture) -> FakePlan:
    """The plan of one API fake, with every problem of its operations."""
    names = _names(capture)
    document = capture.inputs.normal
    described = describe_description(
        document,
        {names[one.name]: one for one in capture.inputs.operations},
        component_names(schema_components(document), names.values()),
    )
    schemas = Schemas(document, frozenset())
    operations = tuple(
        _plan_operation(one, names[one.name], described.answers[names[one.name]], schemas)
        for one in capture.inputs.operations
    )
    return FakePlan(
        id=capture.id,
        label=capture.label,
        inputs=capture.inputs.fingerprint,
        tools=operations,
        problems=(*capture.problems, *_odd_defaults(capture, described.widened)),
        described=described,
    )


def _names(capture: ApiCapture) -> dict[str, str]:
    """A Pascal-case name for each operation; of one without an id, `GetMeMessages`."""
    kept = {name: record.pascal for name, record in capture.ledger.tools.items()}
    spelt = {one.name: _spelt(one) for one in capture.inputs.operations}
    told = tool_names(list(spelt.values()), {spelt.get(name, name): k for name, k in kept.items()})
    return {name: told[text] for name, text in spelt.items()}


def _spelt(operation: Operation) -> str:
    has_id = operation.name == operation.operation_id
    return operation.name if has_id else f"{operation.method.lower()} {operation.path}"


def _plan_operation(
    operation: Operation, pascal: str, answers: Mapping[str, Shape], schemas: Schemas
) -> OperationPlan:
    raw = operation.raw
    return OperationPlan(
        name=operation.name,
        key=operation.key,
        pascal=pascal,
        function=snake(pascal),
        summary=first_sentence(raw.get("summary") or raw.get("description")),
        read_only=operation.method in ("GET", "HEAD", "OPTIONS"),
        answers=answers,
        record=_record(operation, pascal, schemas),
    )


def _record(operation: Operation, pascal: str, schemas: Schemas) -> ToolRecord:
    """What is kept of an operation to say later what changed in it."""
    request = schemas.bundle(_request_schema(operation), View.REQUEST)
    answers = {
        status: {name: schemas.bundle(media.schema, View.ANSWER) for name, media in one.items()}
        for status, one in ((s, response.content) for s, response in operation.responses.items())
    }
    said = {k: v for k, v in operation.raw.items() if k in ("summary", "description", "security")}
    parts: dict[str, Json] = {"request": request, "answers": answers, "description": said}
    fingerprints = {name: fingerprint(part)[:16] for name, part in parts.items()}
    return ToolRecord(pascal, fingerprints, describe(request))


def _request_schema(operation: Operation) -> JsonObject:
    """A request as one schema, as its model has it: an object of path, query, … and body."""
    properties: JsonObject = {}
    required: list[str] = []
    for place in PLACES:
        if listed := operation.parameters_in(place):
            properties[place] = {
                "type": "object",
                "properties": {one.name: one.schema for one in listed},
                "required": [one.name for one in listed if one.required],
            }
            required.append(place)
    if operation.body is not None:
        kinds = [media.schema for media in operation.body.content.values()]
        properties["body"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
        required += ["body"] if operation.body.required else []
    return {"type": "object", "properties": properties, "required": required}


def _odd_defaults(capture: ApiCapture, widened: Mapping[str, tuple[str, ...]]) -> list[Problem]:
    refused = [f"{name}: {wire}" for name, wires in widened.items() for wire in wires]
    if not refused:
        return []
    return [
        Problem(
            "warning",
            f"{capture.label}/openapi.json",
            f"defaults that their own schemas refuse: {some(refused)}",
            "nothing to do: their fields take the default's type too",
        )
    ]
