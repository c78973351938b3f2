"""What is done with each kind of component."""

from evalsim.openapi.normal.containers import Rule, referable
from evalsim.openapi.normal.content import example, header
from evalsim.openapi.normal.parameters import parameter
from evalsim.openapi.normal.path_items import callback, loose_path_item
from evalsim.openapi.normal.responses import link, request_body, response
from evalsim.openapi.normal.schemas import schema
from evalsim.openapi.normal.security import security_scheme

RULES: dict[str, Rule] = {
    "schemas": schema,
    "responses": referable("responses", response),
    "parameters": referable("parameters", parameter),
    "examples": example,
    "requestBodies": referable("requestBodies", request_body),
    "headers": referable("headers", header),
    "securitySchemes": referable("securitySchemes", security_scheme),
    "links": referable("links", link),
    "callbacks": referable("callbacks", callback),
    "pathItems": referable("pathItems", loose_path_item),
}
"""By kind, in the order in which the kinds are written."""
