"""Who writes, intercepts, protects and pays is nobody's to know: games that differ in one player's dips alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from support.twin_games import GAME, MASTERS, Stage, Twins, blotted

from gm.game.model.records import MASTER, PressRow
from gm.game.model.services import Services
from gm.game.press import delivery
from gm.judge.mechanics.dips import dips
from gm.judge.mechanics.dips.interception import Intercepted
from gm.judge.model.events import Event
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library

TURNS = 2
CHATTER = 6
"""Letters of others in each turn."""
FRIEND = "Mexico"
READER = "Japan"
SPY = "Great Britain"
RIVAL = "United States"


@pytest.fixture(scope="module")
def variant(library: Library) -> Variant:
    return library.variant("fin-de-siecle")


def an_intercept(table: Table) -> str:
    first, second = table.others(2)
    return f"intercept {first}, {second}"


def a_protection(table: Table) -> str:
    """Against one who intercepts its buyer, now and then."""
    return f"protect against {table.others(1)[0]}"


def a_support(table: Table) -> str:
    """Of a move that is not ordered: nothing is printed of it."""
    return "3 dips support A LON - PLY"


def a_support_against_its_own_unit(table: Table) -> str:
    """Of an attack that bounces all the same: nobody's dips dislodge their own unit."""
    table.attack()
    return f"3 dips support {RIVAL} A NYK - MON"


def a_message(table: Table) -> str:
    return f"message {FRIEND}: this is between the two of us"


class Table(Twins):
    """Random diplomacy in both runs. The two accomplices of a message are not intercepted: he'd read it."""

    def others(self, count: int) -> list[str]:
        left = [power.name for power in self.variant.powers if power.name not in (self.power, *self.accomplices)]
        return self.dice.sample(left, count)

    def turn(self, secret: Callable[[Table], str]) -> None:
        line = secret(self)
        at = self.dice.randrange(CHATTER)
        for number in range(CHATTER):
            self._forward(timedelta(minutes=self.dice.randint(0, 20)))
            if number == at:
                for run, words in enumerate(("SHOW", line)):
                    self.runs[run].write(*self._from(run, self.power), words)
            writer = self.others(1)[0]
            self._both(writer, self._some_words(writer))
        for writer in self.others(6):  # all in one quarter of an hour
            self._both(writer, f"message {READER if writer != READER else self.power}: and you?")
        due = self.runs[0].game().due_at
        assert due is not None
        assert due == self.runs[1].game().due_at
        self._forward(due - self.runs[0].now())
        self.turns += 1

    def attack(self) -> None:
        self._both(RIVAL, "A NYK - MON")

    def _some_words(self, writer: str) -> str:
        first, second = [name for name in self.others(3) if name != writer][:2]
        other = self.power
        choices = (
            f"message {first}: what do you say to this?",
            f"message {other}, {first}: what do you say to that?",
            f"intercept {first}, {second}",
            f"protect against {first}",
            "SHOW\nSTATUS",
            "HISTORY",
        )
        return self.dice.choice(choices)


def play(services: Services, variant: Variant, seed: int, secret: Callable[[Table], str]) -> list[str]:
    friends = frozenset({FRIEND}) if secret is a_message else frozenset()
    table = Table(services, seed, variant, power=SPY, accomplices=friends)
    table.master("PROCESS")
    for _ in range(TURNS):
        table.turn(secret)
    return table.leaks()


@pytest.mark.parametrize("secret", [an_intercept, a_protection, a_support, a_support_against_its_own_unit, a_message])
def test_nobody_else_s_letters_differ(services: Services, variant: Variant, secret: Callable[[Table], str]) -> None:
    assert play(services, variant, 1, secret) == []


# ---- and the test itself finds what leaks


def test_intercepts_shown_to_everybody_are_found(
    services: Services, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = dips.intercepted

    def leaky(*args):  # type: ignore[no-untyped-def]
        events: tuple[Event, ...] = honest(*args)
        return tuple(
            Intercepted(event.power, event.one, event.other, audience=None)
            for event in events
            if isinstance(event, Intercepted)
        )

    monkeypatch.setattr(dips, "intercepted", leaky)
    assert play(services, variant, 1, an_intercept)


def test_an_order_that_counts_letters_is_found(
    services: Services, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(services: Services, variant: Variant, row: PressRow) -> tuple[str, int]:
        return services.post.code("release", str(row.id)), row.id

    monkeypatch.setattr(delivery, "release_order", counted)
    assert play(services, variant, 1, a_message)


# ---- nor does an interceptor learn who wrote first


def letters_of_a_spy(services: Services, variant: Variant, passing: str, *, backwards: bool) -> list[str]:
    """What he gets of six messages that were written within a quarter of an hour, one way round or the other."""
    stage = Stage(services)
    seats = "\n".join(
        f"SEAT {power.name}: {power.name} Player <{Twins.address(power.name)}>" for power in variant.powers
    )
    head = f"zone: UTC\nreminder: no\nintercept_delivery: {passing}"
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\n{head}\n{seats}\nSTART")
    stage.write(MASTERS, stage.seat_address(MASTER), "PROCESS")
    stage.write(Twins.address(SPY), stage.seat_address(SPY), f"intercept {FRIEND} {READER}")
    messages = [
        (sender, recipient, number) for number in range(3) for sender, recipient in ((FRIEND, READER), (READER, FRIEND))
    ]
    for sender, recipient, number in reversed(messages) if backwards else messages:
        stage.write(
            Twins.address(sender),
            stage.seat_address(sender),
            f"message {recipient}: the answer to you is, as always, word {number}",
        )
    due = stage.game().due_at
    assert due is not None
    stage.go_to(due)
    stage.settle()
    return [blotted(sent.text()) for sent in stage.recorder.sent[Twins.address(SPY)]]


@pytest.mark.parametrize("passing", ["at-deadline", "also-immediate"])
def test_copies_tell_nothing_of_who_wrote_first(services: Services, variant: Variant, passing: str) -> None:
    forwards, backwards = (letters_of_a_spy(services, variant, passing, backwards=way) for way in (False, True))
    assert sum("word 2" in text for text in forwards) >= (1 if passing == "at-deadline" else 3)
    assert forwards == backwards
