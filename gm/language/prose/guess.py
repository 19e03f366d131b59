"""The orders of a movement phase that the units and places of a clause allow, whatever words stand between.

"Galicia with Vienna", "vie gal bud ser", "Albania sails, with Serbia's support": where all words are known and one
legal order fits, that order is meant; else it is proposed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

from msgspec import Struct, field

from gm.judge.board.board import Place, Use
from gm.judge.mechanics.minor_powers import minor_named
from gm.judge.model.orders import Slot, Statement
from gm.judge.model.position import Unit
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.lexer import Token

AWAY = frozenset({"WITH", "BY", "FROM"})
"""Before a unit: it is the one that acts, wherever it stands in the clause."""
SUPPORTS = frozenset({"SUPPORT", "SUPPORTED"})
BACKED_BY = frozenset({"SUPPORTED", "WITH", "BY"})
"""Behind one of these units that support are listed."""
TOWARDS = frozenset({"ARROW", "TO", "MOVE"})
INTO = frozenset({"ARROW", "TO"})
DOUBTFUL = frozenset({"WORD", "TALK", "IF", "NUMBER"})
"""Token types that make an order of a movement phase uncertain."""
CODES = re.compile(r"[A-Za-z]{3,}")
"""Codes of provinces in an order."""
MOST_MENTIONS = 40

Legal = Callable[[str], tuple[str, ...]]
"""A line -> the canonical lines of its orders; () unless all of it would be obeyed."""


class Mention(Struct, frozen=True):
    """A place or a unit that a clause names. `before`: the type of the token before it; `at`: its place among the
    tokens. `unit`: the writer's own that stands there.
    """

    at: int
    name: str
    before: str
    unit: Unit | None = None
    is_unit: bool = False
    """With the kind of unit beside the place."""

    @property
    def called(self) -> str:
        return unit_called(self.unit) if self.unit is not None else self.name

    @property
    def place(self) -> str:
        """As named, or where the unit stands: "StP/sc"."""
        return self.name or self.called.rpartition(" ")[2]


class Memory(Struct):
    """What the clauses before spoke of: the last order, its unit and its goal, as text; `freed` is a unit whose order
    was taken back or corrected. `orders` are the lines of this letter by unit. `statements` are the orders of this
    letter so far, `on_file` those before it, `latest` the lines of the clause before. `is_doubted`: a clause of the
    letter was not taken; `corrects`: a word of correction stood before. `answered` is the unit of the quoted order that
    the words answer. `topic` is a place named since, in words that order nothing; `spoken_of` is the writer's unit that
    such words name. `kept` are provinces of units that the letter keeps where others must be removed. `all_hold`: the
    letter says that all units hold.
    """

    order: str = ""
    unit: str = ""
    goal: str = ""
    freed: str = ""
    orders: dict[str, str] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    is_doubted: bool = False
    has_passed_over: bool = False
    """Words that are not taken name a minor power that a bid may be for."""
    corrects: bool = False
    answered: str = ""
    on_file: tuple[Statement, ...] = ()
    latest: tuple[str, ...] = ()
    topic: str = ""
    spoken_of: str = ""
    kept: frozenset[str] = frozenset()
    all_hold: bool = False

    @property
    def place(self) -> str:
        """The province of the last order's unit; "" without one."""
        return province_of(self.unit)

    @property
    def last(self) -> str:
        """The order of a unit read last, with its sign: "A Vie H"."""
        return next((line for line in reversed(self.orders.values()) if line[:1].isupper()), "")

    def note(self, line: str) -> None:
        """Remembers an order read, "A Vie - Gal"; a line of points, "2 DP Bel: A Bel H", only as one of the letter."""
        self.topic = self.spoken_of = ""
        if not line[:1].isupper():
            self.orders[line] = line
            return
        self.orders.pop(unit_of(line), None)
        self.orders[unit_of(line)] = line
        unit, dash, goal = line.partition(" - ")
        if " S " in line or " C " in line:
            self.goal = line.rpartition(" - ")[2] if dash else self.goal
            self.order = line.partition(" C ")[2] or self.order  # "the landing" is that of the army carried
            return
        self.order, self.unit = line.removesuffix(" H"), unit.removesuffix(" H")
        self.goal = goal or self.unit.rpartition(" ")[2]

    @contextmanager
    def answering(self, line: str) -> Iterator[None]:
        """The words read meanwhile answer this order, if it is one, and need not repeat it: "make that Rum"."""
        if not line:
            yield
            return
        before = self.order, self.unit, self.goal, self.freed
        self.order, self.goal = line.removesuffix(" H"), line.partition(" - ")[2]
        self.unit = self.freed = self.answered = unit_of(line)
        yield
        self.answered = ""
        self.order, self.unit, self.goal, self.freed = before


