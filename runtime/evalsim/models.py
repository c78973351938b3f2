"""The base of generated models: open, named as on the wire, silent about what was never set."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A typed view of a JSON value that a captured schema has accepted.

    It is never a second validator: unknown keys are kept, and the captured schema alone decides.
    A field takes its Python name or its wire name, and dumps by its wire name.
    """

    model_config = ConfigDict(
        extra="allow",
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        protected_namespaces=(),
        defer_build=True,
        ser_json_inf_nan="constants",
    )
