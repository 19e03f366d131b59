"""Letters that are set aside, kept for a while and deleted, on both databases."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from server.test_operator_commands import AT, KINDS, database, fill

from gm.game.model.records import (
    InboxRow,
    InboxState,
    OutLetter,
)
from gm.store.maintenance import StoreMaintenance
from gm.store.upkeep import retention


@pytest.mark.parametrize("kind", KINDS)
def test_a_letter_set_aside_can_be_read_again(kind: str, tmp_path: Path) -> None:
    here = database(kind, tmp_path)
    fill(here)
    maintenance = StoreMaintenance(here)
    (row,) = maintenance.shunted()
    assert not maintenance.retry(row.id + 1)
    assert not maintenance.retry(999)
    assert maintenance.retry(row.id)
    assert maintenance.shunted() == ()
    with here.transaction() as store:
        assert store.inbox.get(row.id).state is InboxState.NEW
    here.close()


@pytest.mark.parametrize("kind", KINDS)
def test_maps_are_kept_for_a_while_and_while_letters_wait_for_them(kind: str, tmp_path: Path) -> None:
    here = database(kind, tmp_path)
    fill(here)
    with here.transaction() as store:
        old, asked, waiting = (store.pictures.request(number, "", "turn.png", AT) for number in (1, 2, 3))
        for picture in (old, asked):
            store.pictures.finish(picture, AT, b"a map")
        first = store.outbox.all()[0].letter
        store.outbox.add(
            replace(first, cause="x", message_id="x@x", picture=asked, picture_name="a.png", picture_until=AT), AT
        )
    later = AT + timedelta(days=31)
    here._clock = lambda: later
    assert StoreMaintenance(here).delete_old(retention.remove_pictures, 32) == 0
    assert StoreMaintenance(here).delete_old(retention.remove_pictures, 30) == 1
    with here.transaction() as store:
        assert store.pictures.get(old) is None
        assert store.pictures.content(2, "", "turn.png") == b"a map"
        assert store.pictures.get(waiting) is not None
        assert store.pictures.content(1, "", "turn.png") == b""
        assert store.pictures.request(1, "", "turn.png", later)
    here.close()


@pytest.mark.parametrize("kind", KINDS)
def test_raw_letters_are_kept_for_a_while(kind: str, tmp_path: Path) -> None:
    here = database(kind, tmp_path)
    fill(here)
    later = AT + timedelta(days=181)
    here._clock = lambda: later
    with here.transaction() as store:
        held, _ = store.inbox.accept(InboxRow(0, "lmtp", "forged", AT, b"From: ann@example.org"))
        store.inbox.close(held.id, InboxState.HELD, "From is not proven")
    assert StoreMaintenance(here).delete_old(retention.empty_letters, 182) == 0
    assert (
        StoreMaintenance(here).delete_old(retention.empty_letters, 180) == 3
    )  # neither the unread one nor the one set aside
    with here.transaction() as store:
        assert store.inbox.get(held.id).state is InboxState.IGNORED
        assert store.inbox.get(held.id).raw == b""
        assert store.inbox.accept(replace(held, id=0))[1]  # it did nothing, so it is taken when it is sent again
        assert [bool(store.inbox.get(row).raw) for row in (1, 2, 3, 4)] == [False, False, True, True]
        assert not store.inbox.accept(InboxRow(0, "lmtp", "key 0", AT, b""))[1]  # still known when it comes again
    here.close()


@pytest.mark.parametrize("kind", KINDS)
def test_letters_sent_are_kept_as_long(kind: str, tmp_path: Path) -> None:
    here = database(kind, tmp_path)
    fill(here)
    with here.transaction() as store:
        sent, waiting = (store.outbox.add(a, AT) and a for a in _two_more(store.outbox.all()[0].letter))
        rows = {row.letter.message_id: row.id for row in store.outbox.all()}
        store.outbox.mark_sent(rows[sent.message_id], AT)
    here._clock = lambda: AT + timedelta(days=181)
    assert StoreMaintenance(here).delete_old(retention.empty_sent_letters, 182) == 0
    assert StoreMaintenance(here).delete_old(retention.empty_sent_letters, 180) == 1
    with here.transaction() as store:
        letters = {row.letter.message_id: row.letter for row in store.outbox.all()}
    assert letters[sent.message_id] == replace(sent, text="", html="", parts=())
    assert letters[waiting.message_id] == waiting
    here.close()


def _two_more(first: OutLetter) -> tuple[OutLetter, OutLetter]:
    return replace(first, cause="x", message_id="x@x"), replace(first, cause="y", message_id="y@x")