def unit_called(unit: Unit) -> str:
    """ "A Vie"."""
    return f"{unit.kind} {unit.at.place}"


def goals_of(order: Statement) -> set[str]:
    to = getattr(order, "to", None)
    return {to.province} if isinstance(to, Place) else set()


def unit_of(line: str) -> str:
    """ "A Vie" of "A Vie - Gal"."""
    return " ".join(line.split()[:2])


def province_of(unit: str) -> str:
    """The province of "F StP/sc"; "" of no unit."""
    return unit.rpartition(" ")[2].partition("/")[0]


class Flaw(NamedTuple):
    """A line that is not legal, and the columns of the words that stand for it in the clause."""

    line: str
    start: int
    end: int


class Guess(Struct, frozen=True):
    """Canonical lines that are legal. `certain`: every word of the clause is known. `cancels` are provinces whose
    orders on file they void, `withdrawn` slots of the letter that they empty. `whole`: the clauses of the sentence
    count together or not at all. `flaws`: what else the words say that is asked about.
    """

    lines: tuple[str, ...]
    certain: bool
    cancels: tuple[str, ...] = ()
    whole: bool = False
    withdrawn: tuple[Slot, ...] = ()
    flaws: tuple[Flaw, ...] = ()


NAMING = frozenset({"KIND", "NATION", "PLACE"})
"""Tokens that may name a unit or a place."""
REFUSED = Guess((), certain=False, whole=True)
"""Of a sentence whose clauses must not be read by themselves."""


def own_units(context: LetterContext) -> tuple[Unit, ...]:
    """The units that may have orders now: where some must retreat, these alone."""
    position = context.position
    if position.dislodged and (out := dislodged_units(context)):
        return out
    if not context.controlled:
        return position.units_of(context.power)
    return tuple(unit for power in context.powers for unit in position.units_of(power))


def dislodged_units(context: LetterContext) -> tuple[Unit, ...]:
    """The writer's units that must retreat."""
    return tuple(out.unit for out in context.position.dislodged if out.unit.power in context.powers)


def mentions_of(tokens: Sequence[Token], context: LetterContext) -> list[Mention]:
    """Units and places in their order; a kind of unit alone ("the fleet") is the only unit of that kind."""
    units = own_units(context)
    every: list[Mention] = []
    at = 0
    while at < len(tokens) and len(every) < MOST_MENTIONS:
        token, before = tokens[at], tokens[at - 1].type if at else ""
        if token.type not in NAMING:
            at += 1
            continue
        types = [other.type for other in tokens[at + 1 : at + 3]]
        from_place = types in (["FROM", "PLACE"], ["OF", "PLACE"]) and token.end_pos - token.start_pos > 1
        if token.type == "KIND" and (types[:1] == ["PLACE"] or from_place):
            past = at + 1 + types.index("PLACE")  # "the fleet from Naples", "the army of Rome"
            every.append(_place(at, tokens[past], before, units, token.value))
            at = past + 1
            continue
        if token.type == "NATION" and (unit := _only_unit(token, tokens[at + 1 :], units, context)):
            every.append(Mention(at, "", before, unit))
        if token.type == "PLACE":
            behind = tokens[at + 1] if at + 1 < len(tokens) and tokens[at + 1].type == "KIND" else None
            alone = behind is not None and (at + 2 >= len(tokens) or tokens[at + 2].type != "PLACE")
            every.append(_place(at, token, before, units, behind.value if behind is not None and alone else ""))
            at += 2 if alone else 1
            continue
        if token.type == "KIND" and not _is_article(tokens, at):
            people = str(tokens[at - 1].value) if before == "NATION" else ""
            fitting = [unit for unit in units if unit.kind == token.value and _is_of(unit, people, context)]
            repeated = bool(every) and every[-1].unit in fitting  # "F Tri (fleet)"
            if len(fitting) == 1 and not repeated:
                every.append(Mention(at, "", before, fitting[0]))
        at += 1
    return every


