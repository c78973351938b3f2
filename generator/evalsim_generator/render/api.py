"""From the plan of an API fake to the text of its generated files."""

from collections.abc import Iterator, Mapping

from evalsim.contract.fingerprint import CONTRACT_FORMAT
from evalsim_generator.models.dcg import Annotations, ModelError, annotations_of
from evalsim_generator.models.described import Described, status_name
from evalsim_generator.models.shape import Shape, Shapes
from evalsim_generator.plan.plan import FakePlan, OperationPlan
from evalsim_generator.problems import Problem
from evalsim_generator.render.code import literal
from evalsim_generator.render.layout import stub
from evalsim_generator.render.models import ModelView, alias_of, classes_of


def api_texts(
    plan: FakePlan, described: Described
) -> tuple[Mapping[str, Mapping[str, object]], list[Problem]]:
    """What the templates of each file are given, and what could not be typed."""
    operations = [tool for tool in plan.tools if isinstance(tool, OperationPlan)]
    named = list(_named(operations))
    classes = list(described.schemas())
    roots = [Shapes(shape, {}) for _, shape in named]
    annotations = annotations_of([*classes, *roots])
    docs = {one.args_type: f"A request of `{one.name}`." for one in operations}
    models, problems = _models(classes, docs, annotations, plan.label)
    aliases = [
        view
        for (name, _), root in zip(named, roots, strict=True)
        for view in alias_of(name, root, next(annotations))
    ]
    texts: dict[str, Mapping[str, object]] = {
        "models.py": {"models": models, "aliases": aliases},
        "contract.py": {
            "format": CONTRACT_FORMAT,
            "inputs": plan.inputs,
            "operations": operations,
            "overloads": [_overload(one) for one in operations],
        },
        "__init__.py": {},
    }
    return texts, problems


def _named(operations: list[OperationPlan]) -> Iterator[tuple[str, Shape]]:
    """What models.py calls each answer."""
    for one in operations:
        for status, shape in one.answers.items():
            yield f"{one.result_type}{status_name(status)}", shape


def _models(
    classes: list[Shapes],
    docs: Mapping[str, str],
    annotations: Iterator[Annotations | ModelError],
    label: str,
) -> tuple[list[ModelView], list[Problem]]:
    views: list[ModelView] = []
    problems: list[Problem] = []
    for shapes in classes:
        (name,) = shapes.classes
        told = next(annotations)
        if isinstance(told, ModelError):
            views.append(ModelView(name, docs.get(name, ""), ()))
            what = f"{name} could not be typed ({told})"
            do = "nothing to do: it is validated all the same"
            problems.append(Problem("warning", f"{label}/openapi.json", what, do))
        else:
            found = classes_of(shapes, docs.get(name, ""), name, told)
            views += [view for view in found if isinstance(view, ModelView)]
    return views, problems


def _overload(one: OperationPlan) -> str:
    names = literal(one.name) if one.name == one.key else f"{literal(one.name)}, {literal(one.key)}"
    given = [f"models.{one.args_type}", "State", f"models.{one.result_type}"]
    return stub("handler", [f"operation: Literal[{names}]"], "Operation", given)
