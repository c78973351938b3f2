"""The models of a fake: a view of each class and alias, for the template."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalsim_generator.models.dcg import ROOT, Annotations, ModelError
from evalsim_generator.models.shape import NOTHING, Anything, FieldShape, Ref, Shapes
from evalsim_generator.plan.plan import ToolPlan
from evalsim_generator.problems import Problem
from evalsim_generator.render.code import expression, literal


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


def views_of(
    tool: ToolPlan, label: str, annotations: Iterator[Annotations | ModelError]
) -> tuple[list[ModelView | AliasView], list[Problem]]:
    """What models.py holds for one tool; a schema that gives no models is typed as any JSON.

    `label` names the fake's folder in the problems; `annotations` has those of each of the tool's
    schemas next.
    """
    where = f"{label}/tools.json: {tool.name!r}"
    views: list[ModelView | AliasView] = []
    problems: list[Problem] = []
    arguments = next(annotations)
    if isinstance(arguments, ModelError):
        views.append(ModelView(tool.args_type, "", ()))
        problems.append(_untyped(where, "arguments", arguments))
    else:
        doc = f"The arguments of `{tool.name}`."
        views += classes_of(tool.arguments, doc, tool.args_type, arguments)
    if tool.result is None:
        views.append(_alias_of_answer(tool))
    elif isinstance(result := next(annotations), ModelError):
        views.append(AliasView(tool.result_type, "JsonLike"))
        problems.append(_untyped(where, "answer", result))
    else:
        views += classes_of(tool.result, f"The answer of `{tool.name}`.", tool.result_type, result)
    return views, problems


def _untyped(where: str, what: str, error: ModelError) -> Problem:
    return Problem(
        "warning",
        where,
        f"the {what} could not be typed ({error})",
        "nothing to do: they are validated all the same, and typed as any JSON",
    )


def _alias_of_answer(tool: ToolPlan) -> AliasView:
    targets = {"text": "str", "content": "Content"}
    target = targets.get(tool.answer.format, "JsonLike") if tool.answer else "JsonLike"
    return AliasView(tool.result_type, target)


def alias_of(name: str, root: Shapes, annotations: Annotations | ModelError) -> Iterator[AliasView]:
    """The name of a type that is no class of its own; none where it is one."""
    if isinstance(annotations, ModelError) or isinstance(root.root, Anything):
        yield AliasView(name, "JsonLike")
    elif root.root != Ref(name):
        yield AliasView(name, expression(annotations[ROOT]["root"]))


def classes_of(
    shapes: Shapes, doc: str, name: str, annotations: Annotations
) -> Iterator[ModelView | AliasView]:
    """The classes of a schema, the one called `name` documented, and the alias of its root."""
    for class_name, fields in shapes.classes.items():
        views = tuple(_field(field, annotations[class_name]) for field in fields)
        yield ModelView(class_name, doc if class_name == name else "", views)
    yield from alias_of(name, shapes, annotations)


def _field(field: FieldShape, annotations: Mapping[str, ast.expr]) -> FieldView:
    annotation = expression(annotations[field.name])
    if field.wire != field.name:
        annotation = f"Annotated[{annotation}, Field(alias={literal(field.wire)})]"
    default: str | None = None
    if field.default is not NOTHING:
        default = literal(field.default)
    elif not field.required:
        default = "None"
    return FieldView(field.name, annotation, default, field.doc)
