"""JSON pointers through a description."""

from evalsim.openapi.normal.pointers import find


def test_a_circle_that_can_be_read_in_two_ways_ends() -> None:
    """Each step has two readings; what there is to try does not double with each."""
    document = {"a": {"$ref": "#/%61"}, "%61": {"$ref": "#/a%25"}, "a%": {"$ref": "#/%2561"}}

    assert find(document, ["a", "far", "away"]) is None
    assert find({**document, "a%": {"far": {"away": 1}}}, ["a", "far", "away"]) == (1,)