def _is_article(tokens: Sequence[Token], at: int) -> bool:
    """Whether a letter stands beside no other word of an order, as "a" does in "Thanks a lot!"."""
    start, end = tokens[at].span
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return end - start == 1 and (behind is None or behind.type == "WORD" or behind.span[0] > end + 1)


def _only_unit(power: Token, behind: Sequence[Token], units: Sequence[Unit], context: LetterContext) -> Unit | None:
    """The only unit of a power that the writer controls, where its name stands for it: "the Hungarians march to …"."""
    theirs = [unit for unit in units if unit.power == power.value] if power.value in context.controlled else []
    here = {unit.at.province for unit in theirs}
    if any(token.type == "PLACE" and here & set(token.value.provinces) for token in behind):
        return None  # "the Poles march from Warsaw to …"
    if behind and behind[0].type == "KIND":
        return None
    return theirs[0] if len(theirs) == 1 else None


def _is_of(unit: Unit, people: str, context: LetterContext) -> bool:
    """Whether a unit is that of a power, or stands in the home of a minor one: "the Hungarian army"."""
    minor = minor_named(context.variant, people)
    return people in ("", unit.power) or (minor is not None and unit.at.province == minor.home)


def _place(at: int, token: Token, before: str, units: Sequence[Unit], kind: str) -> Mention:
    written = token.value
    there = [unit for unit in units if unit.at.province in written.provinces]
    fitting = [unit for unit in there if not kind or unit.kind == kind] or there
    codes = [unit.at.province for unit in fitting] or list(written.provinces)
    coast = f"/{written.coast}" if written.coast else ""
    return Mention(at, f"{codes[0]}{coast}", before, fitting[0] if len(fitting) == 1 else None, bool(kind))


def guess_moves(tokens: Sequence[Token], context: LetterContext, memory: Memory, legal: Legal) -> Guess | None:
    """None where no legal order or several fit."""
    alone = sum(token.type == "PLACE" for token in tokens) == 1  # "the fleet: Venice", but "F: Ank - BLA"
    arrows = [token._replace(type="ARROW") if _leads_to_goal(token, alone) else token for token in tokens]
    tokens = [token for token in arrows if token.type not in ("SEP", "PLUS")]
    mentions = _without_repeated(_without_old_goals(mentions_of(tokens, context), memory))
    owners = {context.power, *(mention.unit.power for mention in mentions if mention.unit is not None)}
    whose = [tokens[mention.at - 1] for mention in mentions if mention.unit is not None and mention.before == "NATION"]
    powers = [each for each in tokens if each.type == "NATION" and each.value not in owners and each not in whose]
    texts: list[str] = []
    for text in _texts(tokens, mentions, powers, context, memory, legal):
        if not legal(text):
            return None
        texts.append(text)
    if not texts:
        return None
    used = any(token.type in SUPPORTS for token in tokens)
    if used and any(before.type == "ARROW" and goal.type == "WORD" for before, goal in pairwise(tokens)):
        return None  # "A Mar S A Par - Burgindy" is no support of a hold
    if used and powers and tokens[0] is powers[0] and "SUPPORTED" not in {token.type for token in tokens}:
        return None  # "the Bulgarians shall support the Ukraine": it is no unit of the writer's that supports
    certain = not any(token.type in DOUBTFUL for token in tokens) and (used or not powers)
    return Guess(tuple(line for text in texts for line in legal(text)), certain)


