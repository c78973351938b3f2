"""Tool calls of several sources become one list without losing or joining any."""

from hypothesis import given
from hypothesis import strategies as st

from evalsim.evals.tools import ToolCall, merge


def asked(name: str, args: object, id_: str, at: float) -> ToolCall:
    """A call the model asked for."""
    return ToolCall(name, args, ("model",), call_id=id_, started=at)


def seen(name: str, args: object, at: float, result: object = "ok") -> ToolCall:
    """The same, as a fake saw it."""
    return ToolCall(name, args, ("mcp",), result, server="crm", started=at, ended=at)


def test_two_equal_calls_stay_two() -> None:
    """Each is matched once, in order, and a third that nobody asked for is on its own."""
    model = [asked("crm__add", {"n": 1}, "a", 1), asked("crm__add", {"n": 1}, "b", 2)]
    fake = [seen("add", {"n": 1}, 1.5), seen("add", {"n": 1.0}, 2.5), seen("add", {"n": 1}, 3.5)]

    merged = merge(model, fake)

    assert [("model", "mcp"), ("model", "mcp"), ("mcp",)] == [call.sources for call in merged]
    assert ["a", "b", None] == [call.call_id for call in merged]


def test_ids_beat_names_and_arguments() -> None:
    """Calls with the same id are one, and with different ones they are two."""
    one = asked("look_up", {"id": 1}, "a", 1)
    same = ToolCall("lookUp", {"id": "1"}, ("stubs",), "found", call_id="a")
    other = ToolCall("look_up", {"id": 1}, ("stubs",), "found", call_id="b")

    assert 1 == len(merge([one], [same]))
    assert 2 == len(merge([one], [other]))


def test_other_arguments_are_another_call() -> None:
    """As is true beside 1, and null beside nothing."""
    model = [asked("add", {"n": 1}, "a", 1), asked("add", {"n": None}, "b", 2)]

    assert 4 == len(merge(model, [seen("add", {"n": True}, 3), seen("add", {}, 4)]))


CALLS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1)), max_size=6)


@given(CALLS, CALLS)
def test_no_call_is_lost_or_told_twice(
    first: list[tuple[str, int]], second: list[tuple[str, int]]
) -> None:
    """Of each call there are as many as the source that saw most of them."""
    model = [asked(name, n, str(i), i) for i, (name, n) in enumerate(first)]
    fake = [seen(name, n, 10 + i) for i, (name, n) in enumerate(second)]

    merged = [(call.name, call.args) for call in merge(model, fake)]

    for call in {*first, *second}:
        assert max(first.count(call), second.count(call)) == merged.count(call)
