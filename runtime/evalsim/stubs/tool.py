"""What is known of a tool that calls go to: the JSON Schemas of its input and its output."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from evalsim.types import Json


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool's name, kind and schemas; a schema that is None is not known, and holds nothing."""

    name: str
    input_schema: Json = None
    output_schema: Json = None
    kind: str = "tool"

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits that change with either schema, and not with the order of keys."""
        both = [self.input_schema, self.output_schema]
        text = json.dumps(both, sort_keys=True, default=repr, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


ToolSchemas: TypeAlias = Mapping[tuple[str, str], ToolSchema]
"""Tools by kind and name."""
