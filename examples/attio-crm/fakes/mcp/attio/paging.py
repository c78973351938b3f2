"""Answering a long list one page at a time."""

from collections.abc import Sequence


def page(key: str, items: Sequence[object], limit: int, offset: int) -> dict[str, object]:
    """One page of `items` under `key`, how many there are, and where the next page starts."""
    end = offset + limit
    return {
        key: items[offset:end],
        "total": len(items),
        "next_offset": end if end < len(items) else None,
    }