def _without_repeated(mentions: list[Mention]) -> list[Mention]:
    """ "The army marches from Liverpool to York": Liverpool is where the army named before it stands."""
    first = mentions[0].unit if mentions else None
    return [each for each in mentions if each is mentions[0] or each.before not in ("FROM", "OF") or each.unit != first]


def _leads_to_goal(token: Token, alone: bool) -> bool:
    """Whether it may stand between a unit and its goal, which is the only place or not."""
    return token.type == "MINUS" or (alone and token.type == "SEP" and token.value == ":")


def _without_old_goals(mentions: list[Mention], memory: Memory) -> list[Mention]:
    """ "Change Vienna from Gal to Boh": the goal on file is no part of the new order."""
    old = {province for order in memory.on_file for province in goals_of(order)}
    return [mention for mention in mentions if mention.before != "FROM" or mention.name.partition("/")[0] not in old]


def _texts(
    tokens: Sequence[Token], mentions: Sequence[Mention], powers: Sequence[Token], context: LetterContext,
    memory: Memory, legal: Legal,
) -> Iterator[str]:  # fmt: skip
    kinds = {token.type for token in tokens}
    convoy = _first(tokens, {"CONVOY"} | ({"VIA"} if len(mentions) > 2 else set()))
    support = _first(tokens, SUPPORTS)
    if convoy < min(support, len(tokens)):
        helper = mentions[-1:] if support < len(tokens) and mentions and mentions[-1].at < support else []
        helping = [each for each in helper if each.before == "WITH" and each.unit is not None]  # "with Wales helping"
        yield from _convoy(mentions, helping[0].at if helping else support, context, memory, legal)
    elif support < len(tokens):  # "supports the convoyed army" is no convoy
        yield from _support(tokens, mentions, powers, context, memory, legal)
    elif "HOLD" in kinds:
        units = [unit for unit, _ in groupby(mention.unit for mention in mentions)]
        if mentions and None not in units and len(set(units)) == len(units):  # "kie … ber kie mun stay" is no list
            yield from (f"{mention.called} H" for mention in mentions)
        elif not mentions and memory.freed and memory.unit:
            yield f"{memory.unit} H"
    elif carried := _by_sea(mentions, context, legal):
        yield from carried
    else:
        yield from _moves(mentions, context, memory)


def _by_sea(mentions: Sequence[Mention], context: LetterContext, legal: Legal) -> tuple[str, ...]:
    """ "Norway gets a lift from the North Sea to London": an army, a fleet that can carry it, and a place too far away.

    () for any other words.
    """
    goals = [mention for mention in mentions[1:] if mention.before in TOWARDS]
    units = [mention.unit for mention in mentions if mention not in goals and mention.unit is not None]
    if len(mentions) != 3 or len(goals) != 1 or sorted(unit.kind for unit in units) != ["A", "F"]:
        return ()
    army, fleet = sorted(units, key=lambda unit: unit.kind)
    goal = goals[0].place.partition("/")[0]
    near = {at.province for at in context.position.board.neighbours(army.at, Use.MOVE)}
    journey = f"{unit_called(army)} - {goal}"
    lines = (journey, f"{unit_called(fleet)} C {journey}")
    return lines if goal not in near and all(legal(line) for line in lines) else ()


def _first(tokens: Sequence[Token], types: Set[str]) -> int:
    """The place of the first token of these types; behind all tokens if there is none."""
    return next((at for at, token in enumerate(tokens) if token.type in types), len(tokens))


