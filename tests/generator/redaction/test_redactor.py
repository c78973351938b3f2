"""Taking secrets out of texts and values, and nothing else."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim_generator.redaction.names import is_secret_name
from evalsim_generator.redaction.redactor import MARK, Redactor

SECRET_NAMES = [
    *("token", "apiKey", "X-Api-Key", "access_token", "clientSecret", "password", "Authorization"),
    *(
        "Set-Cookie",
        "secretAccessKey",
        "PRIVATE_KEY",
        "sessionId",
        "refreshToken2",
        "Mcp-Session-Id",
    ),
]
PLAIN_NAMES = [
    *("nextPageToken", "max_tokens", "primary_key", "key", "author", "tokenCount", "keyboard"),
    *("page_token", "monkey", "secretary", "assign", "id", "idempotency_key", ""),
]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_secret_names(name: str) -> None:
    """A field of such a name holds a secret, however it is spelled."""
    assert is_secret_name(name)


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_plain_names(name: str) -> None:
    """A name that only looks like one is kept."""
    assert not is_secret_name(name)


TEXTS = [
    ("Authorization: Bearer abcdef123", "Authorization: [redacted] [redacted]"),
    ("send Basic dXNlcjpwYXNz now", "send Basic [redacted] now"),
    (
        "see https://me:pw@a.example/x?sig=1&n=2",
        "see https://[redacted]@a.example/x?sig=[redacted]&n=2",
    ),
    ("postgres://u:p@db/x", "postgres://[redacted]@db/x"),
    ("key sk-proj-abcdefghijklmnop1234", "key [redacted]"),
    ("ghp_abcdefghijklmnopqrstuvwxyz", "[redacted]"),
    ("a eyJhbGciOiJI.eyJzdWIiOi.c2ln b", "a [redacted] b"),
    ('Done! {"token": "a\\"b", "n": 1}', 'Done! {"token": "[redacted]", "n": 1}'),
    ('x {"secret": 12, "otp": null}', 'x {"secret": 0, "otp": null}'),
    (
        'x "{\\"password\\":\\"a\\\\\\"b\\",\\"n\\":1}"',
        'x "{\\"password\\":\\"[redacted]\\",\\"n\\":1}"',
    ),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc", "[redacted]"),
    ("password=hunter2;user=x", "password=[redacted];user=x"),
    ("nothing: here, max_tokens=7", "nothing: here, max_tokens=7"),
    ("hunter22 is known, and hunter%2F", "[redacted] is known, and [redacted]"),
    ("only 42 alone, not 142", "only [redacted] alone, not 142"),
]


@pytest.mark.parametrize(("text", "redacted"), TEXTS)
def test_texts(text: str, redacted: str) -> None:
    """Secrets in running text are replaced where they stand, once."""
    redactor = Redactor(known=("hunter22", "hunter/", "42"))
    assert redactor.text(text) == redacted
    assert redactor.text(redacted) == redacted


@pytest.mark.parametrize("style", [{}, {"indent": 2}, {"separators": (",", ":")}, {"indent": "\t"}])
def test_json_in_a_text_keeps_its_style(style: dict[str, Any]) -> None:
    """JSON that is a whole text is redacted as JSON is, and written as it was."""
    value = {"é": [1.0, {"secret": ["a", {"b": 2}]}], "n": None}
    hidden = {"é": [1.0, {"secret": [MARK, {"b": 0}]}], "n": None}
    for ensure_ascii in (True, False):
        text = json.dumps(value, ensure_ascii=ensure_ascii, **style)
        assert Redactor().text(text) == json.dumps(hidden, ensure_ascii=ensure_ascii, **style)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "token", "apiKey", "password", "note"]), inner)
    ),
    max_leaves=10,
)


def types(value: Any) -> Any:
    """The shape of a value: its keys, and the types of its leaves."""
    if isinstance(value, dict):
        return {key: types(inner) for key, inner in value.items()}
    return [types(item) for item in value] if isinstance(value, list) else type(value)


@given(JSON)
def test_types_stay(value: Any) -> None:
    """A redacted value has the keys and types that the value had, and is redacted once."""
    redacted = Redactor().value(value)
    assert types(redacted) == types(value)
    assert Redactor().value(redacted) == redacted


@given(JSON, st.sampled_from(["token", "apiKey", "X-Api-Key", "password"]))
def test_no_leaf_of_a_secret_is_left(value: Any, name: str) -> None:
    """Under a secret name no text and no number is left, however deep."""
    assert "c4nary" not in json.dumps(Redactor().value({name: [value, "c4nary", {"x": "c4nary"}]}))


def test_patterns_of_the_user() -> None:
    """A pattern hides what it matches, and the value of a field whose name it is."""
    redactor = Redactor(patterns=(re.compile(r"[\w.]+@[\w.]+"), re.compile("phone")))
    value = {"phone": 7, "to": "Jo <jo@a.example>", "jo@a.example": 1, "telephone": "x"}
    assert redactor.value(value) == {
        "phone": 0,
        "to": f"Jo <{MARK}>",
        MARK: 0,
        f"tele{MARK}": "x",
    }
