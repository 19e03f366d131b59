"""Units and places that words name, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gm.judge.mechanics.minor_powers import minor_named
from gm.judge.model.position import Unit
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.lexer import Token

AWAY = frozenset({"WITH", "BY", "FROM"})
"""Before a unit: it is the one that acts, wherever it stands in the clause."""
TOWARDS = frozenset({"ARROW", "TO", "MOVE"})
INTO = frozenset({"ARROW", "TO"})
MOST_MENTIONS = 40
LONGEST_GAP = len(" (")
"""Characters between a place and the kind of unit there: no article."""


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


def unit_called(unit: Unit) -> str:
    """ "A Vie"."""
    return f"{unit.kind} {unit.at.place}"


def homes_of_minors(context: LetterContext) -> frozenset[str]:
    """The home provinces of the variant's minor powers."""
    return frozenset(home for minor in context.variant.minors for home in minor.homes)


NAMING = frozenset({"KIND", "NATION", "PLACE"})
"""Tokens that may name a unit or a place."""


def mentions_of(tokens: Sequence[Token], context: LetterContext) -> list[Mention]:
    """Units and places in their order; a kind of unit alone ("the fleet") is the only unit of that kind."""
    units = context.own_units
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
            every.append(_place(at, tokens[past], before, context, token.value))
            at = past + 1
            continue
        if token.type == "NATION" and (unit := _only_unit(token, tokens[at + 1 :], units, context)):
            every.append(Mention(at, "", before, unit))
        if token.type == "PLACE":
            kind = _kind_behind(tokens, at, units)
            every.append(_place(at, token, before, context, kind))
            at += 2 if kind else 1
            continue
        if token.type == "KIND" and not _is_article(tokens, at):
            people = str(tokens[at - 1].value) if before == "NATION" else ""
            fitting = [unit for unit in units if unit.kind == token.value and _is_of(unit, people, context)]
            repeated = bool(every) and every[-1].unit in fitting  # "F Tri (fleet)"
            if len(fitting) == 1 and not repeated:
                every.append(Mention(at, "", before, fitting[0]))
        at += 1
    return every


def _kind_behind(tokens: Sequence[Token], at: int, units: Sequence[Unit]) -> str:
    """The kind of unit behind a place that it belongs to, "Trieste (fleet)"; "" of another unit: "… to Munich fleet
    holds", "to the North Sea the army goes …".
    """
    place, behind = tokens[at], [each.type for each in tokens[at + 1 : at + 3]]
    if behind[:1] != ["KIND"] or behind[1:] == ["PLACE"] or tokens[at + 1].span[0] - place.span[1] > LONGEST_GAP:
        return ""
    kinds = {unit.kind for unit in units if unit.at.province in place.value.provinces}
    is_goal = not kinds and at > 0 and tokens[at - 1].type in INTO
    if is_goal and len(behind) > 1:  # "… to Serbia fleet holds"
        return ""
    return str(tokens[at + 1].value) if not kinds or tokens[at + 1].value in kinds else ""


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


def _place(at: int, token: Token, before: str, context: LetterContext, kind: str) -> Mention:
    """A kind may be a slip for another one of its layer: "the Liverpool wing" is no army there."""
    written, kinds = token.value, context.variant.kinds
    there = [unit for unit in context.own_units if unit.at.province in written.provinces]
    layer = [unit for unit in there if kind not in kinds or kinds[unit.kind].layer == kinds[kind].layer]
    fitting = [unit for unit in layer if unit.kind == kind] or layer
    codes = [unit.at.province for unit in fitting] or list(written.provinces)
    coast = f"/{written.coast}" if written.coast else ""
    return Mention(at, f"{codes[0]}{coast}", before, fitting[0] if len(fitting) == 1 else None, bool(kind))


def is_named_last(goal: Sequence[Token], before: Sequence[Token], context: LetterContext) -> bool:
    """Whether no other place is named behind a goal, but where the writer's units stand: "Vienna to Galicia. Forget
    Serbia. …".
    """
    own = {unit.at.province for unit in context.own_units}
    goals = {code for token in goal if token.type == "PLACE" for code in token.value.provinces}
    named = [{*token.value.provinces} for token in before if token.type == "PLACE"]
    return bool(goals & next((each for each in reversed(named) if goals & each or not own & each), goals))