def _moves(mentions: Sequence[Mention], context: LetterContext, memory: Memory) -> Iterator[str]:
    if len(mentions) == 1 and memory.freed and (mentions[0].unit is None or mentions[0].before in TOWARDS):
        if mentions[0].before in AWAY:
            return  # "I have a promise from Venice"
        yield f"{memory.freed} - {mentions[0].name}"
    elif len(mentions) == 2:
        first, second = mentions
        turned = second.unit is not None and (first.unit is None or second.before in AWAY)
        if second.before in ("TO", "ARROW") and context.position.standing.get(first.name.partition("/")[0]):
            turned = False  # "Venice to Trieste" is no move of Trieste
        turned |= first.before == "TO" and second.unit is not None and second.before != "TO"  # "into Venice comes Rome"
        unit, goal = (second, first) if turned else (first, second)
        both = first.unit is not None and second.unit is not None and goal.is_unit and goal.before not in TOWARDS
        if unit.unit is not None and not both:  # "the Apulian army by boat, the Ionian fleet …"
            yield f"{unit.called} - {goal.place}"
    elif len(mentions) > 2 and not len(mentions) % 2:
        pairs = list(zip(mentions[::2], mentions[1::2], strict=True))
        if all(unit.unit is not None and goal.name for unit, goal in pairs):
            yield from (f"{unit.called} - {goal.name}" for unit, goal in pairs)


def _support(
    tokens: Sequence[Token], mentions: Sequence[Mention], powers: Sequence[Token], context: LetterContext,
    memory: Memory, legal: Legal,
) -> Iterator[str]:  # fmt: skip
    """A support of a move in the same clause or the one before, or of a unit or power that the clause names."""
    word, joint = _first(tokens, SUPPORTS), _first(tokens, BACKED_BY)
    before = [mention for mention in mentions if mention.at < min(joint, word)]
    behind = [mention for mention in mentions if mention.at >= min(joint, word)]
    holds = any(token.type == "HOLD" for token in tokens[:joint])
    if joint < len(tokens) and len(before) == 1 and holds and before[0].unit is not None:
        if behind and all(mention.unit is not None for mention in behind):
            yield f"{before[0].called} H"
            yield from (f"{backer.called} S {before[0].called}" for backer in behind)
        return
    if joint < len(tokens) and len(before) == 2:
        moves = list(_moves(before, context, memory))
        if moves and behind and all(mention.unit is not None for mention in behind):
            yield from moves
            yield from (f"{backer.called} S {moves[0]}" for backer in behind)
        return
    if joint < len(tokens) and not before and len(behind) > 1 and behind[-1].before == "HOLD":
        if all(mention.unit is not None for mention in behind):  # "with the help of Con Bulgaria holds"
            yield f"{behind[-1].called} H"
            yield from (f"{backer.called} S {behind[-1].called}" for backer in behind[:-1])
        return
    if joint < word and len(before) == 1 and len(behind) > 1 and not holds and behind[-1].before not in AWAY:
        moves = list(_moves([before[0], behind[-1]], context, memory))  # "greift mit Unterstützung aus Serbien … an"
        if moves and all(mention.unit is not None for mention in behind[:-1]):
            yield from moves
            yield from (f"{backer.called} S {moves[0]}" for backer in behind[:-1])
            return
    acting = before or [mention for mention in behind if mention.before in AWAY or joint < len(tokens)]
    backers = list(takewhile(lambda mention: mention.unit is not None, acting))
    objects = [mention for mention in mentions if mention not in backers]
    if joint < len(tokens) and not before and len(behind) > 1 and behind[-1].before in AWAY:
        backers, objects = [behind[-1]], behind[:-1]
    if joint == len(tokens) and not behind and len(before) > 2 and before[-1].before in INTO:
        backers, objects = before[:-2], before[-2:]  # "Serbien soll Budapest nach Rumänien unterstützen"
    for backer in backers:
        choices = list(dict.fromkeys(_objects(objects, powers, context, memory, backer, legal)))
        if len(choices) == 1:
            yield choices[0]


