"""The inputs a contract is generated from, and the fingerprint that ties it to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evalsim.contract.answer import Answer, read_answers, structured_answer
from evalsim.contract.captured import CapturedTool, read_tools
from evalsim.contract.document import read_document
from evalsim.contract.fingerprint import fingerprint
from evalsim.errors import DocumentError
from evalsim.types import Json


@dataclass(frozen=True, slots=True)
class Inputs:
    """A fake's captured tools and the answers declared for them as data.

    `more` says that the server had more tools to list than were captured.
    """

    tools: Mapping[str, CapturedTool]
    answers: Mapping[str, Answer]
    more: bool = False

    def answer_of(self, name: str) -> Answer | None:
        """The answer data declares for a tool: its outputSchema's, or the one in answers.json."""
        schema = self.tools[name].output_schema
        return structured_answer(schema) if schema is not None else self.answers.get(name)

    def fingerprint(self, allowed: Iterable[str]) -> str:
        """The hash of everything the contract of the `allowed` tools says."""
        return fingerprint(
            [[self.tools[name].raw, _as_json(self.answers.get(name))] for name in allowed]
        )


def _as_json(answer: Answer | None) -> Json:
    return None if answer is None else answer.as_json()


def read_inputs(folder: Path) -> Inputs:
    """The tools.json and answers.json of the fake in `folder`.

    Raises `DocumentError` when either is unreadable, or when answers.json names a tool that was
    not captured or one whose outputSchema already declares its answer.
    """
    listing = read_tools(folder / "tools.json")
    tools = {tool.name: tool for tool in listing.tools}
    path = folder / "answers.json"
    answers = read_answers(read_document(path), str(path)) if path.exists() else {}
    wrong = [
        f"{name!r} was not captured in tools.json" for name in answers if name not in tools
    ] + [
        f"{name!r} states an outputSchema in tools.json, which is its answer: remove this entry"
        for name in answers
        if name in tools and tools[name].output_schema is not None
    ]
    if wrong:
        raise DocumentError(f"{path}: {'; '.join(wrong)}.")
    return Inputs(tools, answers, listing.more)
