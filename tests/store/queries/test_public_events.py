"""What was announced of a game, and the queue of events: the same in every store."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from support.stores.store_under_test import NOON, Kept, a_game

from gm.game.model.public_events import Announced, PublicEvent, PublicEventKind
from gm.game.model.records import Applicant, ApplicantState, Game, Person, Seat
from gm.game.model.statement_records import StatementRound

MINUTE = timedelta(minutes=1)


def an_event(game: Game, **more: Any) -> PublicEvent:
    event = PublicEvent(0, game.id, PublicEventKind.TURN, "S1901M", NOON, NOON + MINUTE, "title", "text", waiting=True)
    return replace(event, **more)


@pytest.fixture
def game(kept: Kept) -> Game:
    with kept.transaction() as store:
        return store.games.add(a_game())


def test_a_new_game_is_changed_until_it_is_announced(kept: Kept, game: Game) -> None:
    with kept.transaction() as store:
        assert (store.events.changed(), store.events.announced(game.id)) == ((game.id,), None)
        store.events.announce(game.id, "facts")
        assert (store.events.changed(), store.events.announced(game.id)) == ((), Announced(game.id, "facts", 1))
        store.events.announce(game.id, "others")
        assert (store.events.announced(game.id), store.events.revisions()) == (
            Announced(game.id, "others", 2),
            {game.id: 2},
        )


def test_what_anybody_may_know_makes_a_game_changed_and_nothing_else(kept: Kept, game: Game) -> None:
    with kept.transaction() as store:
        person = store.people.add(Person(0, "Ann", ("ann@example.org",)))
        seat = store.games.add_seat(Seat(0, game.id, "France", person.id))
    public = {
        "game": lambda store: store.games.save(replace(game, phase="S1901M")),
        "seat": lambda store: store.games.save_seat(replace(seat, open=True)),
        "new seat": lambda store: store.games.add_seat(Seat(0, game.id, "Italy")),
        "applicant": lambda store: store.games.save_applicant(
            Applicant(game.id, person.id, ApplicantState.APPROVED, NOON)
        ),
        "gone applicant": lambda store: store.games.remove_applicant(game.id, person.id),
        "statements": lambda store: store.statements.save_round(StatementRound(game.id, 1, NOON, NOON)),
        "name": lambda store: store.people.save(replace(person, name="Ann Lee")),
    }
    for what, change in public.items():
        with kept.transaction() as store:
            store.events.announce(game.id, "facts")
            assert store.events.changed() == ()
            change(store)
            assert store.events.changed() == (game.id,), what
    with kept.transaction() as store:
        store.events.announce(game.id, "facts")
        store.games.check_again_at(game.id, NOON)
        store.people.save(replace(person, name="Ann Lee", zone="Europe/Berlin"))
        assert store.events.changed() == ()


def test_events_go_in_order_and_none_overtakes(kept: Kept, game: Game) -> None:
    with kept.transaction() as store:
        first, second = (store.events.add(an_event(game, title=title)) for title in ("first", "second"))
        store.events.add(an_event(game, title="told to nobody", waiting=False))
        assert store.events.next(NOON) == first
        store.events.postpone(first.id, NOON + MINUTE, "away")
        assert store.events.next(NOON) is None
        again = store.events.next(NOON + MINUTE)
        assert again == replace(first, not_before=NOON + MINUTE, tries=1, last_error="away")
        store.events.settle(first.id)
        assert store.events.next(NOON) == second
        store.events.settle(second.id, "refused")
        assert store.events.next(NOON) is None
        newest = store.events.recent(2, game.id)
        assert [(event.title, event.last_error) for event in newest] == [("told to nobody", ""), ("second", "refused")]
        assert [event.title for event in store.events.recent(9)] == ["told to nobody", "second", "first"]


def test_an_event_is_free_when_its_page_is_there_but_not_a_failed_one(kept: Kept, game: Game) -> None:
    with kept.transaction() as store:
        store.events.announce(game.id, "facts")
        waits = store.events.add(an_event(game, not_before=NOON + MINUTE))
        assert (store.events.stale(), store.events.next(NOON)) == (True, None)
        store.events.mark_published(game.id, 1)
        assert (store.events.stale(), store.events.next(NOON)) == (False, replace(waits, not_before=None))
        store.events.postpone(waits.id, NOON + MINUTE, "away")
        store.events.announce(game.id, "facts")
        store.events.mark_published(game.id, 2)
        assert store.events.next(NOON) is None
