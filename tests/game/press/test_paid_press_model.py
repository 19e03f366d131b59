"""Hundreds of messages, intercepts and protections by dice, against a model of who may read what, at what price."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

import pytest
from support.random_games_site import MARK
from support.twin_games import GAME, MASTERS, Stage, Twins

from gm.game.model.records import MASTER
from gm.game.model.services import Services
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library

TURNS = 3
ACTS = 45
"""Things done in each turn."""
WORDS = 50
LEFT = re.compile(r"spent or set aside, (\d+) left")


@dataclass(frozen=True)
class Sent:
    sender: str
    to: frozenset[str]
    mark: str


@dataclass
class Model:
    """What one turn allows. A pledge is ("intercept", a, b) or ("protect", a, "")."""

    allowance: dict[str, int]
    spent: Counter[str] = field(default_factory=Counter)
    sent: list[Sent] = field(default_factory=list)
    pledged: dict[str, set[tuple[str, str, str]]] = field(default_factory=dict)

    def may(self, power: str, cost: int) -> bool:
        reserved = sum(2 if kind == "intercept" else 1 for kind, _, _ in self.pledged.get(power, ()))
        return self.spent[power] + reserved + cost <= self.allowance[power]

    def left(self, power: str) -> int:
        reserved = sum(2 if kind == "intercept" else 1 for kind, _, _ in self.pledged.get(power, ()))
        return self.allowance[power] - self.spent[power] - reserved

    def overheard(self, sent: Sent) -> set[str]:
        readers = set()
        for power, pledges in self.pledged.items():
            for kind, first, second in pledges:
                between = kind == "intercept" and any({sent.sender, to} == {first, second} for to in sent.to)
                if between and ("protect", power, "") not in self.pledged.get(sent.sender, set()):
                    readers.add(power)
        return readers


class Diplomacy:
    def __init__(self, services: Services, variant: Variant, seed: int) -> None:
        self.dice, self.variant, self.stage = Random(seed), variant, Stage(services)
        self.powers = [power.name for power in variant.powers]
        seats = "\n".join(f"SEAT {power}: {power} Player <{Twins.address(power)}>" for power in self.powers)
        hours = "zone: UTC\nmoves: 72 h\nretreats: 12 h\nbuilds: 12 h\nreminder: no"
        self.stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\n{hours}\n{seats}\nSTART")
        self.stage.write(MASTERS, self.stage.seat_address(MASTER), "PROCESS")
        self.marks = 0

    def play(self) -> Model:
        """One turn, to its results."""
        model = Model({country.name: 6 if country.major else 4 for country in self.variant.powers})
        for _ in range(ACTS):
            self.stage.go_to(self.stage.now() + timedelta(minutes=self.dice.randint(0, 30)))
            self.stage.settle()
            power = self.dice.choice(self.powers)
            self.dice.choice((self.message, self.message, self.intercept, self.protect, self.none))(model, power)
            assert model.left(power) >= 0
        due = self.stage.game().due_at
        assert due is not None
        self.stage.go_to(due)
        self.stage.settle()
        return model

    def write(self, power: str, words: str) -> str:
        """The answer to a letter."""
        address = Twins.address(power)
        self.stage.write(address, self.stage.seat_address(power), words)
        return next(
            sent.row.letter.text
            for sent in reversed(self.stage.recorder.sent[address])
            if sent.row.letter.kind == "answer"
        )

    def check(self, model: Model, power: str, answer: str) -> None:
        match = LEFT.search(" ".join(answer.split()))
        left = int(match[1]) if match else None
        assert left == model.left(power), f"{power} should have {model.left(power)} left:\n{answer}"

    def message(self, model: Model, power: str) -> None:
        to = frozenset(self.dice.sample([name for name in self.powers if name != power], self.dice.randint(1, 3)))
        self.marks += 1
        mark = f"zq{self.marks:04}x"
        count = WORDS + 1 if self.dice.random() < 0.1 else self.dice.randint(1, WORDS)
        words = " ".join([mark, *(f"w{n}" for n in range(count - 1))])
        if count <= WORDS and model.may(power, 1):
            model.spent[power] += 1
            model.sent.append(Sent(power, to, mark))
        self.check(model, power, self.write(power, f"message {', '.join(sorted(to))}: {words}"))

    def intercept(self, model: Model, power: str) -> None:
        first, second = sorted(self.dice.sample([name for name in self.powers if name != power], 2))
        self._pledge(model, power, ("intercept", first, second), 2, f"intercept {first}, {second}")

    def protect(self, model: Model, power: str) -> None:
        against = self.dice.choice([name for name in self.powers if name != power])
        self._pledge(model, power, ("protect", against, ""), 1, f"protect against {against}")

    def _pledge(self, model: Model, power: str, pledge: tuple[str, str, str], cost: int, line: str) -> None:
        mine = model.pledged.setdefault(power, set())
        if pledge in mine or model.may(power, cost):
            mine.add(pledge)
        self.check(model, power, self.write(power, line))

    def none(self, model: Model, power: str) -> None:
        if self.dice.random() < 0.3:
            model.pledged[power] = set()
            self.check(model, power, self.write(power, "dips none"))

    def seen(self) -> dict[tuple[str, str], Counter[str]]:
        """(power, mark) -> in how many letters of each kind it stands, but for answers to its own writer."""
        copies: dict[tuple[str, str], Counter[str]] = {}
        for power in self.powers:
            for sent in self.stage.recorder.sent[Twins.address(power)]:
                if sent.row.letter.kind != "answer":
                    for mark in set(MARK.findall(sent.row.letter.text)):
                        copies.setdefault((power, mark), Counter())[sent.row.letter.kind] += 1
        return copies


@pytest.mark.parametrize("seed", range(3))
def test_every_copy_is_explained_and_none_is_missing(services: Services, library: Library, seed: int) -> None:
    table = Diplomacy(services, library.variant("fin-de-siecle"), seed)
    wanted: dict[tuple[str, str], Counter[str]] = {}
    overheard = 0
    for _ in range(TURNS):
        model = table.play()
        for sent in model.sent:
            for power in sent.to:
                wanted.setdefault((power, sent.mark), Counter())["press"] += 1
            for power in model.overheard(sent):
                wanted.setdefault((power, sent.mark), Counter())["results"] += 1
                overheard += 1
    assert table.seen() == wanted
    assert len({mark for _, mark in wanted}) > TURNS * 10
    assert overheard
