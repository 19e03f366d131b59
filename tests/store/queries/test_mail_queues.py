"""What the desk may count on about letters in and out, whichever store it has."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from support.stores.store_under_test import NOON, Kept, a_game, a_letter, a_row

from gm.game.model.records import AnsweredLetter, BounceRecord, InboxRow, InboxState, LetterPart, OutboxState, PressRow

HOUR = timedelta(hours=1)
ODD = "Jürgen “der” O'Neill; DROP TABLE game -- 日本 🎲\n\tx"


# ---- inbox


def test_a_letter_is_kept_once_for_each_account(kept: Kept) -> None:
    raw = bytes(range(256)) * 10
    row = replace(a_row("k"), raw=raw, envelope_from="Ann@example.org", envelope_to=("gm@gm.example", ODD))
    with kept.transaction() as store:
        first, new = store.inbox.accept(row)
        assert new
        assert first == replace(row, id=first.id)
        assert store.inbox.get(first.id) == first
        assert store.inbox.accept(replace(row, received_at=NOON + HOUR, raw=b"other")) == (first, False)
        assert store.inbox.accept(replace(row, account="lmtp"))[1]


def test_ignored_letters_are_counted_by_reason_and_time(kept: Kept) -> None:
    with kept.transaction() as store:
        for number, (why, at) in enumerate((("loop", NOON - HOUR), ("loop", NOON), ("loop", NOON), ("list", NOON))):
            store.inbox.close(store.inbox.accept(a_row(str(number), at))[0].id, InboxState.IGNORED, why)
        store.inbox.close(store.inbox.accept(a_row("aside"))[0].id, InboxState.SHUNTED, "loop")
        assert [store.inbox.count_ignored("loop", since) for since in (NOON - HOUR, NOON, NOON + HOUR)] == [3, 2, 0]


def test_letters_are_read_in_the_order_they_arrived(kept: Kept) -> None:
    with kept.transaction() as store:
        late, early, same = (
            store.inbox.accept(a_row(key, at))[0] for key, at in (("a", NOON), ("b", NOON - HOUR), ("c", NOON - HOUR))
        )
        assert store.inbox.next(NOON - HOUR) is None
        assert store.inbox.count_unread(NOON) == 2
        assert store.inbox.count_unread(NOON + HOUR) == 3
        read = []
        while row := store.inbox.next(NOON + HOUR):
            read.append(row.id)
            store.inbox.close(row.id, InboxState.DONE)
        assert read == [early.id, same.id, late.id]
        assert store.inbox.next() is None
        assert store.inbox.count_unread(NOON + HOUR) == 0


def test_a_letter_is_tried_closed_and_put_back(kept: Kept) -> None:
    with kept.transaction() as store:
        row = store.inbox.accept(a_row("k"))[0]
        assert [store.inbox.take(), store.inbox.take()] == [row, replace(row, tries=1)]
        assert store.inbox.next() == replace(row, tries=2)
        assert store.inbox.lock(row.id)
        store.inbox.close(row.id, InboxState.HELD, ODD)
        assert not store.inbox.lock(row.id)
        assert store.inbox.get(row.id) == replace(row, tries=2, state=InboxState.HELD, error=ODD)
        store.inbox.close(row.id, InboxState.NEW)
        assert store.inbox.next() == row
        assert store.inbox.take(NOON - HOUR) is None
        assert store.inbox.take(without=(row.envelope_from,)) is None
        store.inbox.close(row.id, InboxState.HELD, writer=7)
        store.inbox.close(row.id, InboxState.NEW)
        assert store.inbox.take() == replace(row, person=7)


def test_a_letter_is_read_once_whoever_writes_meanwhile(kept: Kept) -> None:
    with kept.transaction() as store:
        first, second = (store.inbox.accept(a_row(key))[0] for key in "ab")
    with kept.transaction() as store:
        assert store.inbox.take() == first
    with kept.transaction() as store:
        store.inbox.accept(a_row("c"))
    with kept.transaction() as store:
        assert store.inbox.lock(first.id)
        store.inbox.close(first.id, InboxState.DONE)
        assert not store.inbox.lock(first.id)
        assert store.inbox.take() == second
        store.inbox.close(second.id, InboxState.HELD)
    with kept.transaction() as store:
        assert not store.inbox.lock(second.id)


@pytest.mark.parametrize("bad", ["a\0b", "half \ud83d pair"])
def test_no_character_of_a_letter_stops_it(kept: Kept, bad: str) -> None:
    with kept.transaction() as store:
        row = store.inbox.accept(replace(a_row("k"), envelope_from=bad, envelope_to=(bad,)))[0]
        store.inbox.close(row.id, InboxState.SHUNTED, bad)
        game = store.games.add(a_game()).id
        store.turns.add_press(PressRow(0, game, "S1901M", "France", (), bad, NOON))
        assert store.outbox.add(a_letter("c", subject=bad, text=bad), NOON)
    with kept.transaction() as store:
        assert store.inbox.get(row.id).state is InboxState.SHUNTED
        assert len(store.turns.press(game)[0].words) == len(bad)


# ---- outbox


def test_a_letter_out_comes_back_as_it_was(kept: Kept) -> None:
    part = LetterPart("image/png", "map.png", bytes(range(256)), "map")
    letter = a_letter(
        "snapshot:1",
        html="<p>words</p>",
        references=("one@gm.example", "two@gm.example"),
        automatic="auto-replied",
        parts=(part, replace(part, content=b"", cid="")),
        game=1,
        seat=2,
        phase="S1901M",
        channel="France-Russia",
        not_before=NOON - HOUR,
        expires_at=NOON + HOUR,
        subject=ODD,
    )
    with kept.transaction() as store:
        assert store.outbox.add(letter, NOON)
    with kept.transaction() as store:
        row = store.outbox.next(NOON)
        assert row is not None
        assert row.letter == letter
        assert (row.queued_at, row.state, row.tries, row.sent_at) == (NOON, OutboxState.QUEUED, 0, None)
        assert row.envelope_from == f"bounce.{letter.message_id}@gm.example"


def test_a_letter_is_queued_once_for_its_cause_kind_and_address(kept: Kept) -> None:
    with kept.transaction() as store:
        assert store.outbox.add(a_letter("c"), NOON)
        assert not store.outbox.add(a_letter("c", text="again"), NOON)
        assert store.outbox.add(a_letter("c", kind="reminder"), NOON)
        assert store.outbox.add(a_letter("c", "bob@example.org"), NOON)
        assert len(list(store.outbox.all())) == 3
    with pytest.raises(ValueError, match="message id"), kept.transaction() as store:
        store.outbox.add(a_letter("other", message_id=a_letter("c").message_id), NOON)


def send_all(kept: Kept, now: datetime) -> list[str]:
    sent = []
    with kept.transaction() as store:
        while row := store.outbox.next(now):
            sent.append(row.letter.cause)
            store.outbox.mark_sent(row.id, now)
    return sent


def test_no_letter_overtakes_an_older_one_to_the_same_address_and_game(kept: Kept) -> None:
    with kept.transaction() as store:
        for cause, address, game in (
            ("1", "ann", 1),
            ("2", "ann", 1),
            ("3", "ann", 2),
            ("4", "bob", 1),
            ("5", "ann", 1),
        ):
            store.outbox.add(a_letter(cause, address, game=game), NOON)
        first = store.outbox.next(NOON)
        assert first is not None
        store.outbox.postpone(first.id, NOON + HOUR, "451 later")
    assert send_all(kept, NOON) == ["3", "4"]
    assert send_all(kept, NOON + HOUR - timedelta(microseconds=1)) == []
    assert send_all(kept, NOON + HOUR) == ["1", "2", "5"]


def test_a_leased_letter_is_nobody_elses_until_the_lease_ends(kept: Kept) -> None:
    with kept.transaction() as store:
        store.outbox.add(a_letter("1"), NOON)
        store.outbox.add(a_letter("2"), NOON)
        row = store.outbox.next(NOON)
        assert row is not None
        store.outbox.lease(row.id, NOON + HOUR)
    assert send_all(kept, NOON) == []
    with kept.transaction() as store:
        again = store.outbox.next(NOON + HOUR)
        assert again is not None
        assert (again.id, again.tries, again.letter.message_id) == (row.id, 0, row.letter.message_id)


def test_a_failed_letter_makes_way_and_keeps_its_error(kept: Kept) -> None:
    with kept.transaction() as store:
        store.outbox.add(a_letter("1"), NOON)
        store.outbox.add(a_letter("2"), NOON)
        row = store.outbox.next(NOON)
        assert row is not None
        store.outbox.mark_failed(row.id, "550 " + ODD)
    assert send_all(kept, NOON) == ["2"]
    with kept.transaction() as store:
        failed, sent = store.outbox.all()
        assert (failed.state, failed.last_error, failed.tries) == (OutboxState.FAILED, "550 " + ODD, 1)
        assert (sent.state, sent.sent_at) == (OutboxState.SENT, NOON)


def test_letters_postponed_alike_are_known_and_hastened(kept: Kept) -> None:
    with kept.transaction() as store:
        for cause, address in (("1", "ann"), ("2", "bob"), ("3", "cy"), ("4", "ann"), ("5", "dora"), ("6", "eve")):
            store.outbox.add(a_letter(cause, address, game=int(cause)), NOON)
        rows = {row.letter.cause: row for row in store.outbox.all()}
        assert store.outbox.postponed_alike("451 4.%", rows["1"]) == (0, None)
        for cause, hours, answer in (
            ("1", 3, "451 4.%.1 ann"),
            ("2", 2, "451 4.%.1 bob"),
            ("3", 1, "451 4.3.1 cy"),
            ("4", 4, "451 4.%.1 ann"),
            ("5", 5, "451 4.%.1 dora"),
        ):
            store.outbox.postpone(rows[cause].id, NOON + hours * HOUR, answer)
        store.outbox.mark_sent(rows["5"].id, NOON)
        assert store.outbox.postponed_alike("451 4.%", rows["1"]) == (1, NOON + 2 * HOUR)
        assert store.outbox.postponed_alike("451 4.%", rows["2"]) == (1, NOON + 3 * HOUR)
        assert store.outbox.postponed_alike("451 4.%", rows["6"]) == (2, NOON + 2 * HOUR)
        store.outbox.hasten("451 4.%", NOON + 3 * HOUR)
    assert send_all(kept, NOON) == ["6"]
    assert send_all(kept, NOON + 3 * HOUR) == ["1", "2", "3", "4"]


def test_letters_that_were_given_up_or_postponed_are_queued_again(kept: Kept) -> None:
    with kept.transaction() as store:
        for cause, address, days in (("1", "Ann", 0), ("2", "bob", 9), ("3", "cy", 0), ("4", "dora", 0)):
            store.outbox.add(a_letter(cause, address), NOON - timedelta(days=days))
        first, second, third, fourth = store.outbox.all()
        for row in (first, second):
            store.outbox.mark_failed(row.id, "550 no")
        store.outbox.postpone(third.id, NOON + HOUR, "451 later")
        store.outbox.mark_sent(fourth.id, NOON)
        assert store.outbox.queue_again("ann", NOON - HOUR, NOON + HOUR / 2) == ("Ann",)
        again = next(row for row in store.outbox.all() if row.id == first.id)
        assert (again.state, again.tries, again.queued_at) == (OutboxState.QUEUED, 0, NOON + HOUR / 2)
        assert store.outbox.queue_again("", NOON - HOUR, NOON) == ("cy",)
    assert send_all(kept, NOON) == ["3"]
    assert send_all(kept, NOON + HOUR / 2) == ["1"]
    with kept.transaction() as store:
        assert store.outbox.queue_again("", NOON - timedelta(days=9), NOON) == ("bob",)


def test_an_expired_letter_is_not_sent_and_delays_no_other(kept: Kept) -> None:
    with kept.transaction() as store:
        store.outbox.add(a_letter("reminder", expires_at=NOON + HOUR), NOON)
        store.outbox.add(a_letter("results"), NOON)
        assert store.outbox.expire(NOON) == 0
        reminder = store.outbox.next(NOON)
        assert reminder is not None
        assert reminder.letter.cause == "reminder"
    assert send_all(kept, NOON + HOUR) == ["results"]
    with kept.transaction() as store:
        assert store.outbox.expire(NOON + HOUR) == 1
        assert store.outbox.expire(NOON + HOUR) == 0
        assert [row.state for row in store.outbox.all()] == [OutboxState.EXPIRED, OutboxState.SENT]


def test_a_letter_waits_for_its_hour_and_later_ones_wait_with_it(kept: Kept) -> None:
    with kept.transaction() as store:
        store.outbox.add(a_letter("1", not_before=NOON + HOUR), NOON)
        store.outbox.add(a_letter("2"), NOON)
    assert send_all(kept, NOON) == []
    assert send_all(kept, NOON + HOUR) == ["1", "2"]


def test_letters_to_an_address_that_is_unreachable_are_held_and_freed(kept: Kept) -> None:
    with kept.transaction() as store:
        for number in range(3):
            store.outbox.add(a_letter(f"c{number}"), NOON)
        store.outbox.add(a_letter("other", "bob@example.org"), NOON)
        store.outbox.mark_sent(1, NOON)
        assert store.bounces.of("ann@example.org") is None
        store.bounces.save(BounceRecord("ann@example.org", 3.5, NOON))
        store.bounces.save(BounceRecord("ann@example.org", 4.0, NOON, unreachable=True))
        store.outbox.mark_returned(1, "no such user")
        store.outbox.hold("ann@example.org")
        store.outbox.add(a_letter("c3"), NOON)
        store.outbox.add(a_letter("c4", expires_at=NOON + HOUR), NOON)
    with kept.transaction() as store:
        assert [row.state.value for row in store.outbox.all()] == ["returned", "held", "held", "queued", "held", "held"]
        assert store.bounces.of("ann@example.org") == BounceRecord("ann@example.org", 4.0, NOON, unreachable=True)
        next_row = store.outbox.next(NOON)
        assert next_row
        assert next_row.letter.address == "bob@example.org"
        store.outbox.mark_sent(next_row.id, NOON)
        assert store.outbox.next(NOON) is None
        assert store.bounces.forget("ann@example.org")
        assert not store.bounces.forget("ann@example.org")
        store.outbox.unhold("ann@example.org")
        store.outbox.expire(NOON + HOUR)
    with kept.transaction() as store:
        states = [row.state.value for row in store.outbox.all()]
        assert states == ["returned", "queued", "queued", "sent", "queued", "expired"]
        next_row = store.outbox.next(NOON)
        assert next_row
        assert next_row.id == 2


def test_threads(kept: Kept) -> None:
    with kept.transaction() as store:
        letters = (
            a_letter("1", seat=1, phase="S1901M", subject="welcome", game=5, references=("a", "b")),
            a_letter("2", seat=1, phase="S1901M", subject="answer"),
            a_letter("3", seat=1, phase="F1901M"),
            a_letter("4", seat=1, phase="S1901M", channel="France-Russia"),
            a_letter("5", seat=1, phase="F1901M", channel="France-Russia"),
            a_letter("6", seat=2, phase="S1901M"),
            a_letter("7", seat=1, phase="S1901M", message_id=""),
            a_letter("8", seat=1, phase="S1901M", message_id=""),
        )
        assert store.outbox.answered_letter(letters[0].message_id) is None
        for letter in letters:
            assert store.outbox.add(letter, NOON)
        ids = [letter.message_id for letter in letters]
        thread = AnsweredLetter(5, 1, "S1901M", "", "results", "welcome", ("a", "b"), "1", letters[0].address)
        assert store.outbox.answered_letter(ids[0]) == thread
        assert store.outbox.thread_ids(1) == tuple(ids[:3])
        assert store.outbox.thread_ids(1, "S1901M") == tuple(ids[:2])
        assert store.outbox.thread_ids(1, channel="France-Russia") == tuple(ids[3:5])
        assert store.outbox.thread_ids(1, "F1901M", "France-Russia") == (ids[4],)


def test_answers_about_seats_come_newest_first(kept: Kept) -> None:
    with kept.transaction() as store:
        letters = (
            a_letter("inbox:1:seat 1", seat=1, kind="answer", references=("a", "b")),
            a_letter("inbox:2:seat 1", seat=1, kind="results"),
            a_letter("question:code", seat=2),
            a_letter("inbox:3:seat 3", seat=3, kind="answer"),
        )
        for letter in letters:
            store.outbox.add(letter, NOON)
        both = (("question:code", 2, ()), ("inbox:1:seat 1", 1, ("a", "b")))
        assert store.outbox.answers_about((1, 2), 9) == both
        assert store.outbox.answers_about((1, 2), 1) == both[:1]
        assert store.outbox.answers_about((), 9) == ()


def test_a_signature_is_one_letters(kept: Kept) -> None:
    with kept.transaction() as store:
        first, second = (store.inbox.accept(InboxRow(0, "lmtp", key, NOON, b"x"))[0].id for key in ("a", "b"))
        assert store.inbox.claim_signature(first, "players.test abc")
        assert store.inbox.claim_signature(first, "players.test abc")
        assert not store.inbox.claim_signature(second, "players.test abc")
        assert store.inbox.claim_signature(second, "players.test def")
        assert store.inbox.get(first).signature == "players.test abc"


def test_answers_to_an_address_are_counted(kept: Kept) -> None:
    with kept.transaction() as store:
        for number, at in enumerate((NOON - HOUR, NOON, NOON + HOUR)):
            store.outbox.add(a_letter(f"a{number}", automatic="auto-replied"), at)
        store.outbox.add(a_letter("results"), NOON)
        store.outbox.add(a_letter("b", "bob@example.org", automatic="auto-replied"), NOON)
        assert store.outbox.count_answers("ann@example.org", NOON) == 2
        assert store.outbox.count_answers("ann@example.org", datetime.min.replace(tzinfo=UTC)) == 3


def test_letters_a_killed_server_was_sending_go_again_at_once(kept: Kept) -> None:
    with kept.transaction() as store:
        store.outbox.add(a_letter("1"), NOON)
        row = store.outbox.next(NOON)
        assert row is not None
        store.outbox.lease(row.id, NOON + HOUR)
        assert store.outbox.next(NOON) is None
        store.outbox.end_leases()
        again = store.outbox.next(NOON)
        assert again is not None
        assert again.id == row.id


def test_press_to_a_seat_and_person_can_be_found(kept: Kept) -> None:
    with kept.transaction() as store:
        store.outbox.add(a_letter("kept", seat=5, kind="press", expires_at=kept.now()), kept.now())
        store.outbox.add(a_letter("whole", seat=5, kind="press"), kept.now())
        store.outbox.add(a_letter("results", seat=5), kept.now())
        letters = store.outbox.press_letters(5, ("ann@example.org",))
        assert [row.letter.cause for row in letters] == ["kept", "whole"]
        assert (
            store.outbox.press_letters(5, ("bob@example.org",))
            == store.outbox.press_letters(6, ("ann@example.org",))
            == ()
        )


def test_what_collects_for_a_digest_is_found_when_that_is_due_and_never_sent(kept: Kept) -> None:
    with kept.transaction() as store:
        assert store.outbox.collect(a_letter("1", not_before=NOON + HOUR), NOON)
        assert not store.outbox.collect(a_letter("1", not_before=NOON + HOUR), NOON)
        assert store.outbox.collected(NOON) == ()
        (row,) = store.outbox.collected(NOON + HOUR)
        assert row.letter.cause == "1"
        store.outbox.add(a_letter("2"), NOON)
        sent = store.outbox.next(NOON + 2 * HOUR)
        assert sent is not None
        assert sent.letter.cause == "2"
        store.outbox.mark_digested(row.id)
        assert store.outbox.collected(NOON + HOUR) == ()
