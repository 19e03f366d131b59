"""Orders and commands that a letter's untaken lines would mean, until their writer says YES.

They are stored as a question: its code names them all, its `inbox` is the letter they are made of. They wait as long as
the writer's sheet names that letter as the last one with orders.
"""

from __future__ import annotations

import json
from datetime import datetime

from msgspec import Struct

from gm.game.model.ports import Store
from gm.game.model.records import Game, Question, Seat, Sheet
from gm.game.model.services import Services

PROPOSALS = "orders"
"""The kind of question that YES answers."""
CODE_LENGTH = 8


class Proposals(Struct, frozen=True):
    """`lines` are (power, canonical order line); the power is "" for the writer's own. `remaining`: lines of the letter
    that still need a correction when these are taken. `requests`: the lines of the commands that its sentences mean.
    `settles` are lines of the letter that need no correction when these commands are taken. `language`: theirs.
    `snapshot`: the one that had opened the phase (0: not known).
    """

    code: str
    phase: str
    lines: tuple[tuple[str, str], ...]
    remaining: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    settles: tuple[str, ...] = ()
    language: str = ""
    snapshot: int = 0

    @classmethod
    def of(cls, question: Question) -> Proposals:
        stored = json.loads(question.payload)
        lines = tuple((power, text) for power, text in stored["lines"])
        requests, settles = (tuple(stored.get(key, ())) for key in ("requests", "settles"))
        language = stored.get("language", "")
        snapshot = stored.get("snapshot", 0)
        return cls(
            question.code, stored["phase"], lines, tuple(stored["remaining"]), requests, settles, language, snapshot
        )

    def question(self, seat: Seat, letter: int, at: datetime) -> Question:
        """As stored; `letter` is the id of the letter that they are made of."""
        stored = {name: getattr(self, name) for name in self.__struct_fields__ if name != "code"}
        payload = json.dumps(stored, ensure_ascii=False)
        return Question(self.code, PROPOSALS, seat.game, seat.id, letter, payload, at)


def proposals_code(services: Services, letter: int, seat: int = 0) -> str:
    """The code of all proposals that are made of the letter with this id; `seat`: of its part for that seat, where
    other parts have some as well.
    """
    return services.post.code(PROPOSALS, f"{letter}:{seat}" if seat else str(letter))[:CODE_LENGTH]


def code_of_part(services: Services, store: Store, letter: int, seat: int) -> str:
    """The code of the proposals for a seat that are, or will be, made of the letter with this id."""
    other = find_proposals(store, proposals_code(services, letter))
    return proposals_code(services, letter, seat if other is not None and other.seat != seat else 0)


def find_proposals(store: Store, code: str) -> Question | None:
    question = store.turns.question(code)
    return question if question is not None and question.kind == PROPOSALS else None


def proposals_for(services: Services, store: Store, letter: int, seat: int) -> Question | None:
    """The proposals for a seat that are made of the letter with this id."""
    return find_proposals(store, code_of_part(services, store, letter, seat))


def own_proposals(services: Services, store: Store, sheet: Sheet | None, seat: Seat) -> Question | None:
    """The proposals of the last letter with orders, answered or not; `sheet` is the seat's own."""
    return proposals_for(services, store, sheet.inbox, seat.id) if sheet is not None else None


def open_proposals(
    services: Services, store: Store, game: Game, phase: str, sheet: Sheet | None, seat: Seat
) -> tuple[Question, ...]:
    """The seat's proposals of a phase that wait for a YES, the oldest first; `sheet` is the seat's own in that phase.

    Orders wait only for the last letter with orders, and not where they are on the sheet; commands until a later
    proposal holds them as well.
    """
    mine = (each for each in store.turns.questions_of(game.id, PROPOSALS) if each.seat == seat.id)
    asked = sorted(mine, key=lambda each: (each.at, each.inbox))
    waiting = [each for each in asked if not each.answered and Proposals.of(each).phase == phase]
    opened = _last_opened(store, game.id, phase) if waiting else 0
    waiting = [each for each in waiting if not 0 < Proposals.of(each).snapshot < opened]
    own = waiting_proposals(services, store, sheet, seat)
    current = [each for each in waiting if not Proposals.of(each).lines or (own and own.code == each.code)]
    requests = [frozenset(Proposals.of(each).requests) for each in current]
    repeated = (any(held <= later for later in requests[at + 1 :]) for at, held in enumerate(requests))
    return tuple(each for each, again in zip(current, repeated, strict=True) if Proposals.of(each).lines or not again)


def is_undone(store: Store, question: Question) -> bool:
    """Whether the phase of the proposals was left since, and opened again by a rollback."""
    proposals = Proposals.of(question)
    return proposals.snapshot > 0 and proposals.snapshot < _last_opened(store, question.game, proposals.phase)


def _last_opened(store: Store, game: int, phase: str) -> int:
    """The snapshot that opened a phase the last time, also after changes by hand; 0 for one that never was open."""
    known = list(store.turns.snapshots(game))
    while known and known[-1].phase != phase:
        known.pop()
    opened = 0
    while known and known[-1].phase == phase:
        opened = known.pop().id
    return opened


def waiting_proposals(services: Services, store: Store, sheet: Sheet | None, seat: Seat) -> Proposals | None:
    """None where nothing waits for a YES: a sheet that has all its lines already is as it would be."""
    question = own_proposals(services, store, sheet, seat)
    if sheet is None or question is None or question.answered or not sheet.open_questions:
        return None
    if is_undone(store, question):
        return None
    proposals = Proposals.of(question)
    same = {text for _, text in proposals.lines} == {line.text for line in sheet.lines}
    own = all(power in ("", seat.power) for power, _ in proposals.lines)
    return None if same and own and not proposals.requests else proposals
