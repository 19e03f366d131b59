"""Who plays what is nobody's to know in an anonymous game: games that differ in one player's name and address alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from support.twin_games import MASTERS, Twins

from gm.game.model.records import MASTER
from gm.game.model.services import Services
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Step, Variant
from gm.variant_files.library import Library

PEOPLE = (
    (("Luc Marchand", "luc.marchand@example.org"), ("Wilhelmina von Zwehl", "w@example.org")),
    (("Pia Lund", "pia@example.org"), ("Jean-Baptiste Okonkwo", "jb.okonkwo@example.org")),
)
"""Whoever plays the power first, and who takes its seat later: in the one run, and in the other."""
SIGNATURE = "Best regards\n{first}\n{name} & Sons, Vienna\nTel. {phone}, www.{first}.example"
PHONES = ("+43 1 234 56 78", "+7 495 123 45 67")


class MaskedTwins(Twins):
    """The player of `power` is another one in each run. He signs what he writes, is away, and leaves in the end."""

    holder = 0

    def someone(self, number: int) -> tuple[str, str]:
        return PEOPLE[self.holder][number]

    def person(self, number: int, power: str) -> str:
        name, address = self.someone(number)
        return f"{name} <{address}>" if power == self.power else super().person(number, power)

    def _from(self, run: int, power: str) -> tuple[str, str]:
        address, seat = super()._from(run, power)
        return (self.someone(run)[1], seat) if power == self.power else (address, seat)

    def insiders(self) -> frozenset[str]:
        return frozenset(address for pair in PEOPLE for _, address in pair)

    def tells(self, step: Step, position: Position) -> bool:
        return step.letter == "M"

    def mine(self, words: str) -> None:
        """A letter of the player's own; {name} and {address} in it are his."""
        for number, run in enumerate(self.runs):
            name, address = self.someone(number)
            marks = {"name": name, "first": name.split()[0], "address": address, "phone": PHONES[number]}
            run.write(*self._from(number, self.power), words.format(**marks), called=name)

    def _phase(self, letter: str, book: Submissions, other: Sequence[Statement] | None) -> None:
        friend, third = [power.name for power in self.variant.powers if power.name != self.power][:2]
        self.mine(f"PRESS TO {friend}\nWrite to {{address}} if you like.\n\nRegards,\n{{name}}\nENDPRESS\nSTATUS")
        self.mine(f"PRESS TO {friend}, {third}, GM\n{{name}} here: hello.\n-- {{name}}\nENDPRESS\nVOTE DRAW")
        self.mine(f"PRESS TO {friend}\nAgreed.\n\n{SIGNATURE}\nENDPRESS")
        self.mine(f"PRESS TO {friend}\nCall {{phone}}.\n\n{{first}}\nVienna\nENDPRESS")
        self._both(friend, f"WHO\nABSENCES\nSUMMARY\nPRESS TO {self.power}\nWho are you?\nENDPRESS")
        super()._phase(letter, book, other)
        self._both(third, "STATUS\nHISTORY\nWHO\nSETTINGS\nRULES")


def nothing(
    variant: Variant, position: Position, book: Submissions, power: str, dice: Random
) -> Sequence[Statement] | None:
    return None


def played(services: Services, variant: Variant, anonymous: str) -> MaskedTwins:
    """A turn, an absence, another name, another player, a second turn."""
    twins = MaskedTwins(services, 11, variant, power="England", chosen=f"anonymous: {anonymous}\n", curious=True)
    twins.play(1, nothing)
    twins.mine(
        "ABSENCE 20 July to 24 July\nNAME {name} the Second\nDIARY\nI am {name}.\nEND DIARY\nEXTEND 2d I am away"
    )
    for number, run in enumerate(twins.runs):
        name, address = PEOPLE[1][number]
        run.write(MASTERS, run.seat_address(MASTER), f"SEAT England: {name} <{address}>")
    twins.holder = 1
    twins.play(2, nothing)
    return twins


@pytest.fixture(scope="module")
def standard(library: Library) -> Variant:
    return library.variant("standard")


def test_nobody_learns_who_plays_what(services: Services, standard: Variant) -> None:
    twins = played(services, standard, "always")
    twins.master("CLOSE DRAW France, Turkey")
    twins._both("Italy", "WHO\nSTATUS\nHISTORY\nDIARY ALL")
    twins.look_on()
    assert not [run.shunted() for run in twins.runs if run.shunted()]
    assert twins.leaks() == []


def test_a_leaked_name_is_found(services: Services, standard: Variant) -> None:
    """The same games, with names: every other player reads them."""
    twins = played(services, standard, "no")
    readers = {leak.partition(",")[0].partition(":")[0] for leak in twins.leaks()}
    others = {twins.address(power.name) for power in standard.powers if power.name != "England"}
    assert others <= readers


def test_the_end_opens_the_names(services: Services, standard: Variant) -> None:
    twins = MaskedTwins(services, 11, standard, power="England", chosen="anonymous: yes\n")
    assert twins.leaks() == []
    twins.master("CLOSE DRAW France, Turkey")
    last = twins.runs[0].recorder.sent[twins.address("Italy")][-1]
    assert "Luc Marchand" in last.row.letter.text
    assert "Germany Player" in last.row.letter.text
