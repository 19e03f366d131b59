"""A process to be killed: takes letters and answers them, one transaction each, and says so after each commit."""

from __future__ import annotations

from datetime import UTC, datetime

from gm.game.model.records import InboxRow, InboxState, OutLetter
from gm.store.database import Database

AT = datetime(2026, 3, 13, 12, 0, tzinfo=UTC)


def main(where: str, first: int) -> None:
    database = Database(where)
    for number in range(first, first + 100_000):
        with database.transaction() as store:
            row, _ = store.inbox.accept(InboxRow(0, "lmtp", f"key {number}", AT, b"x" * 5000))
        print("taken", number, flush=True)
        with database.transaction() as store:
            store.inbox.close(row.id, InboxState.DONE)
            answer = OutLetter(f"inbox:{number}", "answer", "ann@example.org", "Ann", "gm", "gm@x", "gm@x", "Re:", "ok")
            store.outbox.add(answer, AT)
        print("answered", number, flush=True)
