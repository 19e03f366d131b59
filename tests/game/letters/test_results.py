"""Letters that open a phase, as golden files from positions really resolved; and what they must never hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from support.standard_game import FALL, NAMES, Letterbox, as_sent, golden

from gm.game.letters import results
from gm.game.model.letter_report import Note
from gm.game.model.records import MASTER, DecreeRecord, OutLetter
from gm.judge.model.events import Event, GameEnded, Outcome
from gm.judge.model.position import Ending
from gm.judge.model.sheets import Decree, ResolvedStep, Turn
from gm.language.formats import stored_values
from gm.language.rendering.plain_text import WIDTH

TUESDAY = datetime(2026, 3, 10, 19, tzinfo=UTC)
THURSDAY = datetime(2026, 3, 12, 19, tzinfo=UTC)
SUNDAY = datetime(2026, 3, 15, 19, tzinfo=UTC)


@dataclass
class Fall(Letterbox):
    """The model letters' game: Fall 1901 is open, and every seat has the letter that opened it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.before = self.fall()
        self.opening = self.enter(self.before, SUNDAY)
        for power in NAMES:
            self.send(results.render_welcome(self.services, self.store, self.game, self.seats[power]))
        self.orders = self.book(self.before, {power: orders for power, (_, orders) in FALL.items()})

    def first(self) -> None:
        self.snapshot = self.resolve(self.before, self.orders, TUESDAY, previous=self.opening.id)

    def overruled(self) -> None:
        """Version 2, with the support of A Pic decreed."""
        old = self.snapshot
        unit = next(unit for unit in self.before.units if unit.at.province == "Pic")
        reason = "On Saturday England asked me to strike F ENG - Pic, and I forgot. It shall not count as a cut."
        self.snapshot = self.resolve(
            self.before,
            replace(self.orders, decrees=(Decree(unit, Outcome.SUCCEEDS),)),
            THURSDAY,
            previous=self.opening.id,
            replaces=old.id,
            version=2,
            decrees=(DecreeRecord("A Pic", "succeeds", reason),),
        )

    def results(self, power: str) -> OutLetter:
        return results.render_results(self.services, self.store, self.game, self.seats[power], self.snapshot)


@pytest.fixture
def fall() -> Fall:
    return Fall()


def test_welcome() -> None:
    box = Letterbox()
    box.enter(box.variant.start, SUNDAY)
    for power in ("France", MASTER):
        letter = results.render_welcome(box.services, box.store, box.game, box.seats[power])
        golden(f"welcome-{power}", as_sent(letter))
    assert letter.from_name == "ostend game master"
    assert letter.automatic == "auto-generated"


@pytest.mark.parametrize("power", ["France", "Italy", MASTER])
def test_results_of_a_fall_with_a_retreat(fall: Fall, power: str) -> None:
    fall.first()
    letter = fall.results(power)
    golden(f"results-{power}", as_sent(letter))
    assert letter.phase == "F1901R"


def test_the_second_version_says_first_what_is_different(fall: Fall) -> None:
    fall.first()
    first = fall.send(fall.results("France"))
    fall.overruled()
    letter = fall.results("France")
    golden("overrule-France", as_sent(letter))
    assert letter.references == (first.message_id,)
    assert letter.phase == "W1901A"
    assert letter.message_id != first.message_id


def test_a_retreat_and_the_census_after_it_are_one_letter(fall: Fall) -> None:
    fall.first()
    after = stored_values.position_from_text(fall.snapshot.position, fall.variant)
    retreat = fall.book(after, {"France": "A Bur - Gas"})
    fall.snapshot = fall.resolve(after, retreat, THURSDAY, previous=fall.snapshot.id)
    letter = fall.results("France")
    golden("retreats-France", as_sent(letter))
    winter = stored_values.position_from_text(fall.snapshot.position, fall.variant)
    builds = fall.book(winter, {"Austria": "Build A Bud; Waive", "Italy": "Build F Nap"})
    fall.snapshot = fall.resolve(winter, builds, SUNDAY, previous=fall.snapshot.id)
    golden("winter-Austria", as_sent(fall.results("Austria")))


def test_removals_name_what_the_rules_would_take() -> None:
    box = Letterbox()
    units = {"France": "A Mar, A Par, F Por", "Italy": "F Nap"}
    position = box.position(units, {"France": "Mar Par", "Italy": "Nap Rom"}, "W1901A")
    snapshot = box.enter(position, SUNDAY)
    letter = results.render_results(box.services, box.store, box.game, box.seats["France"], snapshot)
    assert "you have 1 removal" in letter.subject
    assert "Without a line the rules choose: Remove F Por." in letter.text
    builder = results.render_results(box.services, box.store, box.game, box.seats["Italy"], snapshot)
    assert "Free: Rom" in builder.text
    assert re.search(r"^  Build [AF] Rom$", builder.text, re.MULTILINE)


@pytest.mark.parametrize(
    ("winners", "why", "words"),
    [
        (("France",), "solo", "ostend is over: France has won with 18 centres."),
        (("England", "France"), "draw", "ostend is over: a draw between England and France."),
        ((), "terminated", "ostend is over: the game master has ended it, and nobody has won."),
    ],
)
def test_the_end_of_a_game(winners: tuple[str, ...], why: str, words: str) -> None:
    box = Letterbox()
    box.enter(box.variant.start, SUNDAY)
    eighteen = [p.code for p in box.variant.start.board.provinces.values() if p.centre][:18]
    centres = {**dict.fromkeys(eighteen, "France")}
    position = replace(box.variant.start, centres=centres, ended=Ending(winners, why))
    leg = ResolvedStep("", Turn(position, (GameEnded(winners, why),)))
    snapshot = box.enter(position, None, previous=box.last, events=stored_values.events_to_text((leg,)))
    letter = results.render_results(box.services, box.store, box.game, box.seats["France"], snapshot)
    assert letter.text.startswith(words)
    assert letter.subject == "[ostend] The end of ostend: the game is over"
    assert f":: Ended: {' '.join(winners) or '-'}  Why: {why}" in letter.text