def _objects(
    objects: Sequence[Mention], powers: Sequence[Token], context: LetterContext, memory: Memory, backer: Mention,
    legal: Legal,
) -> Iterator[str]:  # fmt: skip
    start = f"{backer.called} S"
    if len(objects) == 1 and objects[0].unit is backer.unit and backer.unit is not None:
        yield f"{backer.called} H"  # "the fleet guards Trieste", where it stands
        return
    if not objects:
        if memory.order and not powers:
            yield f"{start} {without_coast(memory.order)}"
        elif len(powers) == 1 and (held := _held_by(powers[0], context)):
            yield f"{start} {held}"
        return
    goal = objects[-1].name
    if powers:
        owners = {token.value for token in powers}
        theirs = [unit for unit in context.position.units if unit.power in owners]
        lines = [f"{start} {unit_called(unit)}" for unit in theirs if unit.at.province == goal]
        if not (lines and objects[-1].before == "HOLD"):  # "the defence of Burgundy"
            lines += [f"{start} {unit_called(unit)} - {goal}" for unit in theirs]
        yield from (line for line in lines if legal(line))
    elif len(objects) == 2:
        yield f"{start} {objects[0].called} - {objects[1].place}"
    elif memory.goal and memory.goal.partition("/")[0] == goal:
        yield f"{start} {without_coast(memory.order)}"
    elif len(objects) > 1:
        return  # "Ukraine helps Warsaw into Galicia Sev to Rumania"
    elif objects[0].before not in INTO and context.position.standing.get(objects[0].place.partition("/")[0]):
        yield f"{start} {objects[0].called}"


def _held_by(power: Token, context: LetterContext) -> str:
    """ "Istanbul supports the Bulgarians": the unit of a minor power that never moves; "" of any other power."""
    minor = minor_named(context.variant, str(power.value))
    units = [unit for unit in context.position.units if unit.power == power.value]
    return unit_called(units[0]) if minor is not None and not minor.homes and len(units) == 1 else ""


def without_coast(order: str) -> str:
    """A support names no coast of the goal."""
    unit, dash, goal = order.partition(" - ")
    return f"{unit}{dash}{goal.partition('/')[0]}"


def _convoy(
    mentions: Sequence[Mention], support: int, context: LetterContext, memory: Memory, legal: Legal
) -> Iterator[str]:
    """An army, its goal, and the fleets named; without any, the only fleet of the writer that can carry it. The units
    from the token at `support` on support the army.
    """
    backers = [mention for mention in mentions if mention.at >= support]
    mentions = [mention for mention in mentions if mention.at < support]
    goals = [mention for mention in mentions if mention.unit is None]
    if not goals:  # "is convoyed by the North Sea into Holland", which moves on
        goals = [mention for mention in mentions[-1:] if len(mentions) > 2 and mention.before in INTO]
    fleets = [mention for mention in mentions if mention.unit is not None and mention.unit.kind == "F"]
    armies = [mention for mention in mentions if mention.unit is not None and mention.unit.kind != "F"]
    fleets, armies = ([each for each in units if each not in goals] for units in (fleets, armies))
    carriers = [fleet.called for fleet in fleets]
    if carriers and not armies and not goals and memory.order.startswith("A ") and " - " in memory.order:
        yield from (f"{fleet} C {memory.order.removesuffix(' VIA')}" for fleet in carriers)
        return
    if len(armies) != 1 or len(goals) != 1:
        return
    journey = f"{armies[0].called} - {goals[0].place}"
    if not carriers:
        own = [unit_called(unit) for unit in own_units(context) if unit.kind == "F"]
        carriers = [fleet for fleet in own if legal(f"{fleet} C {journey}")]
        if len(carriers) != 1:
            return
    yield journey
    yield from (f"{fleet} C {journey}" for fleet in carriers)
    yield from (f"{backer.called} S {journey}" for backer in backers)
