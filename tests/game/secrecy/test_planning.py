"""CHECK looks at nobody else's sheet, and lines kept for later show nowhere: games that differ in nothing else.

In the second run one player first writes quite other orders and lines for years to come; while they are on file all
others try theirs out. Then they write what they wrote in the first run.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from support import scripted_players as player
from support.twin_games import Twins

from gm.game.model.records import GameState
from gm.game.model.services import Services
from gm.judge.model.sheets import Submissions
from gm.language.rendering import order_text
from gm.variant_files.library import Library

VARIANTS = {
    "standard": {},
    "locarno": {},
    "europe-1933": {"wings": "on"},
    "seismic": {},
    "fin-de-siecle": {},
}
PHASES = 3


class PlanTwins(Twins):
    tried: int = 0
    checked: list[str]

    def play_phases(self, phases: int) -> None:
        self.checked = []
        for _ in range(phases):
            if self.tried or self.runs[0].game().state is not GameState.RUNNING:
                return
            position = self.runs[0].position(self.variant)
            letter = self.variant.step(position).letter
            book = player.orders(self.variant, position, self.dice)
            for power in self._others():
                self._forward(timedelta(minutes=3))
                self._both(power, self._sheet(book, power, letter) or "SHOW")
            others = player.orders(self.variant, position, Random(self.dice.random()))
            self.runs[0].write(*self._from(0, self.power), self._sheet(book, self.power, letter) or "SHOW")
            self.runs[1].write(*self._from(1, self.power), self._astray(others, letter))
            for power in self._others() if letter == "M" else ():
                self._try(power, book, others, letter)
            again = "\n".join(("CLEAR", self._sheet(book, self.power, letter)))
            self.runs[1].write(*self._from(1, self.power), again)
            self._deadline()

    def _others(self) -> list[str]:
        return [power.name for power in self.variant.powers if power.name != self.power]

    def _sheet(self, book: Submissions, power: str, letter: str) -> str:
        return "\n".join(order_text.statement(entry.statement, letter=letter) for entry in book.entries(power))

    def _astray(self, book: Submissions, letter: str) -> str:
        """Other orders, but for what cannot be taken back, and lines for a phase that never opens here."""
        later = f"FOR F{self.runs[0].position(self.variant).year + 4}M\nA {self._somewhere()} H\nEND\n"
        return later + (self._sheet(book, self.power, letter) if letter == "M" else "")

    def _somewhere(self) -> str:
        return next(iter(self.variant.start.board.provinces))

    def _try(self, power: str, book: Submissions, others: Submissions, letter: str) -> None:
        """Both what is on file and a block with a supposition about the player whose secret it is."""
        self._forward(timedelta(minutes=3))
        theirs = self._sheet(others, self.power, letter)
        self._both(power, f"CHECK\n\nCHECK\n{self._sheet(book, power, letter)}\n{self.power}:\n{theirs}\nEND")
        sent = self.runs[0].recorder.sent[self.address(power)][-1].row.letter.text
        self.tried += "CHECK: NOTHING OF THIS IS STORED" in sent
        self.checked.append(sent)

    def _deadline(self) -> None:
        due = [run.game().due_at for run in self.runs]
        assert due[0] == due[1], "the deadlines differ"
        if due[0] is not None and self.runs[0].game().state is GameState.RUNNING:
            self._forward(max(due[0] - self.runs[0].now(), timedelta()))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_trial_and_a_plan_tell_nothing_of_others(variant: str, services: Services, library: Library) -> None:
    chosen = VARIANTS[variant]
    settings = "".join(f"{key}: {value}\n" for key, value in chosen.items())
    twins = PlanTwins(services, 7, library.variant(variant, chosen), chosen=settings)
    twins.play_phases(PHASES)
    assert [run.shunted() for run in twins.runs] == [[], []]
    assert twins.leaks() == []
    assert twins.tried >= len(twins.variant.powers) - 1, "nothing was tried out"
    assert any(f"{twins.power}, as you suppose" in text for text in twins.checked)
