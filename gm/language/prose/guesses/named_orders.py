"""The orders of a movement phase that the units and places of a clause allow, whatever words stand between.

"Galicia with Vienna", "vie gal bud ser", "Albania sails, with Serbia's support": where all words are known and one
legal order fits, that order is meant; else it is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import groupby, pairwise, takewhile

from gm.judge.board.board import Use
from gm.judge.mechanics.minor_powers import minor_named
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.guess import Flaw, Guess, Legal
from gm.language.prose.memory import Memory, goals_of
from gm.language.prose.mentions import AWAY, INTO, TOWARDS, Mention, mentions_of, unit_called
from gm.language.prose.phrases.word_lists import word_lists

SUPPORTS = frozenset({"SUPPORT", "SUPPORTED"})
PASSIVE = ["SUPPORTED", "BY"]
WITH_HELP = ["WITH", "PLACE", "SUPPORT"]
OF_WHOM = frozenset({"FROM", "OF", "BY"})
BACKED_BY = frozenset({"SUPPORTED", "WITH", "BY"})
"""Behind one of these units that support are listed."""
UNITS_AND_HELP = frozenset({"PLACE", "KIND", "OF", "SEP", "SUPPORT"})
"""Token types of a clause that says which unit supports which."""
FOR = frozenset({"for", "für", "fur"})
DOUBTFUL = frozenset({"WORD", "TALK", "IF", "NUMBER"})
"""Token types that make an order of a movement phase uncertain."""


def guess_moves(tokens: Sequence[Token], context: LetterContext, memory: Memory, legal: Legal) -> Guess | None:
    """None where no legal order or several fit."""
    guess = _guess_moves(tokens, context, memory, legal)
    turned = _with_verb_between(tokens, context) if guess is None else ()
    return _guess_moves(turned, context, memory, legal) if turned else guess


def _with_verb_between(tokens: Sequence[Token], context: LetterContext) -> Sequence[Token]:
    """ "Wien soll Galizien unterstützen": as if the verb stood behind the first of two units; () for other words."""
    last = tokens[-1] if tokens else None
    mentions = mentions_of(tokens, context)
    units = [mention.unit for mention in mentions]
    types = [token.type for token in tokens]
    if last is None or last.type != "SUPPORT" or len(mentions) != 2 or None in units or units[0] == units[1]:
        return ()
    at = mentions[1].at
    others = {token.type for token in tokens if token.value not in context.controlled} - UNITS_AND_HELP
    if others or types.count("SUPPORT") > 1 or "SEP" in types[mentions[0].at : at]:
        return ()
    return [*tokens[:at], last, *tokens[at:-1]]


def _guess_moves(tokens: Sequence[Token], context: LetterContext, memory: Memory, legal: Legal) -> Guess | None:
    alone = sum(token.type == "PLACE" for token in tokens) == 1  # "the fleet: Venice", but "F: Ank - BLA"
    arrows = [token._replace(type="ARROW") if _leads_to_goal(token, alone) else token for token in tokens]
    tokens = [token for token in arrows if token.type not in ("SEP", "PLUS")]
    mentions = _without_repeated(_without_old_goals(mentions_of(tokens, context), memory))
    owners = {context.power, *(mention.unit.power for mention in mentions if mention.unit is not None)}
    whose = [tokens[mention.at - 1] for mention in mentions if mention.unit is not None and mention.before == "NATION"]
    powers = [each for each in tokens if each.type == "NATION" and each.value not in owners and each not in whose]
    if listed := _listed_partly(tokens, mentions, context, memory, legal):
        return listed
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
    known = _is_goal_for_unit(tokens, mentions) if memory.corrects else False
    certain = known or (not any(token.type in DOUBTFUL for token in tokens) and (used or not powers))
    return Guess(tuple(line for text in texts for line in legal(text)), certain)


def _is_goal_for_unit(tokens: Sequence[Token], mentions: Sequence[Mention]) -> bool:
    """ "Make that Piedmont for Marseilles"."""
    goes = len(mentions) == 2 and mentions[0].unit is None and mentions[1].unit is not None
    return goes and [token.type for token in tokens] == ["PLACE", "TALK", "PLACE"] and tokens[1].value in FOR


def guess_wished_support(tokens: Sequence[Token], context: LetterContext, legal: Legal) -> Guess | None:
    """ "Bul-Ser S Gre": no unit moves and supports; the move is likely, with the support of the unit behind it, or with
    a wish for that of another power.
    """
    tokens = [token._replace(type="ARROW") if token.type == "MINUS" else token for token in tokens]
    tokens = [token for token in tokens if token.type not in ("SEP", "PLUS")]
    mentions = mentions_of(tokens, context)
    word = _first(tokens, {"SUPPORT"})
    if len(mentions) <= 2 or not _goes_before(mentions, word) or _first(tokens, BACKED_BY) < len(tokens):
        return None
    move = f"{mentions[0].called} - {mentions[1].place}"
    helps = [f"{mention.called} S {without_coast(move)}" for mention in mentions[2:] if mention.unit is not None]
    texts = [text for text in (move, *helps) if legal(text)]
    return Guess(tuple(line for text in texts for line in legal(text)), certain=False) if legal(move) else None


def _goes_before(mentions: Sequence[Mention], word: int) -> bool:
    """Whether a unit and where it goes, and nothing else, stand before the token at `word`, and names behind it."""
    at = [mention.at < word for mention in mentions]
    goes = mentions[0].unit is not None and mentions[1].before in INTO if len(mentions) > 2 else False
    return goes and at[:3] == [True, True, False]


def _listed_partly(
    tokens: Sequence[Token], mentions: Sequence[Mention], context: LetterContext, memory: Memory, legal: Legal
) -> Guess | None:
    """ "vie gal bud rum tri ven": units and goals in turn, of which some cannot be reached, and are asked about."""
    if any(token.type != "PLACE" for token in tokens) or len(mentions) <= 2:
        return None
    texts = list(_moves(mentions, context, memory))
    good = [text for text in texts if legal(text)]
    bad = [
        Flaw(text, tokens[goal.at].start_pos, tokens[goal.at].end_pos)
        for text, goal in zip(texts, mentions[1::2], strict=False)
        if text not in good
    ]
    lines = tuple(line for text in good for line in legal(text))
    return Guess(lines, certain=True, flaws=tuple(bad)) if good and bad else None


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
        goes = any(mention.before in INTO for mention in mentions[1:])  # "Berlin to Munich the fleet stays"
        goes |= any(each.before == "HOLD" and each.unit != last.unit for last, each in pairwise(mentions))
        if mentions and None not in units and len(set(units)) == len(units) and not goes:  # "kie … ber kie mun stay"
            yield from (f"{mention.called} H" for mention in mentions)
        elif not mentions and memory.freed and memory.unit:
            yield f"{memory.unit} H"
    elif carried := _by_sea(mentions, context, legal):
        yield from carried
    elif not _is_for_another(tokens, mentions):
        yield from _moves(mentions, context, memory)


def _is_for_another(tokens: Sequence[Token], mentions: Sequence[Mention]) -> bool:
    """Whether words are for one unit beside another: "Smyrna holds. There is nothing for Ankara to do"."""
    both = len(mentions) == 2 and all(mention.unit is not None for mention in mentions)
    return both and tokens[mentions[1].at - 1].value in FOR


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
        standing = context.position.standing.get(first.name.partition("/")[0]) is not None
        led = first.before in INTO and first.unit is None  # "Change that to Smy - Con"
        if (second.before == "ARROW" and not led) or (second.before == "TO" and standing):
            turned = False  # "Venice to Trieste" is no move of Trieste
        goal_first = first.before == "TO" and second.unit is not None and second.before != "TO"
        turned |= goal_first and not (second.before == "ARROW" and first.unit is not None)  # "into Venice comes Rome"
        unit, goal = (second, first) if turned else (first, second)
        both = first.unit is not None and second.unit is not None and goal.is_unit and goal.before not in TOWARDS
        if unit.unit is not None and not both:  # "the Apulian army by boat, the Ionian fleet …"
            yield f"{unit.called} - {goal.place}"
    elif len(mentions) > 2 and all(mention.before == "ARROW" for mention in mentions[1:]):
        if all(mention.unit is not None for mention in mentions[:-1]):  # "Tri -> Vie -> Gal -> War", one after another
            yield from (f"{unit.called} - {goal.name}" for unit, goal in pairwise(mentions))
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
    if joint == len(tokens) and not behind and len(before) > 2 and before[-1].before not in INTO:
        return  # "Paris attacks Brest Gascony supports" is two orders
    holds = any(token.type == "HOLD" for token in tokens[:joint])
    if joint < len(tokens) and len(before) == 1 and holds and before[0].unit is not None:
        if behind and all(mention.unit is not None for mention in behind):
            yield f"{before[0].called} H"
            yield from (f"{backer.called} S {before[0].called}" for backer in behind)
        return
    if len(before) == 1 and _is_passive(tokens[joint:], behind):
        if tokens[-1].type == "HOLD" and before[0].unit is not None:
            yield f"{before[0].called} H"
        yield from _backed(before[0], behind, memory)
        return
    goes = len(behind) == 1 and behind[0].before in INTO
    ends = word == len(tokens) - 1 or goes
    if ends and len(before) > 1 and before[0].unit is not None and before[1].before in OF_WHOM:
        yield from _backed(before[0], [*before[1:], *behind], memory)  # "Wien wird von Budapest unterstützt"
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
    if joint == len(tokens) and _goes_before(mentions, word):
        return
    acting = before or [mention for mention in behind if mention.before in AWAY or joint < len(tokens)]
    backers = list(takewhile(lambda mention: mention.unit is not None, acting))
    objects = [mention for mention in mentions if mention not in backers]
    if joint < len(tokens) and not before and len(behind) > 1 and behind[-1].before in AWAY:
        backers, objects = [behind[-1]], behind[:-1]
    if joint == len(tokens) and not behind and len(before) > 2 and before[-1].before in INTO:
        backers, objects = before[:-2], before[-2:]  # "Serbien soll Budapest nach Rumänien unterstützen"
    if joint == len(tokens) and not behind and _lends(tokens, before, word_lists(context.variant.language).lending):
        backers, objects = before[:1], before[1:]  # "Munich lends Berlin its support"
    for backer in backers:
        choices = list(dict.fromkeys(_objects(objects, powers, context, memory, backer, legal)))
        if len(choices) == 1:
            yield choices[0]


def _lends(tokens: Sequence[Token], named: Sequence[Mention], verbs: Set[str]) -> bool:
    """Whether a verb of lending stands between two of the writer's units."""
    if len(named) != 2 or named[0].unit is None or named[1].at < 1:
        return False
    between = tokens[named[0].at + 1 : named[1].at]
    return any(token.type == "WORD" and str(token.value).lower() in verbs for token in between)


