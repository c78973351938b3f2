"""How operations are named."""

import pytest

from evalsim_generator.openapi.trimming.catalogue import Listed, operations_of
from evalsim_generator.openapi.trimming.selection import select, split_names, unknown_problem
from support.descriptions import described

DOCUMENT = described(
    {
        "/users": {"get": {"operationId": "users.List"}, "post": {"operationId": "users.Make"}},
        "/users/{id}": {"get": {"operationId": "users.Get"}, "delete": {}},
        "/users/{id}/mail": {"get": {"operationId": "mail.List"}},
        "/range(a='{a}',b='{b}')": {"get": {}},
        "/a,b": {"get": {}},
        "/upload?type=media": {"post": {}},
    },
    webhooks={"user.made": {"post": {"operationId": "on-user"}}},
)
LISTED = operations_of(DOCUMENT)

NAMES = [
    ("GET /users", ["GET /users"]),
    ("get  /users", ["GET /users"]),
    ("users.Make", ["POST /users"]),
    ("/users/{id}", ["GET /users/{id}", "DELETE /users/{id}"]),
    ("* /users", ["GET /users", "POST /users"]),
    ("GET /users/*", ["GET /users/{id}"]),
    ("GET /users/**", ["GET /users/{id}", "GET /users/{id}/mail"]),
    ("users.*", ["GET /users", "POST /users", "GET /users/{id}"]),
    ("GET /a,b", ["GET /a,b"]),
    ("POST /upload?type=media", ["POST /upload?type=media"]),
    ("GET /range(a='{a}',b='{b}')", ["GET /range(a='{a}',b='{b}')"]),
    ("GET /range(a='{a}',b='{b}'), users.Get", ["GET /users/{id}", "GET /range(a='{a}',b='{b}')"]),
    ("WEBHOOK user.made", ["WEBHOOK user.made"]),
    ("webhook *", ["WEBHOOK user.made"]),
    ("on-user", ["WEBHOOK user.made"]),
]


@pytest.mark.parametrize(("text", "keys"), NAMES, ids=[row[0] for row in NAMES])
def test_a_name_means_operations(text: str, keys: list[str]) -> None:
    """By method and path, by id, by path alone, or by glob, in the description's order."""
    selected = select(LISTED, split_names([text], LISTED))

    assert (keys, ()) == ([each.key for each in selected.operations], selected.unknown)


def test_everything() -> None:
    """Two stars are any path; webhooks are named apart."""
    selected = select(LISTED, ["* /**"])
    assert [each for each in LISTED if not each.is_webhook] == list(selected.operations)


UNKNOWN = [
    ("PATCH /users", "(this path has GET, POST)"),
    ("GET /users/{user}", "(did you mean 'GET /users/{id}'?)"),
    ("POST /users/{user}", "(did you mean 'GET /users/{id}'?)"),
    ("GET /usres", "(did you mean 'GET /users'?)"),
    ("users.Gett", "(did you mean 'users.Get'?)"),
    ("GET /nothing/**", ", of 9"),
    ("[", "'['"),
]


@pytest.mark.parametrize(("name", "told"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_an_unknown_name_is_told_with_the_one_that_was_meant(name: str, told: str) -> None:
    """Nothing is selected for it."""
    selected = select(LISTED, [name])

    assert ((), (name,)) == (selected.operations, selected.unknown)
    assert (
        str(unknown_problem(name, LISTED))
        .removesuffix(". List the operations with --list.")
        .endswith(told)
    )


def test_many_operations_are_searched_in_a_moment() -> None:
    """Of ten thousand keys those are compared that begin alike."""
    many = [
        Listed(f"GET /group{i}/{'x' * 50}", f"/group{i}", ("get",), None, "") for i in range(10_000)
    ]
    assert "did you mean" in unknown_problem(f"GET /group7777/{'x' * 49}y", many).what
