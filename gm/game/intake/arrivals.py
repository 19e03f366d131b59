"""Stores incoming letters raw: from then on they cannot be lost. Reading them is the work of `gm.game.intake.inbox`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from gm.game.model.ports import Transaction
    from gm.game.model.records import InboxRow


def accept(tx: Transaction, *rows: InboxRow, pushed: bool = False) -> bool:
    """Store letters in one commit; False if all were there already. Raises Unavailable if none could be stored.

    `pushed`: they are received now, within the transaction, so that none can slip under a deadline that has just
    passed.
    """
    with tx() as store:
        store.inbox.lock_arrivals()
        kept = [store.inbox.accept(replace(row, received_at=store.now()) if pushed else row) for row in rows]
        return any(new for _, new in kept)
