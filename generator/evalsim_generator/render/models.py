"""The models of a fake: a view of each class and alias, for the template."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalsim_generator.models.dcg import ROOT, ModelError, annotations_of
from evalsim_generator.models.shape import NOTHING, Anything, FieldShape, Ref, Shapes
from evalsim_generator.plan.plan import ToolPlan
from evalsim_generator.problems import Problem
from evalsim_generator.render.code import literal


@dataclass(frozen=True, slots=True)
class FieldView:
    """One line of a class; `default` is a Python expression or None for none."""

    name: str
    annotation: str
    default: str | None
    doc: str


@dataclass(frozen=True, slots=True)
class ModelView:
    """One class."""

    name: str
    doc: str
    fields: tuple[FieldView, ...]


@dataclass(frozen=True, slots=True)
class AliasView:
    """A name for a type that is no class of ours."""

    name: str
    target: str


def views_of(tool: ToolPlan, label: str) -> tuple[list[ModelView | AliasView], list[Problem]]:
    """What models.py holds for one tool; a schema that gives no models is typed as any JSON.

    `label` names the fake's folder in the problems.
    """
    where = f"{label}/tools.json: {tool.name!r}"
    views: list[ModelView | AliasView] = []
    problems: list[Problem] = []
    try:
        views += _classes(tool.arguments, f"The arguments of `{tool.name}`.", tool.args_type)
    except ModelError as error:
        views.append(ModelView(tool.args_type, "", ()))
        problems.append(_untyped(where, "arguments", error))
    try:
        views += _result(tool)
    except ModelError as error:
        views.append(AliasView(tool.result_type, "JsonLike"))
        problems.append(_untyped(where, "answer", error))
    return views, problems


def _untyped(where: str, what: str, error: ModelError) -> Problem:
    return Problem(
        "warning",
        where,
        f"the {what} could not be typed ({error})",
        "nothing to do: they are validated all the same, and typed as any JSON",
    )


def _result(tool: ToolPlan) -> Iterator[ModelView | AliasView]:
    if tool.result is None:
        targets = {"text": "str", "content": "Content"}
        target = targets.get(tool.answer.format, "JsonLike") if tool.answer else "JsonLike"
        yield AliasView(tool.result_type, target)
        return
    yield from _classes(tool.result, f"The answer of `{tool.name}`.", tool.result_type)


def _classes(shapes: Shapes, doc: str, name: str) -> Iterator[ModelView | AliasView]:
    annotations = annotations_of(shapes)
    for class_name, fields in shapes.classes.items():
        views = tuple(_field(field, annotations[class_name]) for field in fields)
        yield ModelView(class_name, doc if class_name == name else "", views)
    if isinstance(shapes.root, Anything):
        yield AliasView(name, "JsonLike")
    elif shapes.root != Ref(name):
        yield AliasView(name, ast.unparse(annotations[ROOT]["root"]))


def _field(field: FieldShape, annotations: Mapping[str, ast.expr]) -> FieldView:
    annotation = ast.unparse(annotations[field.name])
    if field.wire != field.name:
        annotation = f"Annotated[{annotation}, Field(alias={literal(field.wire)})]"
    default: str | None = None
    if field.default is not NOTHING:
        default = literal(field.default)
    elif not field.required:
        default = "None"
    return FieldView(field.name, annotation, default, field.doc)
