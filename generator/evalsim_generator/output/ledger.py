"""The ledger beside a fake's generated files: what wrote them, from what, and their hashes."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from evalsim.contract.document import read_document
from evalsim.errors import DocumentError
from evalsim.types import Json

GENERATED = ("__init__.py", "contract.py", "models.py")
LEDGER = ".evalsim.json"
_TOOLS = ("evalsim", "datamodel-code-generator", "black", "pydantic")


@dataclass(frozen=True, slots=True)
class FileHash:
    """A file's hash as written, and one that formatters leave alone."""

    text: str
    loose: str


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """One tool as last generated: the name its classes start with, fingerprints of its contract's
    parts, and its arguments in words."""

    pascal: str
    parts: Mapping[str, str]
    arguments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The contents of .evalsim.json; empty where there is none."""

    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    inputs: str = ""
    files: Mapping[str, FileHash] = field(default_factory=dict[str, FileHash])
    tools: Mapping[str, ToolRecord] = field(default_factory=dict[str, ToolRecord])

    def is_of(self, inputs: str, tools: Iterable[str]) -> bool:
        """Whether these tools of these inputs were generated, by the versions that are here."""
        return (
            self.inputs == inputs
            and sorted(self.tools) == sorted(tools)
            and self.versions == tool_versions()
        )

    def text(self) -> str:
        """The ledger as it is written: sorted, one tool a line."""
        document: dict[str, Json] = {
            "versions": self.versions,
            "inputs": self.inputs,
            "files": {name: [hash.text, hash.loose] for name, hash in self.files.items()},
            "tools": {
                name: [tool.pascal, tool.parts, tool.arguments] for name, tool in self.tools.items()
            },
        }
        return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def read_ledger(folder: Path) -> Ledger:
    """The ledger in `folder`; an unreadable one counts as none, so that all is compared."""
    try:
        document = read_document(folder / LEDGER)
        return Ledger(
            versions=_texts(document["versions"]),
            inputs=str(document["inputs"]),
            files={name: FileHash(*pair) for name, pair in document["files"].items()},
            tools={
                name: ToolRecord(str(pascal), _texts(parts), _texts(arguments))
                for name, (pascal, parts, arguments) in document["tools"].items()
            },
        )
    except (DocumentError, ValueError, KeyError, TypeError, AttributeError):
        return Ledger()


def _texts(value: Json) -> dict[str, str]:
    return {key: str(text) for key, text in value.items()}


def hash_of(text: str) -> FileHash:
    """The hashes of a generated file's text, line endings aside."""
    return FileHash(text_hash(text), loose_hash(text))


def text_hash(text: str) -> str:
    """The hash of a file as it is, line endings aside."""
    return _sha(text.replace("\r\n", "\n"))


def loose_hash(text: str) -> str:
    """The hash of what formatters leave alone: the words of its imports, and the rest unspaced."""
    imported = {word for line in _IMPORT.findall(text) for word in _NAME.findall(line)}
    rest = "".join(_IMPORT.sub("", text).translate(_LAYOUT).split())
    return _sha(" ".join([*sorted(imported), rest]))


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


_IMPORT = re.compile(r"^(?:from|import)\b(?:[^\n(]*\([^)]*\)|[^\n]*)", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")
# What a formatter may add, drop or change: quotes, brackets around a broken line, commas after it.
_LAYOUT = str.maketrans("", "", "'\"(),\\")


@cache
def tool_versions() -> Mapping[str, str]:
    """The versions of everything that shapes generated text."""
    return {name: _version(name) for name in _TOOLS}


def _version(name: str) -> str:
    try:
        told = distribution(name).read_text("METADATA") or ""
    except PackageNotFoundError:
        return "none"
    # By the field alone: the email parser behind `version` reads all the words of the package
    found = re.search(r"^Version: *(\S+)", told, re.MULTILINE)
    return found[1] if found else "none"
