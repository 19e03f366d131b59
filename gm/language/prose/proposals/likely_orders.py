"""Orders that words which are not understood most likely mean: what units and places they name leave open but one.

They are only proposed, never taken: "Munich gives Paris nothing and simply stays", "the northern fleet moves out to the
Gulf of Bothnia", "pls change vienna from gal to boh".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.model.orders import Build, Move, UnitOrder
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.acts_of_wings import air_act
from gm.language.prose.guesses.adjustments_guess import guess_adjustments
from gm.language.prose.guesses.carried_along import likely_voyage
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.moving_borders_guess import PROVINCES_OF_EVENT
from gm.language.prose.guesses.named_orders import SUPPORTS, guess_moves
from gm.language.prose.guesses.plain_motion import lists_of, unknown_words
from gm.language.prose.memory import unit_of
from gm.language.prose.mentions import TOWARDS, Mention, mentions_of, unit_called

HELPS = SUPPORTS | {"CONVOY"}
SAYS_NO_PLACE = frozenset({"WORD", "TALK", "SEP", "NO"})
MORE_THAN_A_PLACE = HELPS | {"KIND", "NATION", "HOLD", "NO", "NUMBER", "POINTS"}
OF_UNIT = 2
"""Most tokens that name a unit."""
MOST_GOALS = 6
"""Places of one unit that are tried."""
Part = tuple[Mention | None, list[Mention], list[Token]]


def likely_moves(clause: Clause) -> tuple[str, ...]:
    """Canonical lines, one for each unit for which exactly one order is likely. Units with an order in the letter are
    left out.
    """
    if voyage := likely_voyage(clause):
        return voyage
    if clause.carries:
        return ()
    tokens = [token for token in clause.tokens if token.type not in ("SEP", "PLUS")]
    mentions = mentions_of(tokens, clause.context)
    lines = _lines(clause, _by_unit(tokens, mentions))
    if not lines and sum(mention.unit is not None and mention.is_unit for mention in mentions) == 1:
        places = [mention if mention.is_unit else replace(mention, unit=None) for mention in mentions]
        lines = _lines(clause, _by_unit(tokens, places))  # "the army in Liverpool is of more use in Edinburgh"
    if not lines and clause.amends:
        lines += _by_old_goal(clause, mentions)
    return tuple(dict.fromkeys(lines))


def _lines(clause: Clause, parts: Iterable[Part]) -> list[str]:
    lines: list[str] = []
    for unit, named, part in parts:
        if unit is None and (meant := clause.memory.answered or clause.memory.freed) and named:
            lines += _of_unit(clause, meant, named, part)
        elif unit is None:
            lines += _of_kind(clause, named, part)
            lines += _of_place(clause, named, part)
        elif unit.called not in clause.memory.orders:
            lines += _of_unit(clause, unit.called, named, part)
        elif clause.amends:
            lines += _other_goal(clause, unit.called, named)
    return lines


def likely_event(clause: Clause) -> tuple[str, ...]:
    """The event of four provinces named, where only one of the pairs can part and only the other can come together."""
    named = [token.value.text for token in clause.of("PLACE")]
    if len(named) != len(set(named)) or len(named) != PROVINCES_OF_EVENT:
        return ()
    first, second = f"{named[0]} & {named[1]}", f"{named[2]} & {named[3]}"
    texts = (f"{first} separate, {second} connect", f"{second} separate, {first} connect")
    events = {line for text in texts for line in clause.legal(text)}
    return tuple(events) if len(events) == 1 else ()


def likely_retreat(clause: Clause) -> tuple[str, ...]:
    """The retreat of the only dislodged unit to the only place named that it can go to: "Trieste needs it more"."""
    due = clause.context.dislodged_units
    if len(due) != 1 or "DISBAND" in clause.types:
        return ()
    places = dict.fromkeys(token.value.text for token in clause.of("PLACE"))
    lines = dict.fromkeys(line for place in places for line in clause.legal(f"{unit_called(due[0])} - {place}"))
    return tuple(lines) if len(lines) == 1 else ()


def likely_adjustments(clause: Clause) -> tuple[str, ...]:
    """The units named beside a word for removing; the only kind and place beside one for building."""
    due = clause.due
    if changed := _all_of_kind(clause):
        return changed
    if clause.types >= {"ALL", "EXCEPT"}:  # "anything but Vienna"
        guess = guess_adjustments(clause)
        return guess.lines if guess is not None else ()
    named = [mention.unit for mention in mentions_of(clause.tokens, clause.context) if mention.unit is not None]
    named = list(dict.fromkeys(named))
    excepted = [token for token in clause.of("PLACE", "KIND") if token.start_pos > _first(clause, "EXCEPT")]
    says = ("REMOVE" in clause.types or len(named) == due.removals) and not excepted
    if due.removals and says and not clause.types & {"KEEP", "NO"} and 0 < len(named) <= due.removals:
        return tuple(line for unit in named for line in clause.legal(f"Remove {unit_called(unit)}"))
    kinds, places = clause.of("KIND"), clause.of("PLACE")
    kinds = [kind for kind in kinds if kind.end_pos - kind.start_pos > 1] or kinds  # "a fleet"
    if due.builds and not clause.types & {"KEEP", "REMOVE", "NO"} and len(kinds) == 1 and len(places) == 1:
        return clause.legal(f"Build {kinds[0].value} {places[0].value.text}")
    return ()


def _first(clause: Clause, kind: str) -> int:
    """The column of the first token of this type; behind all words where there is none."""
    return next((token.start_pos for token in clause.of(kind)), len(clause.text))


def _all_of_kind(clause: Clause) -> tuple[str, ...]:
    """ "Make both of them fleets": the builds on file, each of the kind that is named, where no place is."""
    kinds = [kind for kind in clause.of("KIND") if clause.is_plural(kind)]
    builds = clause.on_file(Build)
    numbers = {str(token.value) for token in clause.of("NUMBER")}
    named = clause.types & {"PLACE", "KEEP", "REMOVE", "NO"}
    if named or len(kinds) != 1 or len(clause.of("KIND")) != 1 or numbers != {str(len(builds))}:
        return ()
    lines = [clause.legal(f"Build {kinds[0].value} {build.unit.at.province}") for build in builds]
    return tuple(line for each in lines for line in each) if all(lines) else ()


def _by_unit(tokens: Sequence[Token], mentions: Sequence[Mention]) -> Iterator[Part]:
    """The words cut where a unit of the writer's is named that nobody goes to or helps: the unit, other places, the
    tokens.
    """
    unit: Mention | None = None
    named: list[Mention] = []
    start = 0
    for mention in mentions:
        goes = any(token.type == "ARROW" for token in tokens[mention.at + 1 : mention.at + 2])  # "Ven s. Ion - Aeg"
        place = bool(mention.name) and not (mention.is_unit or goes)
        helped = unit is not None and mention.before in SUPPORTS and place
        if mention.unit is None or helped or (mention.before in TOWARDS and (unit is not None or named)):
            named.append(mention)
            continue
        if unit is not None:
            yield unit, named, list(tokens[start : mention.at])
            named, start = [], mention.at
        unit = mention
    yield unit, named, list(tokens[start:])


def _of_unit(clause: Clause, called: str, named: Sequence[Mention], part: Sequence[Token]) -> Iterator[str]:
    types = {token.type for token in part}
    if air_act(types):
        return
    if types & HELPS:
        guess = guess_moves(part, clause.context, clause.memory, clause.legal)
        if guess is None and len(named) == 1 and (helped := _helped(clause, called, named[0])):
            yield helped
            return
        goes = len(named) == 1 and "CONVOY" not in types and not named[0].is_unit  # "St Petersburg secures Finland"
        others = [token for token in part[OF_UNIT:] if token.type == "KIND" and token.end_pos > token.start_pos + 1]
        goes = goes and not others  # "escorts the army to Yorkshire"
        goes = goes and not clause.context.position.standing.get(named[0].name.partition("/")[0])
        moves = clause.legal(f"{called} - {named[0].place}") if goes and guess is None else ()
        yield from guess.lines if guess is not None else moves
        return
    places = dict.fromkeys(mention.place for mention in named[:MOST_GOALS])
    goals = [line for place in places for line in clause.legal(f"{called} - {place}")]
    goals = [line for line in goals if line not in _on_file(clause, called)]
    if len(goals) == 1 and "HOLD" not in types:
        yield goals[0]
    elif not goals and ("HOLD" in types or (not named and _does_something(clause, part))):
        yield from clause.legal(f"{called} H")


def _does_something(clause: Clause, part: Sequence[Token]) -> bool:
    """Whether words say what a unit does and name nothing else: "Apulia keeps quiet"."""
    if (part and part[0].type == "TALK") or clause.types & HELPS:
        return False  # "more about Vienna tomorrow", "Munich lends Berlin support"
    types = [token.type for token in part if token.type != "TALK"]
    unit = 2 if types[:2] in (["KIND", "PLACE"], ["PLACE", "KIND"]) else 1
    begins = types[:1] in (["KIND"], ["PLACE"]) and "WORD" in types[unit:]
    if any(token.type == "KIND" and token.end_pos - token.start_pos == 1 for token in part):
        return False  # "A Par proxy" is notation
    if {*unknown_words(clause)} & lists_of(clause).carrying:
        return False  # "Apulia boards the Ionian fleet"
    return begins and not clause.says_state and {*types[unit:]} <= SAYS_NO_PLACE


def _helped(clause: Clause, called: str, goal: Mention) -> str:
    """The support of the only move to a place, in the letter or on file: "supports the other one into Norway"."""
    on_file = (f"{order.unit} - {order.to}" for order in clause.on_file(Move))
    moves = dict.fromkeys((*clause.memory.orders.values(), *on_file))
    coming = [line for line in moves if line.partition("/")[0].endswith(f" - {goal.place}") and " S " not in line]
    lines = [line for move in coming if unit_of(move) != called for line in clause.legal(f"{called} S {move}")]
    return lines[0] if len(lines) == 1 else ""


def _other_goal(clause: Clause, called: str, named: Sequence[Mention]) -> Iterator[str]:
    """The only other goal of a unit beside that of its order in the letter: "where I wrote Serbia, read Rumania"."""
    places = dict.fromkeys(mention.place for mention in named[:MOST_GOALS])
    goals = {line for place in places for line in clause.legal(f"{called} - {place}")}
    others = goals - {clause.memory.orders[called]}
    if len(others) == 1 and len(others) < len(goals):
        yield from others


def _by_old_goal(clause: Clause, mentions: Sequence[Mention]) -> Iterator[str]:
    """ "Where it says Burgundy it ought to say Picardy": the unit is that of the only move to one of the places."""
    places = list(dict.fromkeys(mention.name for mention in mentions if mention.unit is None and mention.name))
    if len(places) != 2 or any(mention.unit is not None for mention in mentions):
        return
    for old, new in (places, places[::-1]):
        moves = {*clause.memory.orders.values(), *(f"{order.unit} - {order.to}" for order in clause.on_file(Move))}
        units = [unit_of(line) for line in moves if line.endswith(f" - {old}") and " S " not in line]
        if len(units) == 1 and not any(line.endswith(f" - {new}") for line in moves):
            yield from clause.legal(f"{units[0]} - {new}")


def _of_kind(clause: Clause, named: Sequence[Mention], part: Sequence[Token]) -> Iterator[str]:
    """ "The northern fleet moves out to the Gulf of Bothnia": the only fleet that can go there."""
    kinds = {token.value for token in part if token.type == "KIND" and token.end_pos - token.start_pos > 1}
    types = {token.type for token in part}
    regions = [mention for mention in named if mention.is_unit]  # "the Baltic fleet noses up into …"
    named = [mention for mention in named if not mention.is_unit] if len(named) == 2 and regions else named
    if len(kinds) != 1 or len(named) > 1 or types & HELPS:
        return
    free = [unit_called(unit) for unit in clause.context.own_units if unit.kind in kinds]
    free = [called for called in free if called not in clause.memory.orders]
    if named:
        lines = [line for called in free for line in clause.legal(f"{called} - {named[0].name}")]
    else:
        lines = [line for called in free if "HOLD" in types for line in clause.legal(f"{called} H")]
    if len(lines) == 1:
        yield lines[0]


def _of_place(clause: Clause, named: Sequence[Mention], part: Sequence[Token]) -> Iterator[str]:
    """ "The northern one: Gulf of Bothnia": the only unit without any order that can go there."""
    if len(named) != 1 or {token.type for token in part} & MORE_THAN_A_PLACE:
        return
    ordered = {*clause.memory.orders, *(str(order.unit) for order in clause.on_file(UnitOrder))}
    free = [called for called in map(unit_called, clause.context.own_units) if called not in ordered]
    lines = [line for called in free for line in clause.legal(f"{called} - {named[0].name}")]
    if len(lines) == 1:
        yield lines[0]


def _on_file(clause: Clause, called: str) -> set[str]:
    """The move of a unit that is on file, which words that change it name as well."""
    goals = (getattr(order, "to", None) for order in clause.on_file(UnitOrder) if str(order.unit) == called)
    return {line for goal in goals if isinstance(goal, Place) for line in clause.legal(f"{called} - {goal}")}
