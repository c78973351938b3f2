"""What is known of a description once it has been walked: its classes, and each answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evalsim_generator.models.shape import FieldShape, Ref, Shape, Shapes


@dataclass(frozen=True, slots=True)
class Described:
    """Every class by name, in order of discovery, and what each operation's answers are.

    `answers` are by operation and then by status: the first is that of a plain answer.
    """

    classes: Mapping[str, tuple[FieldShape, ...]]
    answers: Mapping[str, Mapping[str, Shape]]
    widened: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """By operation, parameters whose default their own schema refuses."""

    def schemas(self) -> Iterable[Shapes]:
        """Each class as a schema of its own, in order."""
        return (Shapes(Ref(name), {name: fields}) for name, fields in self.classes.items())


def status_name(status: str) -> str:
    """How the name of an answer's type ends: `404`, `4XX` or `Default`."""
    return status.replace("default", "Default")
