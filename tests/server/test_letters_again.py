"""`gm letters --again`, for a time when the relay refused everything."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace
from server.test_operator_commands import AT, fill, run, run_cold

from gm.game.model.records import BounceRecord
from gm.store.database import Database


def test_letters_that_were_given_up_are_sent_again(tmp_path: Path) -> None:
    run(tmp_path, "init", "--address", "gm@example.org", "--master", "m@example.org", "--folder", str(tmp_path))
    here = Database(tmp_path / "gm.sqlite")
    fill(here)

    def add(name: str, days: int, text: str = "words") -> int:
        with here.transaction() as store:
            sample = replace(store.outbox.all()[0].letter, cause=f"{name} {days}", message_id=f"{name}.{days}@x")
            queued = store.now() - timedelta(days=days)
            store.outbox.add(replace(sample, address=f"{name}@example.net", text=text), queued)
            row = list(store.outbox.all())[-1].id
            store.outbox.mark_failed(row, "554 5.7.1 suspended")
            return row

    def states() -> dict[int, tuple[str, int]]:
        with here.transaction() as store:
            return {row.id: (row.state.value, row.tries) for row in store.outbox.all()}

    carol, old, dora, emptied = add("carol", 1), add("carol", 9), add("dora", 1), add("dora", 2, text="")
    with here.transaction() as store:
        store.bounces.save(BounceRecord("dora@example.net", 4, AT, unreachable=True))
        sample = store.outbox.all()[0].letter
        store.outbox.add(replace(sample, cause="kept", message_id="kept@x", address="dora@example.net"), AT)
        kept = list(store.outbox.all())[-1].id
    assert states()[kept] == ("held", 0)
    assert run(tmp_path, "letters", "Carol@example.net", "--again").stdout == (
        "1 letters that were refused or postponed will be sent.\n"
    )
    assert [states()[row] for row in (carol, old, dora)] == [("queued", 0), ("failed", 1), ("failed", 1)]
    assert run_cold(tmp_path, "letters", "--again", "--days", "30").stdout == (
        "2 letters that were refused or postponed will be sent.\n"
        "Letters that were kept for dora@example.net will be sent.\n"
    )
    assert [states()[row] for row in (old, dora, kept, emptied)] == [*[("queued", 0)] * 3, ("failed", 1)]
    assert "no letter waits or was refused in the last 5 days" in run(tmp_path, "letters", "--again").stderr
    assert "name an ADDRESS" in run(tmp_path, "letters").stderr
    here.close()
