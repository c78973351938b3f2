"""What observed.json says of each tool's answers, as a fake's recorded ones are held to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalsim.contract.document import read_document
from evalsim.contract.masked import NAME_PATTERN
from evalsim.contract.observed import (
    MASKED,
    OBSERVED,
    REQUIRED_MIN_SAMPLES,
    ObservedAnswer,
    observed_answer,
)
from evalsim.errors import DocumentError, SchemaError
from evalsim.gate.gate import Gate, compile_gate
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json, JsonObject, is_array, is_object


@dataclass(frozen=True, slots=True)
class Observed:
    """How the real server answered, `sampled` times; the decoded value is held to `gate`."""

    sampled: int
    answer: ObservedAnswer
    gate: Gate


@dataclass(frozen=True, slots=True)
class ObservedTool:
    """One tool's answers, and those of each operation that a code-mode tool was seen to run.

    `selected_by` names the arguments whose values say which operation a call runs.
    """

    whole: Observed
    operations: Mapping[str, Observed]
    selected_by: Sequence[str] = ()

    def of(self, args: JsonObject) -> tuple[Observed, str | None]:
        """What a call with `args` is held to, and the operation it selects where one was seen."""
        values = [args.get(name) for name in self.selected_by]
        operation = " ".join(value for value in values if isinstance(value, str))
        if self.selected_by and operation in self.operations:
            return self.operations[operation], operation
        return self.whole, None


def read_observation(fake: LoadedFake) -> dict[str, ObservedTool] | None:
    """What was observed of each tool that was answered; None where nothing was observed.

    Raises `DocumentError` for an observed.json that observe does not write.
    """
    path = fake.folder / OBSERVED
    if not path.is_file():
        return None
    document = read_document(path)
    tools = document.get("tools") if is_object(document) else None
    if not is_object(tools):
        raise DocumentError(f'{path}: it has no "tools": run `evalsim observe {fake.id}` again.')
    modes = fake.manifest.document.get("codeMode", {})
    return {
        name: _tool(entry, modes.get(name), f"{path}: tools.{name}")
        for name, entry in tools.items()
        if not is_object(entry) or "answer" in entry
    }


def _tool(entry: Json, mode: Json, where: str) -> ObservedTool:
    whole = _observed(entry, where)
    operations: Json = entry.get("operations", {})
    if not is_object(operations):
        raise DocumentError(f"{where}: its operations are no object.")
    selected_by: Json = mode.get("operation", []) if is_object(mode) else []
    return ObservedTool(
        whole,
        {key: _observed(each, f"{where}.operations.{key}") for key, each in operations.items()},
        selected_by if is_array(selected_by) else [],
    )


def _observed(entry: Json, where: str) -> Observed:
    sampled = entry.get("sampled") if is_object(entry) else None
    if not is_object(entry) or type(sampled) is not int:
        raise DocumentError(f"{where}: it has no number of samples.")
    answer = observed_answer(entry.get("answer"), where)
    held = _held(answer.schema if answer.schema is not None else True, sampled)
    try:
        return Observed(sampled, answer, compile_gate(held))
    except SchemaError as error:
        raise DocumentError(f"{where}: its schema cannot be compiled: {error}") from error


def _held(schema: Json, sampled: int) -> Json:
    """The schema that values are held to: with too few samples, no key is asked for or masked."""
    if not is_object(schema):
        return schema
    enough = sampled >= REQUIRED_MIN_SAMPLES
    held = {key: value for key, value in schema.items() if key not in ("required", MASKED)}
    if enough and "required" in schema:
        held["required"] = schema["required"]
    if enough and MASKED in schema:
        # A plain word that no sample had says nothing of its value, so only other keys are held
        held["patternProperties"] = {NAME_PATTERN: True}
        held["additionalProperties"] = _held(schema[MASKED], sampled)
    if is_object(schema.get("properties")):
        held["properties"] = {k: _held(v, sampled) for k, v in schema["properties"].items()}
    if "items" in schema:
        held["items"] = _held(schema["items"], sampled)
    return held
