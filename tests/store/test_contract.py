"""What the desk may count on, whichever store it has: run on the twin in memory, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta, timezone

import pytest
from msgspec.structs import replace
from support.stores.store_under_test import NOON, Kept, a_game, a_letter, a_row

from gm.game.model.conduct_records import Conduct, Deed
from gm.game.model.observer_records import NotebookEntry
from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.game.model.ports import Store
from gm.game.model.records import (
    MASTER,
    Applicant,
    ApplicantState,
    DecreeRecord,
    GameState,
    GmAct,
    Person,
    PressRow,
    Question,
    Seat,
    Sheet,
    SheetLine,
    Snapshot,
    Vote,
)
from gm.game.model.statement_records import EndStatement, StatementRound

HOUR = timedelta(hours=1)
ODD = "Jürgen “der” O'Neill; DROP TABLE game -- 日本 🎲\n\tx"


# ---- transactions


def test_a_transaction_that_raises_changes_nothing(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())

    def fails() -> None:
        with kept.transaction() as store:
            store.games.save(replace(game, phase="S1901M", settings=(("press", "no"),)))
            store.games.add(a_game("second"))
            store.inbox.accept(a_row("k"))
            store.outbox.add(a_letter("c"), NOON)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    with kept.transaction() as store:
        assert store.games.get(game.id) == game
        assert store.games.by_name("second") is None
        assert store.inbox.next() is None
        assert list(store.outbox.all()) == []


def test_a_transaction_inside_a_transaction_is_refused_where_it_would_hang(kept: Kept) -> None:
    with kept.transaction() as store:
        if kept.one_writer:
            with pytest.raises(RuntimeError, match="inside"), kept.transaction():
                pass
        store.games.add(a_game())
    with kept.transaction() as store:
        assert store.games.by_name("ostend")


def test_the_clock_is_aware_and_can_be_set(kept: Kept) -> None:
    with kept.transaction() as store:
        assert store.now() == NOON
        assert store.now().utcoffset() == timedelta()


# ---- games and seats


def test_a_game_comes_back_as_it_was(kept: Kept) -> None:
    whole = a_game(
        "Ostend-2",
        state=GameState.RUNNING,
        phase="F1901R",
        snapshot=7,
        opened_at=NOON,
        due_at=NOON.replace(microsecond=123456).astimezone(timezone(timedelta(hours=5, minutes=30))),
        settings=(("moves", "Sundays 20:00"), ("zone", "Europe/Berlin"), ("b", ODD)),
        reminded=6,
    )
    with kept.transaction() as store:
        stored = store.games.add(whole)
    with kept.transaction() as store:
        assert stored == replace(whole, id=stored.id)
        assert store.games.get(stored.id) == stored
        assert store.games.by_name("OSTEND-2") == stored
        assert store.games.lock(stored.id) == stored
        changed = replace(stored, settings=(("zone", "UTC"),), due_at=None, state=GameState.ENDED)
        store.games.save(changed)
        assert store.games.get(stored.id) == changed


def test_a_paused_and_locked_game_comes_back_as_it_was(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game(state=GameState.RUNNING))
        halted = replace(
            game,
            held=3,
            paused_at=NOON,
            paused_until=NOON + HOUR,
            locked=True,
            forbearance=("France=wait", "Great Britain=stop"),
        )
        store.games.save(halted)
    with kept.transaction() as store:
        assert store.games.get(game.id) == halted
        assert store.games.due(NOON + 9 * HOUR) is None


def test_a_game_that_waits_for_who_is_late_is_not_overdue(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game(state=GameState.RUNNING, snapshot=4, due_at=NOON))
        assert store.games.due(NOON + HOUR) == game
        store.games.save(replace(game, held=4))
        assert store.games.due(NOON + HOUR) is None
        store.games.save(replace(game, held=3))
        assert store.games.due(NOON + HOUR) is not None


def test_the_pulse_is_the_last_one_noted(kept: Kept) -> None:
    with kept.transaction() as store:
        assert store.heartbeat.last() is None
        store.heartbeat.note(NOON)
        store.heartbeat.note(NOON + HOUR)
        assert store.heartbeat.last() == NOON + HOUR
    with kept.transaction() as store:
        store.heartbeat.note(NOON - HOUR)
    with kept.transaction() as store:
        assert store.heartbeat.last() == NOON - HOUR


def test_the_name_of_a_game_is_taken_case_aside(kept: Kept) -> None:
    with kept.transaction() as store:
        store.games.add(a_game("ostend"))
    with pytest.raises(ValueError, match="already"), kept.transaction() as store:
        store.games.add(a_game("Ostend"))


def test_the_newest_vote_of_each_power_counts(kept: Kept) -> None:
    with kept.transaction() as store:
        game, other = store.games.add(a_game()).id, store.games.add(a_game("second")).id
        first = Vote(game, "France", 3, "draw", NOON, or_end=True)
        again = Vote(game, "France", 4, "concede", NOON + HOUR, ("Italy", ODD))
        store.turns.add_vote(first)
        store.turns.add_vote(Vote(game, "Austria", 1, "none", NOON))
        assert store.turns.votes(game) == (Vote(game, "Austria", 1, "none", NOON), first)
        store.turns.add_vote(again)
        store.turns.add_vote(Vote(other, "France", 3, "none", NOON))
    with kept.transaction() as store:
        assert store.turns.votes(game) == (Vote(game, "Austria", 1, "none", NOON), again)
        assert store.turns.votes(0) == ()


def test_votes_that_lapsed_are_found_by_the_snapshot_that_was_left(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game()).id
        older = Vote(game, "France", 3, "draw", NOON, shown=True, lapsed=4)
        newer = Vote(game, "France", 3, "concede", NOON + HOUR, ("Italy",), lapsed=4)
        later = Vote(game, "France", 3, "draw", NOON + HOUR, lapsed=5)
        for vote in (older, newer, later, Vote(game, "Austria", 1, "draw", NOON)):
            store.turns.add_vote(vote)
    with kept.transaction() as store:
        assert store.turns.lapsed_votes(game, 4) == (newer,)
        assert store.turns.lapsed_votes(game, 5) == (later,)
        assert store.turns.lapsed_votes(game, 6) == ()


def test_missing_rows_are_reported(kept: Kept) -> None:
    with kept.transaction() as store:
        assert store.games.by_name("nowhere") is None
        assert store.people.by_address("no@body.example") is None
        assert store.turns.question("code") is None
        assert store.outbox.answered_letter("id@gm.example") is None
        assert store.outbox.answered_letter("") is None
        assert store.outbox.thread_ids(1, "S1901M") == ()
        for look in (
            store.games.get,
            store.games.lock,
            store.games.seat,
            store.people.get,
            store.turns.snapshot,
            store.turns.mark_answered,
            store.inbox.get,
            store.inbox.lock,
        ):
            with pytest.raises(KeyError):
                look("no" if look == store.turns.mark_answered else 99)  # type: ignore[operator]


def test_saving_what_was_never_added_is_an_error(kept: Kept) -> None:
    for save in (
        lambda store: store.games.save(replace(a_game(), id=9)),
        lambda store: store.people.save(Person(9, "Ann", ())),
        lambda store: store.games.save_seat(Seat(9, 1, "France")),
    ):
        with pytest.raises(KeyError), kept.transaction() as store:
            save(store)


def test_the_game_longest_overdue_comes_first(kept: Kept) -> None:
    with kept.transaction() as store:
        running = GameState.RUNNING
        store.games.add(a_game("later", state=running, due_at=NOON - HOUR))
        first = store.games.add(a_game("first", state=running, due_at=NOON - 2 * HOUR))
        store.games.add(a_game("none", state=running, due_at=None))
        store.games.add(a_game("over", state=GameState.ENDED, due_at=NOON - 9 * HOUR))
        store.games.add(a_game("forming", due_at=NOON - 9 * HOUR))
        assert store.games.due(NOON) == first
        assert store.games.due(NOON - 2 * HOUR) == first
        assert store.games.due(NOON - 2 * HOUR - timedelta(microseconds=1)) is None
        assert [game.name for game in store.games.running()] == ["later", "first", "none"]


def test_the_clock_looks_at_a_game_when_its_moment_comes_or_something_was_stored(kept: Kept) -> None:
    with kept.transaction() as store:
        late = store.games.add(a_game("late", state=GameState.RUNNING, due_at=NOON + HOUR))
        soon = store.games.add(a_game("soon", state=GameState.RUNNING, due_at=NOON))
        forming = store.games.add(a_game("forming"))
        store.games.add(a_game("over", state=GameState.ENDED))
        person = store.people.add(Person(0, "Luc", ("luc@example.org",)))
        seat = store.games.add_seat(Seat(0, late.id, "France"))
        assert store.games.ids_to_check(NOON) == (soon.id, late.id, forming.id)
        for game in (late, soon, forming):
            store.games.check_again_at(game.id, NOON + HOUR)
        assert store.games.ids_to_check(NOON) == ()
        assert (store.games.next_check(NOON), store.games.next_check(NOON + HOUR)) == (NOON + HOUR, None)
        assert store.games.ids_to_check(NOON + HOUR) == (soon.id, late.id, forming.id)
    acts: tuple[Callable[[Store], object], ...] = (
        lambda store: store.games.save(replace(late, reminded=3)),
        lambda store: store.games.save_seat(replace(seat, generation=2)),
        lambda store: store.games.add_seat(Seat(0, late.id, "Italy")),
        lambda store: store.games.save_applicant(Applicant(late.id, person.id, ApplicantState.ASKED, NOON)),
        lambda store: store.games.remove_applicant(late.id, person.id),
        lambda store: store.turns.add_press(PressRow(0, late.id, "S1901M", "France", ("Italy",), "x", NOON)),
    )
    for act in acts:
        with kept.transaction() as store:
            act(store)
            assert store.games.ids_to_check(NOON) == (late.id,)
            store.games.check_again_at(late.id, NOON + HOUR)


def test_every_version_of_a_sheet_stays_and_the_newest_counts(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game()).id
        lent = SheetLine(("unit", "Mar"), "PROXY A Mar TO Germany", lent="Germany")
        lines = (SheetLine(("unit", "Par"), "A Par - Bur"), SheetLine(("unit", "Bre"), ODD, forced=True), lent)
        first = Sheet(game, "S1901M", 3, "France", "France", 1, lines, inbox=4, at=NOON)
        second = replace(
            first, version=2, lines=(), ready=True, wait=True, preliminary=True, open_questions=("F Por - Spa", ODD)
        )
        others = (replace(first, author="England", power="England"), replace(first, author="England"))
        for sheet in (first, second, *others, replace(first, snapshot=4, version=9)):
            store.turns.add_sheet(sheet)
        assert store.turns.sheet(game, 3, "France", "France") == second
        assert store.turns.sheet(game, 3, "France", "Germany") is None
        assert store.turns.sheets(game, 3) == (others[0], others[1], second)
        assert store.turns.sheets(game, 5) == ()
        asked = replace(second, open_questions=("A Par - Bu",), inbox=7)
        store.turns.update_questions(asked)
        assert store.turns.sheet(game, 3, "France", "France") == asked
    with pytest.raises(ValueError, match="version 2"), kept.transaction() as store:
        store.turns.add_sheet(second)


def test_snapshots_press_and_acts_in_their_order(kept: Kept) -> None:
    with kept.transaction() as store:
        game, other = store.games.add(a_game()).id, store.games.add(a_game("other")).id
        decrees = (DecreeRecord("A Par", "bounced", ODD), DecreeRecord("F Bre", "succeeds"))
        start = Snapshot(0, game, 0, 0, "", "S1901M", 1, NOON, '{"units": 1}', "[]", "{}")
        snapshots = [
            store.turns.add_snapshot(snapshot) for snapshot in (start, replace(start, previous=1, decrees=decrees))
        ]
        store.turns.add_snapshot(replace(start, game=other))
        assert store.turns.snapshots(game) == tuple(snapshots)
        assert store.turns.snapshot(snapshots[1].id) == snapshots[1]
        words = PressRow(0, game, "S1901M", "France", ("Germany", MASTER), ODD, NOON, 5)
        press = [store.turns.add_press(row) for row in (words, replace(words, to=(), words=""))]
        assert store.turns.press(game) == tuple(press)
        assert store.turns.press(other) == ()
        paid = replace(words, name="Poland", turn="F1901M", cost=2, held_until=NOON)
        paid = store.turns.add_press(paid)
        assert store.turns.press(game, "F1901M") == (paid,)
        assert store.turns.press(game, "S1902M") == ()
        assert store.turns.held_press(game) == (paid,)
        assert store.turns.held_press(other) == ()
        store.turns.release_press(paid.id)
        assert store.turns.held_press(game) == ()
        assert store.turns.press(game) == (*press, replace(paid, held_until=None))
        acts = [GmAct(game, NOON, 1, ODD, "done"), GmAct(game, NOON, 1, "PROCESS", "resolved")]
        for act in acts:
            store.turns.log(act)
        assert store.turns.gm_acts(game) == tuple(acts)
        assert store.turns.gm_acts(other) == ()


def test_notes_to_results_in_their_order(kept: Kept) -> None:
    with kept.transaction() as store:
        game, other = store.games.add(a_game()).id, store.games.add(a_game("other")).id
        notes = [Erratum(game, 3, "S1901M", ODD, NOON), Erratum(game, 2, "", "", NOON + HOUR)]
        for note in (*notes, Erratum(other, 3, "S1901M", "another", NOON)):
            store.polls.add_erratum(note)
        assert store.polls.errata(game) == tuple(notes)


def test_polls_and_the_newest_word_of_each_power(kept: Kept) -> None:
    with kept.transaction() as store:
        game, other = store.games.add(a_game()).id, store.games.add(a_game("other")).id
        first = Poll(0, game, 1, ODD, ("YES", ODD), True, NOON, NOON + HOUR)
        polls = [store.polls.add_poll(poll) for poll in (first, replace(first, number=2, secret=False))]
        store.polls.add_poll(replace(first, game=other))
        assert [replace(poll, id=0) for poll in polls] == [first, replace(first, number=2, secret=False)]
        closed = replace(polls[0], closed_at=NOON + HOUR)
        store.polls.save_poll(closed)
        assert store.polls.of(game) == (closed, polls[1])
        word = PollVote(polls[1].id, "France", 1, "YES", NOON)
        for vote in (word, replace(word, power="Austria"), replace(word, choice="", at=NOON + HOUR)):
            store.polls.add_poll_vote(vote)
        newest = (replace(word, power="Austria"), replace(word, choice="", at=NOON + HOUR))
        assert store.polls.poll_votes(polls[1].id) == newest
        assert store.polls.poll_votes(polls[0].id) == ()


def test_a_question_is_asked_once(kept: Kept) -> None:
    with kept.transaction() as store:
        question = Question("code", "confirm", 0, 0, 3, ODD, NOON)
        store.turns.add_question(question)
        store.turns.add_question(replace(question, payload="another"))
        assert store.turns.question("code") == question
        assert store.turns.open_codes() == ("code",)
        store.turns.mark_answered("code")
        assert store.turns.question("code") == replace(question, answered=True)
        assert store.turns.open_codes() == ()
        assert store.turns.questions_of(question.game, question.kind) == (replace(question, answered=True),)
        assert store.turns.questions_of(question.game, "else") == ()
        assert store.turns.count_questions(question.kind, question.at) == 1
        assert (
            store.turns.count_questions(question.kind, question.at + HOUR)
            == store.turns.count_questions("else", question.at)
            == 0
        )


# ---- who looks on, and what readers chose


def test_a_phase_and_a_deed_count_once(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())
        ann, bob = (store.people.add(Person(0, name, (f"{name}@example.org",))) for name in ("ann", "bob"))
        missed = Conduct(ann.id, game.id, "France", "S1901M", Deed.MISSED, NOON)
        over = Conduct(bob.id, game.id, "France", "", Deed.FINISHED, NOON)
        for conduct in (missed, over, over, replace(over, deed=Deed.RESIGNED)):
            store.conduct.note(conduct)
        assert store.conduct.of(ann.id) == (missed,)
        store.conduct.note(replace(missed, person=bob.id, deed=Deed.LATE))  # the phase was played again
    with kept.transaction() as store:
        assert store.conduct.of(ann.id) == ()
        assert [conduct.deed for conduct in store.conduct.of(bob.id)] == [Deed.FINISHED, Deed.RESIGNED, Deed.LATE]


def test_games_are_found_by_their_league(kept: Kept) -> None:
    with kept.transaction() as store:
        first = store.games.add(replace(a_game(), settings=(("league", "spring"), ("zone", "UTC"))))
        store.games.add(replace(a_game(), name="calais", settings=(("about", "spring"),)))
        third = store.games.add(replace(a_game(), name="porto", settings=(("league", "spring"),)))
        assert [game.name for game in store.games.in_league("spring")] == [first.name, third.name]
        assert store.games.in_league("autumn") == ()


def test_the_newest_statement_of_a_seat_counts_until_it_is_taken_back(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())
        person = store.people.add(Person(0, "Luc", ("luc@example.org",)))
        france, italy = (store.games.add_seat(Seat(0, game.id, power, person.id)) for power in ("France", "Italy"))
        at = store.now()

        def say(seat: Seat, words: str) -> None:
            store.statements.add(EndStatement(0, game.id, seat.id, person.id, seat.power, at, words))

        say(italy, "Ciao.")
        say(france, "No.")
        say(france, "Yes.")
        assert [(made.power, made.words) for made in store.statements.of(game.id)] == [
            ("France", "Yes."),
            ("Italy", "Ciao."),
        ]
        say(italy, "")
        assert [made.words for made in store.statements.of(game.id)] == ["Yes."]


def test_a_round_of_statements_is_due_at_its_end_until_it_is_closed(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())
        now = store.now()
        assert store.statements.round(game.id) is None
        store.statements.save_round(StatementRound(game.id, 1, now + timedelta(days=1)))
        later = StatementRound(game.id, 2, now + timedelta(days=2))
        store.statements.save_round(later)
        assert store.statements.round(game.id) == later
        assert store.statements.due(now + timedelta(days=1)) == ()
        assert store.statements.due(now + timedelta(days=2)) == (game.id,)
        store.statements.save_round(replace(later, closed_at=now))
        assert store.statements.due(now + timedelta(days=2)) == ()


def test_a_notebook_keeps_its_entries_until_they_are_taken_out(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())
        ann = store.people.add(Person(0, "Ann", ("ann@example.org",)))
        seat = store.games.add_seat(Seat(0, game.id, "France", ann.id))
        whose = (game.id, seat.id, ann.id)
        first = store.observers.add_notebook_entry(
            NotebookEntry(0, *whose, 1, "France", "S1901M", kept.now(), ODD, opens=False)
        )
        second = store.observers.add_notebook_entry(
            NotebookEntry(0, *whose, 2, "France", "S1901M", kept.now(), "two", opens=True)
        )
    with kept.transaction() as store:
        assert store.observers.notebook(game.id) == (first, second)
        store.observers.blank_notebook_entry(first.id)
        assert [entry.words for entry in store.observers.notebook(game.id)] == ["", "two"]
