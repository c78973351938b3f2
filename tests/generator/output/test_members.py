"""Setting members of a JSON object in its text."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim_generator.output.members import with_members, with_more

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4) | st.sampled_from(["server", "capture"]), JSON)
STYLES = st.sampled_from([{}, {"indent": 2}, {"indent": "\t"}, {"separators": (" ,", " :  ")}])


@settings(max_examples=50)
@given(OBJECTS, OBJECTS, STYLES, st.sampled_from(["\n", "\r\n"]))
def test_only_the_named_members_change(
    before: dict[str, Any], members: dict[str, Any], style: dict[str, Any], newline: str
) -> None:
    """The members have their values afterwards, and the others keep theirs and their order."""
    text = json.dumps(before, **style).replace("\n", newline)
    after = json.loads(with_members(text, members))
    assert after == {**before, **members}
    assert [key for key in after if key in before] == list(before)
    assert with_members(with_members(text, members), members) == with_members(text, members)


@settings(max_examples=50)
@given(OBJECTS, STYLES)
def test_nothing_to_set(before: dict[str, Any], style: dict[str, Any]) -> None:
    """A text that has the members already comes back as it was, to the byte."""
    text = json.dumps(before, **style)
    assert with_members(text, before) == text
    assert with_members(text, {}) == text


def test_indentation() -> None:
    """New members are indented as those that are there, and come first."""
    text = with_members('\ufeff{\r\n\t"a": [1,  2]\r\n}', {"b": {"c": 1}})
    assert text == '\ufeff{\r\n\t"b": {\r\n\t\t"c": 1\r\n\t},\r\n\t"a": [1,  2]\r\n}'
    assert with_members("{}\n", {"a": 1, "b": 2}) == '{\n  "a": 1,\n  "b": 2\n}\n'


@settings(max_examples=50)
@given(OBJECTS, OBJECTS, OBJECTS, STYLES, st.sampled_from(["\n", "\r\n"]))
def test_what_an_object_held_stays_as_it_was_written(
    before: dict[str, Any], held: dict[str, Any], more: dict[str, Any], style: Any, newline: str
) -> None:
    """Members added to an inner object come after its own, whose text and order stay."""
    more = {name: value for name, value in more.items() if name not in held}
    text = json.dumps({**before, "tools": held}, **style).replace("\n", newline)
    after = json.loads(with_more(text, "tools", more))

    assert {**before, "tools": {**held, **more}} == after
    assert [*held, *more] == list(after["tools"])
    assert json.loads(with_more(json.dumps(before), "tools", more))["tools"] == (
        {**before.get("tools", {}), **more}
    )


def test_more_is_indented_as_its_neighbours() -> None:
    """An object on one line grows on its line; one over several lines gains lines like its own."""
    text = '{\r\n    "tools": {\r\n        "a": {"reads": [ ]}\r\n    }\r\n}'

    assert with_more(text, "tools", {"b": {"reads": []}}) == text.replace(
        "[ ]}", '[ ]},\r\n        "b": {\r\n            "reads": []\r\n        }'
    )
    assert '{"tools": {"a":  1, "b": 2}}' == with_more('{"tools": {"a":  1}}', "tools", {"b": 2})
