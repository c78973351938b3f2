"""The world every other scenario starts from: yours to write, scaffolded once."""

from datetime import datetime

from ..mcp.peer.entities import State as PeerState


def build(clock: datetime) -> dict[str, object]:
    """Each fake's starting state; compute every date from `clock`.

    A fake whose id cannot be imported gives plain JSON, which is read into its `State`.
    """
    return {
        'peer': PeerState(),
    }
