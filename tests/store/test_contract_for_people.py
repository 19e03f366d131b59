"""What each store keeps of people: seats, addresses, absences, observers and wishes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace
from support.stores.store_under_test import NOON, Kept, a_game

from gm.game.model.observer_records import OBSERVER, MailChoice, MailChoices
from gm.game.model.records import (
    MASTER,
    Absence,
    Applicant,
    ApplicantState,
    BounceRecord,
    GameState,
    Person,
    Seat,
)

HOUR = timedelta(hours=1)
ODD = "Jürgen “der” O'Neill; DROP TABLE game -- 日本 🎲\n\tx"


def test_absences_by_when_they_begin(kept: Kept) -> None:
    with kept.transaction() as store:
        ostend, calais = (store.games.add(a_game(name)) for name in ("ostend", "calais"))
        late, early, other = (
            store.absences.add(Absence(0, game.id, 7, "France", NOON + at * HOUR, NOON + 99 * HOUR, 1901, at > 1, NOON))
            for game, at in ((ostend, 5), (ostend, 1), (calais, 2))
        )
    with kept.transaction() as store:
        assert store.absences.of(ostend.id) == (early, late)
        store.absences.remove(early.id)
        store.absences.remove(early.id)
    with kept.transaction() as store:
        assert store.absences.of(ostend.id) == (late,)
        assert store.absences.of(calais.id) == (other,)


def test_seats(kept: Kept) -> None:
    with kept.transaction() as store:
        ann = store.people.add(Person(0, "Ann", ("ann@example.org",)))
        game, other = store.games.add(a_game()), store.games.add(a_game("other"))
        chairs = [store.games.add_seat(Seat(0, game.id, power, ann.id)) for power in ("Türkei", MASTER, MASTER)]
        empty = store.games.add_seat(Seat(0, other.id, "France"))
        assert store.games.seats(game.id) == tuple(chairs)
        assert store.games.seats_of(ann.id) == tuple(chairs)
        assert store.games.living_seats() == tuple((chair.id, 1) for chair in chairs)
        filled = replace(empty, person=ann.id, generation=2, dummy=True)
        store.games.save_seat(filled)
        assert (filled.id, 2) in store.games.living_seats()
        store.games.save(replace(game, state=GameState.ENDED))
        assert store.games.living_seats() == ((filled.id, 2),)
        assert store.games.seat(empty.id) == filled
        assert store.games.seats_of(ann.id) == (*chairs, filled)


def test_waiting_list_rows(kept: Kept) -> None:
    with kept.transaction() as store:
        ann = store.people.add(Person(0, "Ann", ("ann@example.org",)))
        bob = store.people.add(Person(0, "Bob", ("bob@example.org",)))
        game, other = store.games.add(a_game()), store.games.add(a_game("other", state=GameState.RUNNING))
        assert store.games.forming() == (game,)
        first = Applicant(game.id, ann.id, ApplicantState.ASKED, NOON, "France, [Italy, Türkei]")
        second = Applicant(game.id, bob.id, ApplicantState.APPROVED, NOON)
        elsewhere = Applicant(other.id, ann.id, ApplicantState.ASKED, NOON, power="Italy")
        for entry in (first, second, elsewhere):
            store.games.save_applicant(entry)
        store.games.save_applicant(changed := replace(first, state=ApplicantState.APPROVED, wish=""))
        assert store.games.applicants(game.id) == (changed, second)
        assert store.games.applications_of(ann.id) == (changed, elsewhere)
        store.games.remove_applicant(game.id, ann.id)
        store.games.remove_applicant(game.id, ann.id)
        assert store.games.applicants(game.id) == (second,)
        assert store.games.applications_of(ann.id) == (elsewhere,)


def test_people_are_found_by_every_address_of_theirs(kept: Kept) -> None:
    with kept.transaction() as store:
        ann = store.people.add(Person(0, ODD, ("ann@example.org", "a@other.example"), "Europe/Lisbon", "pt"))
        assert store.people.get(ann.id) == ann
        assert store.people.by_address("A@Other.example") == ann
        moved = replace(ann, addresses=("a@other.example", "new@example.org"), zone="Asia/Tokyo")
        store.people.save(moved)
        assert store.people.by_address("ann@example.org") is None
        assert store.people.by_address("NEW@example.org") == moved


@pytest.mark.parametrize("by", ["add", "save"])
def test_an_address_belongs_to_one_person(kept: Kept, by: str) -> None:
    with kept.transaction() as store:
        store.people.add(Person(0, "Ann", ("ann@example.org",)))
        bob = store.people.add(Person(0, "Bob", ("bob@example.org",)))
    taken = Person(0, "Eve", ("eve@example.org", "ann@example.org")) if by == "add" else bob
    with pytest.raises(ValueError, match="somebody"), kept.transaction() as store:
        getattr(store.people, by)(replace(taken, addresses=("eve@example.org", "ann@example.org")))
    with kept.transaction() as store:
        assert store.people.by_address("eve@example.org") is None
        assert store.people.by_address("bob@example.org") == bob


def test_observers_hold_no_seats(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())
        ann = store.people.add(Person(0, "Ann", ("ann@example.org",)))
        bob = store.people.add(Person(0, "Bob", ("bob@example.org",)))
        seat = store.games.add_seat(Seat(0, game.id, "France", ann.id))
        chair = store.games.add_seat(Seat(0, game.id, OBSERVER, bob.id))
    with kept.transaction() as store:
        assert store.games.seats(game.id) == (seat,)
        assert store.games.seats_of(bob.id) == ()
        assert store.games.observer_seats(game.id) == store.games.observer_seats_of(bob.id) == (chair,)
        assert store.games.observer_seats_of(ann.id) == ()


def test_readers_read_at_once_are_those_read_one_by_one(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())
        ann = store.people.add(Person(0, "Ann", ("ann@example.org", "ann@example.net")))
        bob = store.people.add(Person(0, "Bob", ()))
        seat = store.games.add_seat(Seat(0, game.id, "France", ann.id))
        chair = store.games.add_seat(Seat(0, game.id, OBSERVER, bob.id))
        store.games.add_seat(Seat(0, game.id, "Italy"))
        store.observers.save_mail_choices(MailChoices(chair.id, bob.id, MailChoice.RESULTS, (ODD,)))
        store.observers.save_mail_choices(MailChoices(seat.id, bob.id, MailChoice.OFF))
        store.bounces.save(BounceRecord("ann@example.net", 2.5, NOON, unreachable=True))
    for at_once in (False, True):
        with kept.transaction() as store:
            if at_once:
                store.read_readers(game.id)
            assert [store.people.get(person.id) for person in (ann, bob)] == [ann, bob]
            assert store.observers.mail_choices(seat.id, ann.id) == MailChoices(seat.id, ann.id)
            assert store.observers.mail_choices(chair.id, bob.id).muted == (ODD,)
            assert store.bounces.of("ann@example.org") is None
            assert store.bounces.of("ann@example.net") == BounceRecord("ann@example.net", 2.5, NOON, unreachable=True)


def test_wishes_are_those_of_a_person_in_a_seat(kept: Kept) -> None:
    with kept.transaction() as store:
        game = store.games.add(a_game())
        ann = store.people.add(Person(0, "Ann", ("ann@example.org",)))
        seat = store.games.add_seat(Seat(0, game.id, "France", ann.id))
        assert store.observers.mail_choices(seat.id, ann.id) == MailChoices(seat.id, ann.id)
        store.observers.save_mail_choices(MailChoices(seat.id, ann.id, MailChoice.RESULTS, ("Italy", ODD), ODD))
    with kept.transaction() as store:
        assert store.observers.mail_choices(seat.id, ann.id) == MailChoices(
            seat.id, ann.id, MailChoice.RESULTS, ("Italy", ODD), ODD
        )
        store.observers.save_mail_choices(MailChoices(seat.id, ann.id))
        assert store.observers.mail_choices(seat.id, ann.id).mail is MailChoice.ALL


def test_people_who_want_to_hear_of_openings(kept: Kept) -> None:
    with kept.transaction() as store:
        luc = store.people.add(Person(0, "Luc", ("luc@example.org",), openings=True))
        store.people.add(Person(0, "Tom", ("tom@example.org",)))
        store.people.add(Person(0, "Gone", (), openings=True))
        assert store.people.wanting_openings() == (luc,)
        store.people.save(replace(luc, openings=False))
        assert store.people.wanting_openings() == ()