def _is_passive(tokens: Sequence[Token], behind: Sequence[Mention]) -> bool:
    """Whether "supported by Budapest" or "with Budapest supporting" begins, with a goal behind it or none."""
    types = [token.type for token in tokens[: len(WITH_HELP)]]
    return types[:2] == PASSIVE or (types == WITH_HELP and all(goal.before in INTO for goal in behind[1:]))


def _backed(unit: Mention, behind: Sequence[Mention], memory: Memory) -> Iterator[str]:
    """ "Vienna is supported by Budapest", "… to Galicia": the units behind support that one, in its move if any."""
    goals = [mention for mention in behind if mention.before in INTO]
    backers = [mention for mention in behind if mention not in goals]
    if unit.unit is None or len(goals) > 1 or any(backer.unit is None for backer in backers):
        return
    move = f"{unit.called} - {goals[0].place}" if goals else ""
    yield from (move,) if move else ()
    helped = move or memory.orders.get(unit.called, unit.called).removesuffix(" H")
    yield from (f"{backer.called} S {without_coast(helped)}" for backer in backers)


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
        if len(objects) > 1:  # "the English fleet from the North Sea into Belgium"
            theirs = [unit for unit in theirs if unit.at.province == objects[0].name.partition("/")[0]]
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
        own = [unit_called(unit) for unit in context.own_units if unit.kind == "F"]
        carriers = [fleet for fleet in own if legal(f"{fleet} C {journey}")]
        if len(carriers) != 1:
            return
    yield journey
    yield from (f"{fleet} C {journey}" for fleet in carriers)
    yield from (f"{backer.called} S {journey}" for backer in backers)
