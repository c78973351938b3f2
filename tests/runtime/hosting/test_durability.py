"""What is on disk when the process is killed, at whatever moment."""

from pathlib import Path

from support.killing import kill_under_load


def test_what_is_on_disk_survives_every_kill(tmp_path: Path) -> None:
    """Whole lines, a state that parses, and in both every call that was answered."""
    left = list(kill_under_load(tmp_path, kills=10, seed=1))

    assert all(run.answered for run in left)
    print(f"{len(left)} kills, {sum(run.answered for run in left)} answered calls")
    # What a killed run left beside its files, the next one removes
    assert len(list(tmp_path.glob(".state.json.*"))) <= 1
    assert len(list(tmp_path.glob(".calls.jsonl.*"))) <= 2
