"""YAML is read by the rules of 1.2, into what JSON can hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.errors import DocumentError
from evalsim.openapi.normal.notes import Notes
from evalsim.types import Json
from evalsim_generator.openapi.reading.yaml_text import parse_yaml


def read(text: str) -> tuple[Json, list[str]]:
    """The value of a YAML text, and the notes as they are told."""
    notes = Notes()
    value = parse_yaml(text.encode(), "a.yaml", notes)
    return value, [str(note) for note in notes.found()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("Off", "Off"), ("y", "y"), ("n", "n"),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
        ("2001-12-14", "2001-12-14"), ("2001-12-14t21:59:43.10-05:00",) * 2,
        ("12:30:45", "12:30:45"), ("1_000", "1_000"), ("017", 17), ("0o17", 15), ("0x1F", 31),
        ("0b11", "0b11"), ("-12", -12), ("+3", 3), ("1.0", 1.0), (".5", 0.5), ("1.", 1.0),
        ("1e3", 1000.0), ("-2.5E-1", -0.25), ("1.2.3", "1.2.3"), ("3.0.0", "3.0.0"),
        (".inf", ".inf"), (".nan", ".nan"), ("-.inf", "-.inf"), ("=", "="),
        ("'12'", "12"), ('"true"', "true"), ("|\n 12\n", "12\n"), (">-\n a\n b\n", "a b"),
        ("!!str 12", "12"), ("!!int '12'", 12), ("!!float 3", 3.0), ("!!binary aGk=", "aGk="),
        ("!!timestamp 2001-12-14", "2001-12-14"), ("! 12", "12"),
        ("18446744073709551615", 2**64 - 1), ("-9223372036854775808", -(2**63)),
        ("123456789012345678901234567890", 1.2345678901234568e29),
        ("[a, {b: 1}]", ["a", {"b": 1}]), ("- 1\n-\n- ''", [1, None, ""]),
    ],
)  # fmt: skip
def test_words_mean_what_the_core_schema_says(text: str, expected: Json) -> None:
    """No timestamps, no octal by a leading zero, no yes and no; a wide number is a double."""
    value, notes = read(text)

    assert (expected, type(expected), []) == (value, type(value), notes)


def test_keys_are_text_as_they_are_written() -> None:
    """Status codes are the usual case; the note counts them."""
    value, notes = read("200: a\n404: b\ntrue: c\nnull: d\n1.0: e\non: f\n'500': g\n")

    assert {
        "200": "a",
        "404": "b",
        "true": "c",
        "null": "d",
        "1.0": "e",
        "on": "f",
        "500": "g",
    } == value
    (note,) = notes
    assert note.startswith("#/200: A key that is no text")
    assert note.endswith("(and 4 more)")


def test_a_key_that_stands_twice_is_told_and_the_last_counts() -> None:
    """The note leads to the place, and 200 beside '200' is the same key."""
    value, notes = read("a:\n  b: 1\n  b: 2\n  200: x\n  '200': y\n")

    assert {"a": {"b": 2, "200": "y"}} == value
    assert notes[0].startswith("#/a/b: A key that stands twice")
    assert "(and 1 more)" in notes[0]


def test_anchors_and_merge_keys() -> None:
    """An alias is the value again; what is merged gives way to what stands there."""
    value, notes = read(
        "base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\n"
        "one: {<<: *b, x: 9}\ntwo: {<<: [*b, *o]}\nthree: *b\nquoted: {'<<': 1}\n"
        "words: [&w word, *w]\nkeys: {&k key: 1, *w : 2}\n"
    )

    assert {"x": 9, "y": 2} == value["one"]
    assert {"x": 1, "y": 2, "z": 4} == value["two"]
    assert {"x": 1, "y": 2} == value["three"]
    assert {"<<": 1} == value["quoted"]
    assert ["word", "word"] == value["words"]
    assert {"key": 1, "word": 2} == value["keys"]
    assert [] == notes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &a [*a]", "stands for nothing, or for what it is in"),
        ("a: *b", "stands for nothing"),
        ("a: 1e999", "larger than a double can hold at line 1, column 4"),
        ("a: " + "9" * 5000, "larger than a double can hold"),
        ("a: [1, 2", "line 2, column 1"),
        ("a: b: c", "line 1, column 5"),
        ("\t- a", "line 1"),
        ("a: \x01", "not YAML"),
        ("[" * 900 + "]" * 900, "nested deeper than 250"),
        ("{a: " * 900 + "}" * 900, "nested deeper than 250"),
        ("- " * 5000, "nested deeper than 250"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(text: str, said: str) -> None:
    """With the line where it goes wrong, and no stack overflown."""
    with pytest.raises(DocumentError, match=said) as caught:
        read(text)

    assert "\n" not in str(caught.value)


def test_aliases_that_stand_for_too_much_are_refused() -> None:
    """Ten lines that would be ten thousand million values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]

    with pytest.raises(DocumentError, match="aliases stand for more than 1,000,000 values"):
        read("\n".join(lines))


def test_aliases_that_go_too_deep_are_refused() -> None:
    """Each level stands in the one before, so that the text itself is flat."""
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 400))]

    with pytest.raises(DocumentError, match="deeper than"):
        read("\n".join(lines))


def test_tags_make_no_objects() -> None:
    """A tag of some language is left out and told, its value read without it."""
    value, notes = read(
        "a: !!python/object/apply:os.system ['true']\nb: !Ref x\nc: !x {d: !y 1}\n? [k]\n: gone\n"
    )

    assert {"a": ["true"], "b": "x", "c": {"d": 1}} == value
    assert 5 == len(notes)
    assert any("A key that is a list" in note for note in notes)


def test_the_first_of_several_documents_is_read() -> None:
    """What follows is told to be left."""
    value, notes = read("a: 1\n---\nb: 2\n")

    assert {"a": 1} == value
    assert ["#: More than one document in the text: only the first is read."] == notes


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\ufffe\uffff")
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abc129 :-#~'\"", max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(_json)
def test_what_is_written_as_yaml_is_read_back(value: Json) -> None:
    """The library's own writer, with all values quoted and tagged, and with only texts quoted.

    A text without quotes is not compared: the writer's older rules take `0E0` for one.
    """
    import yaml

    class Writer(yaml.SafeDumper):
        """Quotes every text."""

    Writer.add_representer(
        str, lambda writer, text: writer.represent_scalar("tag:yaml.org,2002:str", text, '"')
    )

    def written(style: str | None) -> str:
        options = {"default_style": style, "allow_unicode": True, "width": 10**6}
        return str(yaml.dump(value, Dumper=Writer, **options))

    assert value == read(written('"'))[0]
    assert value == read(written(None))[0]
