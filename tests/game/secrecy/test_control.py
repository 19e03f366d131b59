"""Who controls a minor power is known to them and the game master: shown by games that differ in nothing else.

Two players have changed places in the box of one minor power: where one has more in the first run, the other has in the
second. Both runs show the same numbers; the same orders are written for the minor power, by the one or by the other,
and the same letters in its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from support import scripted_players as player
from support.twin_games import MASTERS, Sent, Twins

from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, GameState
from gm.game.model.services import Services
from gm.game.press import anonymize
from gm.game.views.mechanics import influence
from gm.game.views.turns import preview
from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.mechanics.influence.influence_points import IP, controllers
from gm.judge.mechanics.influence.minor_power_press import MinorPowerPress
from gm.judge.model.influence_boxes import BIDS
from gm.judge.model.orders import Hold, Move, Retreat, Statement
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.press import MessageHeader
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.language.rendering import order_text
from gm.variant_files.library import Library

HIDDEN = {"hidden_control": "on"}
YEARS = 2
BOX = "Poland"
ONE, OTHER = "Germany", "Russia"


@dataclass
class ControlTwins(Twins):
    """`ONE` and `OTHER` have changed places in `BOX` in the second run; `swapped` counts its years apart.

    `written` and `answered` count letters that were written in its name.
    """

    swapped: int = 0
    written: int = 0
    answered: int = 0

    def keepers(self) -> tuple[str, ...]:
        return (ONE, OTHER)

    def play_years(self, years: int) -> None:
        last = self.variant.start.year + years
        while self.runs[0].game().state is GameState.RUNNING and self._now(0).year < last:
            here = self._now(0), self._now(1)
            letter = self.variant.step(here[0]).letter
            if letter == BIDS:
                self._bid(here)
            else:
                self._order(here, letter)
            self._end()

    def _now(self, run: int) -> Position:
        return self.runs[run].position(self.variant)

    def _end(self) -> None:
        due = [run.game().due_at for run in self.runs]
        assert due[0] == due[1], "the deadlines differ"
        if due[0] is not None and self.runs[0].game().state is GameState.RUNNING:
            for moment in (due[0] - timedelta(hours=5), due[0]):
                self._forward(max(moment - self.runs[0].now(), timedelta()))

    def _bid(self, here: tuple[Position, Position]) -> None:
        """Others bid elsewhere, and now and then a little here; in the second run the two have each other's bids."""
        fight = self.dice.sample(range(1, 7), 2)
        if self.dice.random() < 0.2:
            fight = [0, 0]
        for power in (country.name for country in self.variant.powers):
            self._forward(timedelta(minutes=self.dice.randint(1, 40)))
            where = self.dice.choice(["Spain", "Turkey", "Finland"])
            rest = self.dice.randint(0, 2)
            lines = [Bid(where, rest)] if rest else []
            if power not in (ONE, OTHER):
                if self.dice.random() < 0.3:
                    lines.append(Bid(BOX, self.dice.randint(1, 4), self.dice.choice(["", "", "Italy"])))
                text = "\n".join([*map(order_text.statement, lines), *self._chatter(power), f"{BOX}:", "A War H"])
                self._both(power, text if lines else "bid none")
                continue
            mine = (ONE, OTHER).index(power)
            for run in (0, 1):
                statements = [*lines, Bid(BOX, fight[mine if run == 0 else 1 - mine])]
                self.runs[run].write(*self._from(run, power), "\n".join(map(order_text.statement, statements)))

    def _order(self, here: tuple[Position, Position], letter: str) -> None:
        rulers = [controllers(position.ledger, BOX) for position in here]
        self.swapped += rulers[0] != rulers[1]
        book = player.orders(self.variant, here[0], self.dice)
        self._talk(rulers)
        theirs = next((sheet for (_, power), sheet in book.sheets.items() if power == BOX), ())
        controlled = [entry.statement for entry in theirs]
        self._forward(timedelta(minutes=self.dice.randint(1, 40)))
        for power in (ONE, OTHER):
            for run in (0, 1):
                words = self._section(letter, power, book, BOX if power in rulers[run] else "", controlled)
                self.runs[run].write(*self._from(run, power), "\n".join(words) or "SHOW")
        for power in (country.name for country in self.variant.powers if country.name not in (ONE, OTHER)):
            self._forward(timedelta(minutes=self.dice.randint(1, 40)))
            words = self._section(letter, power, book, BOX if power in rulers[0] else "", controlled)
            attempt = [f"{BOX}: A War - Sil", "A War H"] if self.dice.random() < 0.3 else []
            self._both(power, "\n".join([*words, *attempt, *self._chatter(power)]) or "STATUS")

    def _talk(self, rulers: list[tuple[str, ...]]) -> None:
        """Letters to the minor power, from it, and answers in its name: by whoever controls it in that run."""
        abroad = [country.name for country in self.variant.powers if country.name not in (ONE, OTHER)]
        friend, third = self.dice.sample(abroad, 2)
        to = self.dice.choice([BOX, f"{BOX}, {third}", f"{BOX}, {ONE}, {OTHER}"])
        self._both(friend, f"PRESS TO {to}\nWhat do you want of {friend}?\nENDPRESS")
        for power in (ONE, OTHER):
            if self.dice.random() < 0.5:
                self._both(power, f"PRESS TO {BOX}, {third}\nA word from {power}.\nENDPRESS")
        self._forward(timedelta(minutes=self.dice.randint(1, 40)))
        for run in (0, 1):
            if not rulers[run]:
                continue
            power = rulers[run][0]
            signed = f"Ours, {self.address(power)}.\n\n{power} Player"
            first = f"PRESS FROM {BOX} TO {friend}, {ONE}, {OTHER}\n{signed}\nENDPRESS"
            self.runs[run].write(*self._from(run, power), first)
            self.written += 1
            channel = "-".join(sorted({friend, *to.split(", ")})) + f" as {BOX}"
            if asked := [sent.row.letter for sent in self._got(run, power) if sent.row.letter.channel == channel]:
                ref = next(line for line in asked[-1].text.split("\n") if line.startswith("Ref: "))
                answer = f"All is well with us. {self.address(power)}\n\n{power[0]}. Player\n\n{ref}"
                self.runs[run].write(*self._from(run, power), answer, subject=f"Re: {asked[-1].subject}")
                self.answered += 1

    def _got(self, run: int, power: str) -> list[Sent]:
        return self.runs[run].recorder.sent[self.address(power)]

    def _section(self, letter: str, power: str, book: Submissions, ward: str, controlled: list[Statement]) -> list[str]:
        own = [entry.statement for entry in book.entries(power)]
        words = [order_text.statement(_tame(statement), letter=letter) for statement in own]
        for (author, other), sheet in book.sheets.items():
            if author == power and other not in (power, BOX):
                words += [f"{other}:", *(order_text.statement(entry.statement, letter=letter) for entry in sheet)]
        return words + (
            [f"{ward}:", *(order_text.statement(statement, letter=letter) for statement in controlled)] if ward else []
        )

    def _chatter(self, power: str) -> list[str]:
        return [wish for wish in ("STATUS", "HISTORY", "HELP") if self.dice.random() < 0.1]

    def stacks(self, run: int) -> Iterator[int]:
        position = self._now(run)
        yield from (position.ledger.get(LedgerKey(IP, power, BOX), 0) for power in (ONE, OTHER))


