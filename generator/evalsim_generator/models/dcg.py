"""Annotations of a shape's fields, as datamodel-code-generator writes them."""

import ast
import io
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stderr
from functools import cache
from typing import Any, TypeAlias

from evalsim.types import JsonObject
from evalsim_generator.models.shape import (
    NOTHING,
    Anything,
    FieldShape,
    ListOf,
    Literals,
    MapOf,
    Native,
    Ref,
    Scalar,
    Shape,
    Shapes,
    Union,
)

ROOT = "Root"
"""A class that holds the root; every other name ends in Args or Result, or goes on from there."""

MOST_FIELDS = 2_000
"""Fields of one schema that are typed; the largest known real one has 800."""

_TOGETHER = 200
"""Fields that are handed over at once: most of what a call takes is the same for few and many."""

_ELSEWHERE: JsonObject = {"type": "object", "properties": {"f0": {"type": "string"}}}

Annotations: TypeAlias = Mapping[str, Mapping[str, ast.expr]]
"""The annotation of every field, by class and field name; the root's stands under `ROOT`."""


class ModelError(Exception):
    """A schema's models could not be generated."""


def annotations_of(schemas: Iterable[Shapes]) -> Iterator[Annotations | ModelError]:
    """The annotations of each of `schemas`, whose classes all have names of their own, in order.

    The document handed over is built from the shapes alone: its only words from a server are the
    strings of literals, so nothing in a capture can name a type, a field, an import or a file.
    One schema that cannot be generated does not keep those beside it from it.
    """
    for group in _groups(schemas):
        yield from _annotated(group)


def _groups(schemas: Iterable[Shapes]) -> Iterator[list[Shapes]]:
    group: list[Shapes] = []
    fields = 0
    for shapes in schemas:
        group.append(shapes)
        fields += _size(shapes)
        if fields > _TOGETHER:
            yield group
            group, fields = [], 0
    if group:
        yield group


def _size(shapes: Shapes) -> int:
    return sum(map(len, shapes.classes.values()))


def _annotated(group: list[Shapes]) -> list[Annotations | ModelError]:
    try:
        return list(_annotated_at_once(group))
    except ModelError as error:
        return [error] if len(group) == 1 else [_annotated([one])[0] for one in group]


def _annotated_at_once(group: list[Shapes]) -> Iterator[Annotations]:
    for shapes in group:
        if (count := _size(shapes)) > MOST_FIELDS:
            raise ModelError(f"it has {count:,} fields; at most {MOST_FIELDS:,} are typed")
    roots = {
        f"{ROOT}{index}": (FieldShape("root", "root", shapes.root, True),)
        for index, shapes in enumerate(group)
    }
    classes = {name: fields for shapes in group for name, fields in shapes.classes.items()}
    found = _fields_of(classes | roots)
    for root, shapes in zip(roots, group, strict=True):
        yield {name: found[name] for name in shapes.classes} | {ROOT: found[root]}


def _fields_of(classes: Mapping[str, tuple[FieldShape, ...]]) -> Annotations:
    named = {name for fields in classes.values() for f in fields for name in _named_in(f.shape)}
    numbers = {name: f"C{index}" for index, name in enumerate(sorted(classes.keys() | named))}
    # A class of another group, or one that is no model, is only named
    known = dict.fromkeys(named - classes.keys(), _ELSEWHERE) | {
        name: _class_schema(fields, numbers) for name, fields in classes.items()
    }
    document = {"$defs": {numbers[name]: schema for name, schema in known.items()}}
    module = _Renamed({number: name for name, number in numbers.items()}).visit(
        _parse(_generate(document))
    )
    found = {
        node.name: [part.annotation for part in node.body if isinstance(part, ast.AnnAssign)]
        for node in module.body
        if isinstance(node, ast.ClassDef)
    }
    for name, fields in classes.items():
        if len(found.get(numbers[name], ())) != len(fields):
            raise ModelError(f"the class {name} did not come out with its fields")
    return {
        name: {field.name: found[numbers[name]][index] for index, field in enumerate(fields)}
        for name, fields in classes.items()
    }


class _Renamed(ast.NodeTransformer):
    """Gives what an annotation names by a number its name."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node


def _named_in(shape: Shape) -> Iterator[str]:
    match shape:
        case Ref(name=name) | Native(name=name):
            yield name
        case ListOf(items=inner) | MapOf(values=inner):
            yield from _named_in(inner)
        case Union(members=members):
            for member in members:
                yield from _named_in(member)
        case _:
            pass


def _class_schema(fields: tuple[FieldShape, ...], numbers: Mapping[str, str]) -> JsonObject:
    """Fields and classes go by number, so that no name is one that would be changed."""
    filled = [f.required or f.default is not NOTHING for f in fields]
    return {
        "type": "object",
        "properties": {f"f{i}": _schema(field.shape, numbers) for i, field in enumerate(fields)},
        "required": [f"f{i}" for i, always in enumerate(filled) if always],
    }


def _schema(shape: Shape, numbers: Mapping[str, str]) -> JsonObject:
    match shape:
        case Scalar(type="number"):
            return {"type": ["integer", "number"]}  # a whole number stays one
        case Scalar(type=name):
            return {"type": name}
        case Literals(values=values):
            return {"enum": list(values)}
        case ListOf(items=items):
            return {"type": "array", "items": _schema(items, numbers)}
        case MapOf(values=values):
            return {"type": "object", "additionalProperties": _schema(values, numbers)}
        case Union(members=members):
            return {"anyOf": [_schema(member, numbers) for member in members]}
        case Ref(name=name) | Native(name=name):
            return {"$ref": f"#/$defs/{numbers[name]}"}
        case Anything():
            return {}


def _parse(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ModelError(f"what was generated does not parse: {error}") from error


def _generate(document: JsonObject) -> str:
    from datamodel_code_generator import generate  # noqa: PLC0415  half a second, only when needed

    try:
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            return str(generate(json.dumps(document), config=_options()))
    except RecursionError as error:
        raise ModelError("the schema is nested too deeply") from error
    except Exception as error:
        raise ModelError(f"{type(error).__name__}: {error}") from error


@cache
def _options() -> Any:
    from datamodel_code_generator.config import GenerateConfig  # noqa: PLC0415
    from datamodel_code_generator.enums import DataModelType, InputFileType  # noqa: PLC0415
    from datamodel_code_generator.parser import LiteralType  # noqa: PLC0415

    return GenerateConfig(
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.PydanticV2BaseModel,
        enum_field_as_literal=LiteralType.All,
        use_standard_collections=True,
        use_union_operator=True,
        disable_timestamp=True,
        allow_remote_refs=False,
        formatters=[],  # nor are the settings of the caller's own formatters read
    )
