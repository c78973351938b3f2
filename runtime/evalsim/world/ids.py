"""Ids that are the same from run to run."""

import uuid

_NAMESPACE = uuid.UUID("8f6f0b4e-5d0c-5b8e-9a55-6c1a0e6f3d21")


def label_id(label: str) -> str:
    """A stable UUID from a readable label, so that a world's ids are the same in every run."""
    return str(uuid.uuid5(_NAMESPACE, label))
