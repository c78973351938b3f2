"""How a tool's successful answer is written, and what its decoded value must be."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar, cast, get_args

from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_object

Format = Literal["json", "toon", "prefixed_json", "text", "content"]
FORMATS: tuple[str, ...] = get_args(Format)
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Answer:
    """One tool's declared answer.

    `schema` is the JSON Schema of the decoded value (None for `text` and `content`, which have
    none); `prefix` and `suffix` surround the JSON of `prefixed_json`; JSON is compact unless
    `indent` says how many spaces; `structured` marks an answer declared by an outputSchema.
    """

    format: Format
    schema: Json = None
    prefix: str = ""
    suffix: str = ""
    indent: int | None = None
    structured: bool = False

    @property
    def has_schema(self) -> bool:
        """Whether the decoded value is held to a schema."""
        return self.format not in ("text", "content")

    @property
    def prefixes(self) -> tuple[str]:
        """The one text that may stand before the JSON."""
        return (self.prefix,)

    @property
    def suffixes(self) -> tuple[str]:
        """The one text that may stand after it."""
        return (self.suffix,)

    def as_json(self) -> JsonObject:
        """The entry of an answers.json that declares this answer."""
        entry: JsonObject = {"format": self.format}
        if self.has_schema:
            entry["schema"] = self.schema
        if self.structured:
            entry["structured"] = True
        if self.format == "prefixed_json":
            entry["prefix"] = self.prefix
        for key in ("suffix", "indent"):
            if value := getattr(self, key):
                entry[key] = value
        return entry


@dataclass(frozen=True, slots=True)
class DeclaredAnswer(Generic[R_co]):
    """An answer declared in code: the format, and the Python type of the decoded value."""

    type: Any
    format: Format
    prefix: str = ""
    suffix: str = ""
    indent: int | None = None

    def answer(self) -> Answer:
        """The same as data; the type's JSON Schema is made here, when it is first needed."""
        if self.format in ("text", "content"):
            return Answer(self.format)
        from pydantic import TypeAdapter  # noqa: PLC0415  only fakes that declare in code pay for it

        schema = TypeAdapter(self.type).json_schema(by_alias=True, mode="serialization")
        return Answer(self.format, schema, self.prefix, self.suffix, self.indent)


def structured_answer(output_schema: Json) -> Answer:
    """The answer of a tool that states an outputSchema."""
    return Answer("json", output_schema, structured=True)


def read_answers(document: Json, where: str) -> dict[str, Answer]:
    """The answers an answers.json declares, by tool name.

    Raises `DocumentError` with everything that is wrong with it.
    """
    if not is_object(document):
        raise DocumentError(f"{where}: not an object of tool name -> answer.")
    wrong = [
        f"{name!r}: {fault}"
        for name, entry in document.items()
        if (fault := _fault(entry)) is not None
    ]
    if wrong:
        raise DocumentError(f"{where}: {'; '.join(wrong)}.")
    return {name: _answer(entry) for name, entry in document.items()}


def exported_answer(entry: Mapping[str, Json]) -> Answer:
    """The answer of an entry that `Answer.as_json` made; raises `DocumentError` for no answer."""
    declared = {key: value for key, value in entry.items() if key != "structured"}
    if (fault := _fault(declared)) is not None:
        raise DocumentError(f"No answer is declared so: {fault}.")
    return replace(_answer(declared), structured=entry.get("structured") is True)


def _answer(entry: Mapping[str, Json]) -> Answer:
    return Answer(
        cast("Format", entry["format"]),
        entry.get("schema"),
        entry.get("prefix", ""),
        entry.get("suffix", ""),
        entry.get("indent"),
    )


def _fault(entry: Json) -> str | None:
    if not is_object(entry):
        return "an answer is an object with a format"
    form = entry.get("format")
    if form not in FORMATS:
        return f"the format {form!r} is none of {', '.join(FORMATS)}"
    if unknown := sorted(set(entry) - {"format", "schema", "prefix", "suffix", "indent"}):
        return f"unknown key {unknown[0]!r}"
    has_schema = form not in ("text", "content")
    if has_schema != ("schema" in entry):
        return f"a {form} answer {'needs a' if has_schema else 'has no'} schema"
    if form != "prefixed_json" and ("prefix" in entry or "suffix" in entry):
        return f"a {form} answer has no prefix or suffix"
    if form == "prefixed_json" and not isinstance(entry.get("prefix"), str):
        return "a prefixed_json answer needs its prefix"
    if not isinstance(entry.get("suffix", ""), str):
        return "the suffix is not text"
    return _indent_fault(entry.get("indent"), form)


def _indent_fault(indent: Json, form: str) -> str | None:
    if indent is None:
        return None
    if form not in ("json", "prefixed_json"):
        return f"a {form} answer has no indent"
    if type(indent) is not int or not 0 < indent <= 10:
        return "the indent is not a number of spaces from 1 to 10"
    return None