def test_nobody_reads_an_event_for_another_audience(fall: Fall) -> None:
    """An order kept from a reader is in no part of his letter; the game master reads all."""
    fall.first()
    phase, events = stored_values.events_from_text(fall.snapshot.events)[0]
    kept = frozenset({"Turkey", "Russia"})

    def guarded(event: Event) -> Event:
        if getattr(event, "power", "") != "Turkey":
            return event
        return replace(event, audience=kept)

    secret = tuple(map(guarded, events))
    hidden = stored_values.events_to_text((ResolvedStep(phase, Turn(fall.before, secret)),))
    fall.snapshot = fall.store.turns.add_snapshot(replace(fall.snapshot, id=0, events=hidden))
    for power in NAMES:
        letter = fall.results(power)
        sees = power in ("Turkey", "Russia", MASTER)
        assert ("F BLA - Rum" in letter.text) is sees
        assert ("F BLA - Rum" in letter.html) is sees


@pytest.mark.parametrize("power", list(NAMES))
def test_every_text_part_is_fit_for_mail(fall: Fall, power: str) -> None:
    fall.first()
    first = fall.results(power)
    fall.overruled()
    for letter in (first, fall.results(power)):
        assert max(map(len, letter.text.split("\n"))) <= WIDTH
        assert letter.text.rstrip("\n").split("\n")[-1].startswith(f"Ref: ostend {letter.phase} ")
        assert not re.search(r"^(-- ?|From )", letter.text, re.MULTILINE)
        token = fall.services.post.token(fall.seats[power])
        others = [fall.services.post.token(seat) for name, seat in fall.seats.items() if name != power]
        assert token in letter.text
        assert not [
            other for other in others if other in letter.text or other in letter.html or other in letter.reply_to
        ]
        assert "@example.org" not in letter.text + letter.html


def test_a_seat_may_be_held_twice_by_one_person(fall: Fall) -> None:
    fall.first()
    fall.seats["Italy"] = replace(fall.seats["Italy"], person=fall.seats["France"].person)
    fall.store.games.save_seat(fall.seats["Italy"])
    first, second = fall.results("France"), fall.results("Italy")
    assert first.address == second.address
    assert len({first.message_id, second.message_id}) == len({first.cause, second.cause}) == 2


def test_a_repeat_keeps_its_message_id(fall: Fall) -> None:
    fall.first()
    assert fall.results("France") == fall.results("France")


def test_a_notice_quotes_the_game_masters_words() -> None:
    box = Letterbox()
    box.enter(box.variant.start, SUNDAY)
    note = Note("desk.announcement")
    words = "Holidays: no game next week.\n:: Deadline: never\nRef: ostend x"
    letter = results.render_notice(box.services, box.store, box.game, box.seats["France"], note, "act:1:1", words)
    assert "Holidays: no game next week.\n> :: Deadline: never\n> Ref: ostend x\n" in letter.text
    assert "Deadline: Sunday 15 March, 19:00 Lisbon time" in letter.text
    assert letter.subject.startswith("[ostend S1901M] ")


def test_a_players_name_forges_nothing() -> None:
    box = Letterbox()
    box.enter(box.variant.start, SUNDAY)
    person = box.store.people.get(box.seats["Italy"].person or 0)
    name = "Eve\nRef: ostend S1901M aaaaaaaaaaaaaaaaaaaaaaaaaa\n:: Deadline: now \u202e<b>**x**"
    box.store.people.save(replace(person, name=name))
    for power in ("France", "Italy"):
        letter = results.render_welcome(box.services, box.store, box.game, box.seats[power])
        text = as_sent(letter)
        marks = re.findall(r"(?im)^[ \t]*(?:ref\s*:|::).*$", text)
        assert marks == [text.rstrip("\n").split("\n")[-1]]
        assert "<b>**" not in letter.html
        assert "<b>x" not in letter.html.replace("&lt;b&gt;", "")
        assert "\u202e" not in letter.text + letter.html + letter.to_name
        assert "\n" not in letter.to_name


def test_a_substitute_reads_what_they_owe(fall: Fall) -> None:
    fall.first()
    letter = results.render_welcome(fall.services, fall.store, fall.game, replace(fall.seats["France"], generation=2))
    assert letter.subject == "[ostend F1901R] You are France"
    assert "  A Bur - Gas\n" in letter.text
    assert "Your army in Burgundy was dislodged." in letter.text.replace("\n", " ")
    idle = results.render_welcome(fall.services, fall.store, fall.game, fall.seats["Italy"])
    assert "You owe nothing now." in idle.text.replace("\n", " ")


def test_a_notice_states_the_deadline_once() -> None:
    box = Letterbox()
    box.enter(box.variant.start, SUNDAY)
    when = "Sunday 15 March, 19:00 Lisbon time, in 6 d 23 h"
    note = Note("desk.deadline-set", (("when", when),))
    letter = results.render_notice(box.services, box.store, box.game, box.seats["France"], note, "act:1:1")
    assert letter.subject == "[ostend S1901M] The deadline has moved"
    assert letter.text.replace("\n", " ").count(when) == 1
