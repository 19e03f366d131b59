"""Maps and the letters that wait for them, under the contract of all stores."""

from __future__ import annotations

from datetime import timedelta

from store.queries.test_mail_queues import send_all
from support.stores.store_under_test import NOON, Kept, a_letter

HOUR = timedelta(hours=1)
MAP = b"\x89PNG\x00\xff"


def test_a_picture_is_asked_for_once_and_kept(kept: Kept) -> None:
    with kept.transaction() as store:
        first = store.pictures.request(7, "", "turn.png", NOON)
        assert store.pictures.request(7, "", "turn.png", NOON + HOUR) == first
        others = {store.pictures.request(*wanted, NOON) for wanted in ((7, "", "board.svg"), (8, "", "turn.png"))}
        assert len({first, *others}) == 3
        assert store.pictures.get(99) is None
    with kept.transaction() as store:
        stored = store.pictures.get(first)
        assert stored is not None
        assert (stored.snapshot, stored.audience, stored.form, stored.asked_at) == (7, "", "turn.png", NOON)
        assert (stored.made_at, stored.content, stored.tries) == (None, b"", 0)
        store.pictures.finish(first, NOON, MAP)
        store.pictures.finish(first, NOON + HOUR, b"another", "late")
    with kept.transaction() as store:
        settled = store.pictures.get(first)
        assert settled is not None
        assert (settled.made_at, settled.content, settled.error) == (NOON, MAP, "")


def test_the_one_that_waits_longest_is_drawn_first_by_one_alone(kept: Kept) -> None:
    with kept.transaction() as store:
        first, second = (store.pictures.request(7, "", form, NOON) for form in ("turn.png", "board.png"))
        taken = store.pictures.next(NOON)
        assert taken is not None
        assert taken.id == first
        store.pictures.lease(first, NOON + HOUR)
        after = store.pictures.next(NOON)
        assert after is not None
        assert after.id == second
        store.pictures.finish(second, NOON, b"", "no such board")
        assert store.pictures.next(NOON) is None
        again = store.pictures.next(NOON + HOUR)
        assert again is not None
        assert (again.id, again.tries) == (first, 1)
        store.pictures.unlease(first)
        assert store.pictures.next(NOON) is not None
        store.pictures.lease(first, NOON + HOUR)
        store.pictures.end_leases()
        assert store.pictures.next(NOON) is not None


def test_a_letter_waits_for_its_picture_and_no_later_one_passes_it(kept: Kept) -> None:
    with kept.transaction() as store:
        picture = store.pictures.request(7, "", "turn.png", NOON)
        store.outbox.add(a_letter("1", picture=picture, picture_until=NOON + HOUR, picture_name="a.png"), NOON)
        store.outbox.add(a_letter("2"), NOON)
        store.outbox.add(a_letter("3", "bob@example.org"), NOON)
    assert send_all(kept, NOON) == ["3"]
    with kept.transaction() as store:
        store.pictures.finish(picture, NOON, MAP)
    assert send_all(kept, NOON) == ["1", "2"]


def test_a_letter_that_has_waited_long_enough_may_go(kept: Kept) -> None:
    with kept.transaction() as store:
        for number, hours in enumerate((1, 2), 1):
            picture = store.pictures.request(number, "", "turn.png", NOON)
            until = NOON + hours * HOUR
            store.outbox.add(a_letter(str(number), game=number, picture=picture, picture_until=until), NOON)
    assert send_all(kept, NOON) == []
    assert send_all(kept, NOON + HOUR) == ["1"]


def test_a_picture_decision_is_kept(kept: Kept) -> None:
    with kept.transaction() as store:
        picture = store.pictures.request(7, "", "turn.png", NOON)
        store.outbox.add(a_letter("1", picture=picture, picture_until=NOON + HOUR, picture_name="a.png"), NOON)
        (row,) = store.outbox.all()
        assert (row.letter.picture_name, row.letter.picture_until, row.pictured) == ("a.png", NOON + HOUR, None)
        store.outbox.record_picture(row.id, shown=False)
    with kept.transaction() as store:
        again = store.outbox.next(NOON)
        assert again is not None
        assert again.pictured is False
