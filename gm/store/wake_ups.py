"""What a transaction does to wake other nodes; `gm.store.nodes` has who listens."""

from __future__ import annotations

from sqlalchemy import Connection, text

CHANNEL = "gm"


def announce(connection: Connection) -> None:
    """Wakes the other nodes when this transaction commits."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"NOTIFY {CHANNEL}"))