def _tame(order: Statement) -> Statement:
    """Nobody goes to Warsaw: who takes what he controls is named to all, and rightly."""
    if isinstance(order, Move | Retreat) and order.to.province == "War":
        return Hold(order.unit)
    return order


@pytest.fixture(scope="module")
def hidden(library: Library) -> Variant:
    return library.variant("europe-1933", HIDDEN)


def played(services: Services, variant: Variant, seed: int, years: int) -> ControlTwins:
    twins = ControlTwins(services, seed, variant, chosen="hidden_control: on\n")
    twins.play_years(years)
    return twins


@pytest.mark.parametrize("seed", range(3))
def test_nobody_else_s_letters_show_who_controls(services: Services, hidden: Variant, seed: int) -> None:
    twins = played(services, hidden, seed, YEARS)
    assert twins.leaks() == []
    assert list(twins.stacks(0)) == list(reversed(list(twins.stacks(1))))
    assert twins.swapped >= 2, "the two runs hardly differ"
    assert min(twins.written, twins.answered) > 0, "nobody wrote in its name"


def test_a_table_with_names_in_everybody_s_letter_is_found(
    services: Services, hidden: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(reader: Recipient, position: Position) -> object:
        assert reader.variant.influence is not None
        return reader.variant.influence.seen(position, reader.variant, reader.power, master=True)

    monkeypatch.setattr(influence, "visible_boxes", leaky)
    assert played(services, hidden, 1, 1).leaks()


@pytest.mark.parametrize("fault", ["signature", "readers", "sender"])
def test_letters_that_show_their_writer_are_detected(
    services: Services, hidden: Variant, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """With their signatures left in; without the writer's own power among the readers; from the writer himself."""
    if fault == "signature":
        monkeypatch.setattr(anonymize, "remove_names", lambda words, *_: (words, 0))
    elif fault == "sender":
        monkeypatch.setattr(
            MinorPowerPress, "header", lambda press, message, name: MessageHeader(message.sender, message.to)
        )
    else:
        monkeypatch.setattr(
            MinorPowerPress,
            "header",
            lambda press, message, name: MessageHeader(
                message.name, tuple(power for power in message.to if power != message.sender)
            ),
        )
    assert played(services, hidden, 1, 1).leaks()


def test_missing_orders_shown_to_everybody_are_found(
    services: Services, hidden: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reminder for whoever has nothing on file for a minor power, sent to all."""
    from gm.game.views.mechanics import minor_power_tasks as controlled

    honest = controlled.sections

    def leaky(reader, position):  # type: ignore[no-untyped-def]
        names = controllers(position.ledger, BOX)
        return (*honest(reader, position), *influence.sections(reader, position)) if "Germany" in names else ()

    monkeypatch.setattr(controlled, "sections", leaky)
    assert played(services, hidden, 1, 1).leaks()


# ---- what a game master does to the game between two phases


@dataclass
class CorrectedTwins(ControlTwins):
    """After each phase it is taken back and taken again, and once mended by hand; the two read of the other's points.

    In the second run the edit gives to `OTHER` what it gives to `ONE` in the first.
    """

    mended: int = 0

    def _end(self) -> None:
        super()._end()
        self.master("ROLLBACK")
        self.master("REDO\nCORRECT RESULT\nNothing was wrong after all.\nEND\nPOLL Go on? SECRET DAYS 1")
        amount = self.dice.randint(5, 40)
        for run, power in enumerate((ONE, OTHER)):
            address, seat = self._from(run, MASTER)
            self.runs[run].write(address, seat, f"SETUP POINTS {power} {BOX} = {amount}")
            text = self.runs[run].recorder.sent[MASTERS][-1].text()
            code = re.search(r"CONFIRM ([A-Z0-9]{8})", text)
            if code is not None:
                self.mended += 1
                self.runs[run].write(address, seat, f"CONFIRM {code[1]}\nLEDGER\nEXPORT")


def corrected(services: Services, variant: Variant, seed: int) -> CorrectedTwins:
    twins = CorrectedTwins(services, seed, variant, chosen="hidden_control: on\n")
    twins.play_years(1)
    return twins


def test_corrections_show_nobody_else_s_points(services: Services, hidden: Variant) -> None:
    twins = corrected(services, hidden, 1)
    assert twins.leaks() == []
    assert twins.mended >= 4, "nothing was mended"
    assert "Germany: IP in Poland" in "".join(sent.text() for sent in twins.runs[0].recorder.sent[MASTERS])
    assert "Germany: IP in Poland" in "".join(sent.text() for sent in twins._got(0, ONE))


def test_corrections_that_show_all_accounts_are_found(
    services: Services, hidden: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = preview.difference

    def leaky(variant: Variant, was: Position, now: Position, reader: str | None, *, master: bool = False) -> object:
        return honest(variant, was, now, reader, master=True)

    monkeypatch.setattr(preview, "difference", leaky)
    assert corrected(services, hidden, 1).leaks()
