"""How good the answer to a letter is, in five verdicts: the best one over all outcomes that a letter may have.

right     on file as expected, and what must be asked is asked
proposed  nothing wrong on file; the missing orders stand in full in the answer, and a reply YES takes them
asked     nothing wrong on file, and whatever is missing is quoted or named in the answer
dropped   nothing wrong on file, but something is neither on file nor named
wrong     stored or taken back what a human would not have; an order taken back without its replacement is wrong
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from support.services import server_services
from support.shipped import LIBRARY

from human_letters.answer_words import names, own_words
from human_letters.human_letter import HumanLetter, Outcome
from human_letters.played_game import PlayedGame

ACCEPTING = re.compile(r"\b(?:YES|JA)\b(?: [A-Z0-9]{6,10}\b)?")
"""What the answer asks for, with its code."""


class Verdict(StrEnum):
    RIGHT = "right"
    PROPOSED = "proposed"
    ASKED = "asked"
    DROPPED = "dropped"
    WRONG = "wrong"


WORSE = tuple(Verdict)


@dataclass(frozen=True)
class Judged:
    """`answer` is its whole text. `lacking`: what is neither on file nor named, or is wrong on file."""

    letter: HumanLetter
    verdict: Verdict
    on_file: tuple[str, ...]
    answer: str
    lacking: tuple[str, ...] = ()


@dataclass
class Judgement:
    """One letter, played. `about` gives what a line is about; lines about the same replace one another."""

    letter: HumanLetter
    on_file: frozenset[str]
    before: frozenset[str]
    answer: str
    canonical: Callable[[str], str]
    about: Callable[[str], tuple[str, str]]
    accepted: Callable[[str], frozenset[str]]
    """The sheet after this reply."""
    words: str = field(init=False)

    def __post_init__(self) -> None:
        self.words = own_words(self.answer, self.letter.language)

    def best(self) -> tuple[Verdict, tuple[str, ...]]:
        return min((self._of(outcome) for outcome in self.letter.outcomes), key=lambda pair: WORSE.index(pair[0]))

    def _of(self, outcome: Outcome) -> tuple[Verdict, tuple[str, ...]]:
        wanted = frozenset(map(self.canonical, outcome.stored))
        if wrong := self._wrong(wanted):
            return Verdict.WRONG, wrong
        missing = sorted(wanted - self.on_file)
        staying = sorted((self.before & self.on_file) - wanted)
        unnamed = [order for order in (*missing, *staying) if not self._mentioned(order)]
        unasked = [" / ".join(group) for group in outcome.asked if not any(names(self.words, word) for word in group)]
        if unnamed or unasked:
            return Verdict.DROPPED, (*unnamed, *unasked)
        if not missing and not staying:
            return Verdict.RIGHT, ()
        return (Verdict.PROPOSED if self._proposed(missing, wanted) else Verdict.ASKED), ()

    def _wrong(self, wanted: frozenset[str]) -> tuple[str, ...]:
        """What was stored, or taken back, that should not have been."""
        stored = self.on_file - wanted - self.before
        taken_back = (self.before & wanted) - self.on_file
        to_come = {self.about(order) for order in wanted - self.before - self.on_file}
        unreplaced = {order for order in self.before - wanted - self.on_file if self.about(order) in to_come}
        return (
            *(f"stored {order}" for order in sorted(stored)),
            *(f"taken back {order}" for order in sorted(taken_back | unreplaced)),
        )

    def _mentioned(self, order: str) -> bool:
        mentions = {self.canonical(key): words for key, words in self.letter.mentions.items()}
        return any(names(self.words, word) for word in (order, *mentions.get(order, ())))

    def _proposed(self, missing: Sequence[str], wanted: frozenset[str]) -> bool:
        reply = ACCEPTING.search(self.words)
        if reply is None:
            return False
        lines = [re.sub(r"^[^:]+: (?=[AFW] )", "", order) for order in missing]  # of a controlled power
        return all(names(self.words, line) for line in lines) and self.accepted(reply[0]) == wanted


def judge(game: PlayedGame, letter: HumanLetter) -> Judged:
    answer = game.play(letter)
    power = letter.power
    on_file = game.on_file(power)

    def canonical(text: str) -> str:
        return game.canonical(power, text)

    def accepted(words: str) -> frozenset[str]:
        game.reply(power, words)
        return frozenset(map(canonical, game.on_file(power)))

    verdict, lacking = Judgement(
        letter,
        frozenset(map(canonical, on_file)),
        frozenset(map(canonical, letter.on_file)),
        answer,
        canonical,
        lambda text: game.slot(power, text),
        accepted,
    ).best()
    return Judged(letter, verdict, on_file, answer, lacking)


def judge_all(letters: Iterable[HumanLetter]) -> list[Judged]:
    services = server_services(LIBRARY)
    games: dict[tuple[str, str, str], PlayedGame] = {}
    judged = []
    for letter in letters:
        key = letter.variant, letter.position, letter.language
        if key not in games:
            games[key] = PlayedGame(services, *key)
        judged.append(judge(games[key], letter))
    return judged
