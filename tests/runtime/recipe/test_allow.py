"""Reading package.json's allow-list."""

import pytest

from evalsim.errors import RecipeError
from evalsim.recipe.allow import Allowed, allowed_tools, declared_servers
from evalsim.types import Json

CAPTURED = ("list", "get", "delete")


def package(*servers: Json) -> Json:
    return {"pi": {"mcp": {"servers": list(servers)}}}


@pytest.mark.parametrize(
    ("tools", "picked"),
    [
        (["get", "list"], ["list", "get"]),
        ([], []),
        ("*", ["list", "get", "delete"]),
        (["*"], ["list", "get", "delete"]),
        ({"include": ["*"], "exclude": ["delete"]}, ["list", "get"]),
        ({"include": "*"}, ["list", "get", "delete"]),
        ({"exclude": ["get"]}, ["list", "delete"]),
        ({"include": ["get", "delete"], "exclude": ["delete"]}, ["get"]),
        ({"exclude": ["*"]}, []),
    ],
)
def test_every_spelling_picks_in_captured_order(tools: Json, picked: list[str]) -> None:
    """A list, a star, and include less exclude all pick captured names, in captured order."""
    allowed = allowed_tools(package({"id": "crm", "tools": tools}), "crm")

    assert picked == allowed.pick(CAPTURED)


def test_a_server_without_tools_allows_all() -> None:
    """What is not limited is allowed."""
    assert Allowed() == allowed_tools(package({"id": "crm", "required": True}), "crm")


def test_no_package_allows_all() -> None:
    """Fakes without a Recipe serve what was captured."""
    assert list(CAPTURED) == allowed_tools(None, "crm").pick(CAPTURED)


def test_servers_may_be_keyed_by_id() -> None:
    """An object of servers reads as a list of them."""
    servers = {"pi": {"mcp": {"servers": {"crm": {"tools": ["get"]}, "mail": {}}}}}

    assert list(declared_servers(servers)) == ["crm", "mail"]
    assert allowed_tools(servers, "crm").pick(CAPTURED) == ["get"]


def test_names_that_were_not_captured_are_known() -> None:
    """A list may spell a tool that the capture lacks; the generator reports it."""
    assert Allowed(("get", "gone")).unknown(CAPTURED) == ["gone"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (package({"id": "mail"}, {"id": "cal"}), "declares: mail, cal"),
        ({}, "declares: none"),
        ({"pi": {"mcp": {"servers": 3}}}, "not a list of servers"),
        (package({"tools": []}), r"servers\[0\] has no id"),
        (package({"id": "crm"}, {"id": "crm"}), r"servers\[1\] repeats the id 'crm'"),
        (package({"id": "crm", "tools": {"only": ["get"]}}), "neither a list of names"),
        (package({"id": "crm", "tools": [1]}), "neither a list of names"),
        (package({"id": "crm", "tools": {"include": ["get"], "exclude": 1}}), "neither a list"),
    ],
)
def test_what_cannot_be_read_is_said(document: Json, expected: str) -> None:
    """A missing server names the declared ones; a misshapen entry says what it should be."""
    with pytest.raises(RecipeError, match=expected):
        allowed_tools(document, "crm")
