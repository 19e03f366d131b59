"""Bids in words: "5 on Poland and the rest on Hungary", "half of it to Spain, a third to Turkey", "all on Finland"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.bids_on_file import (
    all_bids,
    bids_before,
    bids_kept,
    bids_moved,
    bids_turned,
    bids_without,
    line_of,
    minor_at,
    old_points,
    points_freed,
    with_near_minors,
)
from gm.language.prose.guesses.bids_raised import bids_raised, frees_points, with_topic
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import REFUSED, Flaw, Guess

SHARES = {"HALF": Fraction(1, 2), "THIRD": Fraction(1, 3), "TWO_THIRDS": Fraction(2, 3), "QUARTER": Fraction(1, 4)}
ALIKE = {"SAME": 1, "DOUBLE": 2}
"""Times the amount before."""
BID_AMOUNTS = frozenset({"NUMBER", "REST", "EVERYTHING", "MOST", "FREED", *SHARES, *ALIKE})
REPEATED = frozenset({"EVERYTHING", "MOST", *SHARES})
"""Types of amounts that people say as a number as well: "the maximum on Finland, which is twelve"."""
RAISED = re.compile(r"\+\d")
"""A bid that is raised: beside it "-1" lowers another one."""


class ShareOfPoints(NamedTuple):
    amount: Token
    minor: str
    backs: str = ""

    @property
    def is_none(self) -> bool:
        """No bid; but with none of the new points the old ones may support somebody."""
        return self.amount.value == "0" and not self.backs


def guess_bids(clause: Clause) -> Guess | None:
    if compares_bids(clause) or _names_other_power(clause):
        return REFUSED
    clause, rounded = _counted(with_topic(clause)), "ALL_BUT" in clause.types
    guess = _bids(clause)
    if guess in (None, REFUSED) and (near := with_near_minors(clause)) is not clause:
        guess, rounded = _bids(near), True
    return replace(guess, certain=False) if guess is not None and rounded else guess


def _names_other_power(clause: Clause) -> bool:
    """ "5 on Finland to support France - no, Russia": whether a sentence with one amount ends with another power."""
    tokens = [token for token in clause.tokens if token.type != "BID"]
    powers = [token for token in tokens if token.type == "NATION" and not minor_at(clause, token)]
    if not clause.is_sentence or len(clause.of(*BID_AMOUNTS)) != 1 or len({power.value for power in powers}) <= 1:
        return False
    apart = tokens[-2].type in ("SEP", "COLON", "NONE")
    return apart and tokens[-1] is powers[-1] and powers[-1].value != clause.context.power


def compares_bids(clause: Clause) -> bool:
    """ "One more than Germany on Poland": what others bid is known to nobody."""
    return "COMPARED" in clause.types


def _counted(clause: Clause) -> Clause:
    """With numbers for "all but two", "Poland nothing", and a name for "no, five" behind the only bid of the letter."""
    tokens: list[Token] = []
    for token in clause.tokens:
        before = tokens[-1] if tokens else None
        if token.type == "NUMBER" and before is not None and before.type == "ALL_BUT":
            del tokens[-1]
            rest = clause.purse.amount - int(token.value) if str(token.value).isdigit() else 0
            token = token._replace(value=str(max(rest, 0)))
        elif token.type == "NONE" and before is not None and before.type in NAMES:
            token = token._replace(type="NUMBER", value="0")
        elif token.type == "NUMBER" and _is_added(clause, token, tokens):
            name, sign = tokens[-2:]
            raised = clause.text[: token.start_pos].endswith("+")
            tokens[-2:] = [token, sign._replace(type="MORE" if raised else "LESS"), name]
            continue
        tokens.append(token)
    written = clause.written(Bid)
    numbers = [token for token in tokens if token.type not in ("SEP", "NONE", "IPS")]
    if clause.memory.corrects and len(written) == 1 and [token.type for token in numbers] == ["NUMBER"]:
        end = len(clause.text)
        tokens = [*numbers, Token("NATION", written[0].minor, end, end)]
    return replace(clause, tokens=tokens)


def _is_added(clause: Clause, number: Token, before: Sequence[Token]) -> bool:
    """Whether a number is written "+2" behind a name, where bids stand that it may raise; or "-2" beside such ones."""
    beside = clause.text[: number.start_pos]
    lowers = beside.endswith("-") and (RAISED.search(clause.text) or "MORE" in clause.types)
    if not (beside.endswith("+") or lowers) or not bids_before(clause):
        return False
    return len(before) > 1 and before[-2].type in NAMES and before[-1].type not in NAMES


def _bids(clause: Clause) -> Guess | None:
    if changed := _changed(clause):
        return changed
    if beside := _beside_others(clause):
        return beside
    clause = _without_purse(clause)
    items = _items(clause)
    if items is None and (helped := _with_support(clause)):
        guess = _bids(helped)
        return replace(guess, certain=False) if guess is not None else None
    if items and "FREED" in clause.types:
        return bids_turned(clause, [(item.minor, _points(clause, item.amount, 0), item.backs) for item in items])
    if not items:
        amounts, minors = len(_amounts(clause)), len(list(filter(None, _named(clause))))
        split = "FREED" in clause.types and clause.is_sentence and 0 < amounts < minors  # "its six I split between …"
        return REFUSED if split or ("EACH" not in clause.types and amounts > minors) else None
    before = {bid.minor: bid for bid in clause.written(Bid)}
    dropped = bids_without(clause, [item.minor for item in items if item.is_none])
    items = [item for item in items if not item.is_none]
    if not items:
        return dropped or Guess((), clause.is_known)
    rest = next((at for at, item in enumerate(items) if item.amount.type == "REST"), -1)
    if rest >= 0 and (clause.memory.is_doubted or rest < len(items) - 1):
        return None
    kept: dict[str, Bid] = {}
    if (rest == 0 and not before) or any(not bid.points for bid in before.values()):
        named = {*before, *(item.minor for item in items)}  # "the rest on Finland", "drop Spain, nine on Finland"
        kept = {bid.minor: bid for bid in clause.on_file(Bid) if bid.minor not in named}
    lines = [line_of(bid.minor, bid.points, bid.backs) for bid in kept.values()]
    again = {item.minor for item in items if clause.memory.corrects or _says_again(item, before)}
    stay = [bid.points for bid in (*before.values(), *kept.values()) if bid.minor not in again]
    left = clause.purse.amount - sum(stay)
    for item in items:
        points = _points(clause, item.amount, left)
        if points is None or not (points > 0 or item.backs) or points > left:
            overspends = points is not None and clause.is_sentence and len(items) > 1
            return REFUSED if overspends else None  # no part of it counts by itself
        left -= points
        if points > clause.purse.most:
            return clause.guess([line_of(item.minor, clause.purse.most, item.backs)], certain=False)
        lines.append(line_of(item.minor, points, item.backs))
    certain = (rest != 0 or bool(before or kept)) and not (rest >= 0 and clause.memory.has_passed_over)
    if dropped is None:
        return clause.guess(lines, certain=certain)
    guess = clause.guess([*lines, *dropped.lines], certain=certain)
    return replace(guess, withdrawn=dropped.withdrawn) if guess is not None else None


def _beside_others(clause: Clause) -> Guess | None:
    """ "3 on Austria and the rest on Poland": points for what is no minor power are asked about, the others taken."""
    names, amounts = [name for name in clause.of(*NAMES) if name.value != clause.context.power], _amounts(clause)
    pairs = list(zip(amounts, names, strict=False))
    others = [(amount, name) for amount, name in pairs if not minor_at(clause, name)]
    numbers = {id(amount): _points(clause, amount, 0) for amount, _ in pairs if amount.type == "NUMBER"}
    places = {name.type for _, name in others} == {"PLACE"}  # "where Italy has put 5" is about a player
    if not places or "SUPPORT" in clause.types or len(names) != len(amounts):
        return None
    if any(id(amount) not in numbers for amount, _ in others):
        return None
    flaws = tuple(
        Flaw(f"bid {clause.text[name.start_pos : name.end_pos]} {numbers[id(amount)]}", *name.span)
        for amount, name in others
    )
    left = clause.purse.amount - sum(filter(None, numbers.values()))
    gone = {id(token) for pair in others for token in pair}
    rest = [
        token._replace(type="NUMBER", value=str(left)) if token.type == "REST" else token
        for token in clause.tokens
        if id(token) not in gone
    ]
    guess = _bids(replace(clause, tokens=rest)) if len(others) < len(pairs) else Guess((), certain=True)
    return replace(guess, flaws=flaws) if guess is not None else None


def _with_support(clause: Clause) -> Clause | None:
    """ "I give Germany my last two in Poland": the only power that is no minor one is helped, whatever the verb."""
    powers = [token for token in clause.of("NATION") if not minor_at(clause, token)]
    if "SUPPORT" in clause.types or len(powers) != 1:
        return None
    at = clause.tokens.index(powers[0])
    if not clause.types & BID_AMOUNTS or (at and clause.tokens[at - 1].type == "WORD"):
        return None  # "two to Finland, mostly to annoy Russia"
    support = powers[0]._replace(type="SUPPORT", end_pos=powers[0].start_pos)
    return replace(clause, tokens=[*clause.tokens[:at], support, *clause.tokens[at:]])


def _says_again(item: ShareOfPoints, before: Mapping[str, Bid]) -> bool:
    """ "Spain stays at 9", where the letter has just said what becomes of the others."""
    return item.minor in before and item.amount.value == str(before[item.minor].points)


def guess_bids_taken_back(clause: Clause) -> Guess | None:
    """ "Drop Turkey": behind words that take something back."""
    minors = list(dict.fromkeys(_named(clause)))
    bids = bids_before(clause)
    amounts = {token.value for token in clause.of(*BID_AMOUNTS)}
    if clause.memory.orders and all(minors) and not set(minors) & {*bids, *(bid.minor for bid in clause.on_file(Bid))}:
        return Guess((), clause.is_known)  # the bids of the letter are others
    plain = not clause.types & {"FROM", "SUPPORT"} and amounts <= {
        str(bids[name].points) for name in minors if name in bids
    }
    return bids_without(clause, minors) if plain and minors and all(minors) else None


def _changed(clause: Clause) -> Guess | None:
    """Words that say what becomes of bids on file or in the letter; None for any others."""
    minors = list(dict.fromkeys(_named(clause)))
    numbers = [int(token.value) for token in clause.of("NUMBER") if str(token.value).isdigit()]
    types = clause.types
    of_bid = [int(number.value) for of, number in pairwise(clause.tokens) if (of.type, number.type) == ("OF", "NUMBER")]
    if len(numbers) > len(of_bid) > 0 and of_bid == [
        bid.points for name, bid in bids_before(clause).items() if name in minors[:1]
    ]:
        numbers.remove(of_bid[0])  # "two of the six on Hungary"
    written = {bid.minor for bid in clause.written(Bid)}
    others = "MORE" in types and bool(written) and not set(minors) & {*bids_before(clause)}  # "four more are for Spain"
    changes = types & {"MORE", "LESS", "BALANCE"} or frees_points(clause)
    if changes and bids_before(clause) and not others:
        return bids_raised(clause) or REFUSED
    if changes and not bids_before(clause) and ("LESS" in types or clause.memory.of_earlier_turn):
        return REFUSED  # "as yesterday, only two more on Poland"
    several = len(minors) > len((FROM, TO)) or len(clause.of("FROM")) > 1
    if types & {"MOVED", "TAKEN", "FROM"} and several and len(numbers) > 1 and "KEPT" not in types:
        return bids_raised(clause) or REFUSED
    if types & {"MOVED", "TAKEN", "FROM"} and len(minors) == len((FROM, TO)) and all(minors):
        return bids_moved(clause, *_directed(clause, minors), numbers)
    if types & {"TAKEN", "FROM"} and len(minors) == 1:
        bids = bids_before(clause)
        points = bids[minors[0]].points if minors[0] in bids else 0
        whole = not numbers or points == numbers[0]
        if len(numbers) == 1 and 0 < numbers[0] < points:  # "the extra two come out of the Turkish pot"
            lowered = replace(bids[minors[0]], points=points - numbers[0])
            return all_bids(clause, {**bids, minors[0]: lowered})
        return bids_without(clause, minors) if whole and all(minors) and clause.is_sentence else REFUSED
    if types & BID_AMOUNTS:
        last = [bid.points for bid in clause.written(Bid)[-1:]]
        those = numbers == last or ("FREED" in types and bool(last) and not points_freed(clause))
        again = "SUPPORT" in types and those and not any(minors)
        return _backing(clause, ()) if again else None  # "those five are to back Germany"
    if "SUPPORT" in types:
        return _backing(clause, [name for name in minors if name])
    if "KEPT" in types and types <= {"KEPT", *NAMES, "SEP", "BID", "ON", "FOR"}:
        return bids_kept(clause, minors)
    return None


def _backing(clause: Clause, minors: Sequence[str]) -> Guess | None:
    """ "The Polish bid supports Italy", but not "Italy supports my bid on Poland"; "(supporting Italy)"."""
    powers = [token for token in clause.of("NATION") if not minor_at(clause, token)]
    powers = [power for power in powers if power.value != clause.context.power]
    written = clause.written(Bid)
    named = minors or [bid.minor for bid in written[-1:]]
    if len(powers) != 1 or len(named) != 1:
        return None
    before = next((token for token in clause.of(*NAMES) if minor_at(clause, token)), None)
    helps = clause.of("SUPPORT")[0].start_pos <= powers[0].start_pos
    first = before is None or before.start_pos < powers[0].start_pos
    turned = first and clause.tokens[-1].type == "SUPPORT"
    bids, minor, power = bids_before(clause), named[0], str(powers[0].value)
    if helps and minors and minor not in bids and old_points(clause, minor):  # "my points in Spain support France"
        return clause.guess([line_of(minor, 0, power)], certain=False)
    if not (helps or turned) or minor not in bids or bids[minor].backs == power:
        return None
    guess = all_bids(clause, {**bids, minor: replace(bids[minor], backs=power)})
    slots = [bid.slot for bid in written if bid.minor == minor and not bid.backs]
    is_clear = helps or before is not None or bool(clause.types & BID_AMOUNTS)  # "Italy supports": what Italy does?
    certain = guess is not None and guess.certain and is_clear and bool(minors or not clause.memory.is_doubted)
    return replace(guess, withdrawn=tuple(slots), certain=certain) if guess is not None else None


FROM, TO = range(2)


def _directed(clause: Clause, minors: list[str]) -> tuple[str, str]:
    """Where points come from and where they go: "to Poland from Hungary"."""
    named = [minor_at(clause, name) for name in clause.behind_from[:1]]
    source = named[0] if named and named[0] else minors[FROM]
    return source, next(minor for minor in minors if minor != source)


def _without_purse(clause: Clause) -> Clause:
    """ "Half of my twelve": without the number of all points behind a share, and without names that no bid is for."""
    tokens: list[Token] = []
    for token in clause.tokens:
        share = next((before.type for before in reversed(tokens) if before.type != "OF"), "")
        if token.type == "NUMBER" and share in SHARES and token.value == str(clause.purse.amount):
            continue
        first = all(before.type not in BID_AMOUNTS for before in tokens)
        if token.type == "NUMBER" and first and _is_total(clause, token):
            continue
        own = token.type == "NATION" and token.value == clause.context.power
        if not own and (token.type != "PLACE" or minor_at(clause, token)):
            tokens.append(token)
    return replace(clause, tokens=tokens)


def _is_total(clause: Clause, first: Token) -> bool:
    """ "My twelve points: seven on Turkey, five on Spain": whether the numbers behind share it out."""
    behind = [token for token in clause.of(*BID_AMOUNTS) if token is not first]
    numbers = [int(token.value) for token in behind if token.type == "NUMBER" and str(token.value).isdigit()]
    in_words = len(numbers) < len(behind)  # "my twelve points: half for Poland, four for Hungary, the rest …"
    shared_out = in_words or str(sum(numbers)) == first.value
    return len(behind) > 1 and first.value == str(clause.purse.amount) and shared_out


def _amounts(clause: Clause) -> list[Token]:
    """Without the word for all before a number: "all 12"."""
    amounts = clause.of(*BID_AMOUNTS)
    return [token for token in amounts if token.type != "EVERYTHING" or len(amounts) == 1]


def _points(clause: Clause, amount: Token, left: int) -> int | None:
    """`left` after the bids before."""
    total = clause.purse.amount
    if amount.type in ("REST", "EVERYTHING"):
        return left if amount.type == "REST" or left == total else None
    if amount.type == "MOST":
        return min(clause.purse.most, total)
    if amount.type == "FREED":
        return points_freed(clause) or None
    if amount.type == "NUMBER":
        return int(amount.value) if str(amount.value).isdigit() and len(amount.value) < 4 else None
    share = SHARES.get(amount.type, Fraction()) * total
    return int(share) if share.denominator == 1 else None


def _items(clause: Clause) -> list[ShareOfPoints] | None:
    """An amount and a minor power by turns, in one and the same order; "each" gives all of them one amount."""
    amounts = len(_amounts(clause))
    if "EVENLY" in clause.types and (amounts < len((FROM, TO)) or amounts != len(clause.of(*NAMES))):
        return _even_items(clause)
    if "EACH" in clause.types:
        minors = list(dict.fromkeys(_named(clause)))
        alike = {_points(clause, token, 0): token for token in clause.of(*BID_AMOUNTS) if token.type != "FREED"}
        same = all(minors) and len(alike) == 1
        return [ShareOfPoints(amount, minor) for minor in minors for amount in alike.values()] if same else None
    if listed := _listed_apart(clause):
        return listed
    items: list[ShareOfPoints] = []
    pair = _Pair()
    tokens = _verb_first(clause)
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else None
        if token.type in ALIKE:
            if not items or items[-1].amount.type != "NUMBER":
                return None
            points = ALIKE[token.type] * int(items[-1].amount.value)
            token = token._replace(type="NUMBER", value=str(points))
        if token.type in BID_AMOUNTS:
            if items and before is items[-1].amount and (before.type, token.type) in WHOLE_NUMBERS:
                items[-1] = items[-1]._replace(amount=token)
                continue
            if items and pair == _Pair() and _repeats(clause, items[-1].amount, tokens[at:]):
                continue
            same = pair.amount is not None and _says_the_same(clause, pair.amount, token)
            if pair.amount is not None and (pair.amount.type, token.type) not in WHOLE_NUMBERS and not same:
                return None
            pair.amount = token
        elif token.type == "SUPPORT":
            pair.helps = True
            pair.is_new = _begins_bid(tokens, at)
        elif token.type in NAMES and not pair.take(token, minor_at(clause, token), items):
            return None
        if pair.amount is not None and pair.minor and not pair.helps:
            items.append(ShareOfPoints(pair.amount, pair.minor, pair.backs))
            pair = _Pair()
    return items if pair == _Pair() else None


def _listed_apart(clause: Clause) -> list[ShareOfPoints]:
    """ "5, 4 and 3 on Finland, Poland and Turkey": [] where numbers do not all stand before as many minor powers."""
    numbers, names = clause.of("NUMBER"), clause.of(*NAMES)
    minors = [minor_at(clause, name) for name in names]
    apart = len(numbers) == len(names) > 1 and numbers[-1].start_pos < names[0].start_pos
    if not apart or not all(minors) or clause.types & (BID_AMOUNTS | {"SUPPORT"}) - {"NUMBER"}:
        return []
    return [ShareOfPoints(number, minor) for number, minor in zip(numbers, minors, strict=True)]


def _even_items(clause: Clause) -> list[ShareOfPoints] | None:
    """ "Split everything evenly between Hungary and Rumania": None where the points cannot be shared so."""
    minors = list(dict.fromkeys(_named(clause)))
    amounts = clause.of(*BID_AMOUNTS)
    total = _points(clause, amounts[0], clause.purse.amount) if len(amounts) == 1 else clause.purse.amount
    if len(minors) < len((FROM, TO)) or not all(minors) or len(amounts) > 1 or not total or total % len(minors):
        return None
    share = clause.of("EVENLY")[0]._replace(type="NUMBER", value=str(total // len(minors)))
    return [ShareOfPoints(share, minor) for minor in minors]


def _repeats(clause: Clause, amount: Token, tokens: Sequence[Token]) -> bool:
    """Whether a number says an amount before it once more, or words a number: "12 on Finland, that is the maximum".
    Behind it stands another amount, or nothing.
    """
    following = next((token.type for token in tokens[1:] if token.type in BID_AMOUNTS or token.type in NAMES), "")
    left = clause.purse.amount
    same = _points(clause, tokens[0], left if tokens[0].type in REPEATED else 0) == _points(clause, amount, left)
    return bool({amount.type, tokens[0].type} & REPEATED) and same and following not in NAMES


def _says_the_same(clause: Clause, amount: Token, number: Token) -> bool:
    """ "Half of it, that is six, on Turkey"."""
    return amount.type in SHARES and _points(clause, amount, 0) == _points(clause, number, 0)


def _verb_first(clause: Clause) -> list[Token]:
    """ "Mit 3 Punkten das deutsche Gebot (in Polen) unterstützen": with the verb before the power that is helped."""
    tokens = [token for token in clause.tokens if token.type != "BID"]
    for at, token in enumerate(tokens):
        ends = at + 1 == len(tokens) or tokens[at + 1].type == "SEP"
        first = next((past for past in range(at, 0, -1) if tokens[past - 1].type not in NAMES), 0)
        powers = [
            past for past in range(first, at) if tokens[past].type == "NATION" and not minor_at(clause, tokens[past])
        ]
        if token.type == "SUPPORT" and ends and len(powers) == 1:
            tokens.insert(powers[0], tokens.pop(at))
    return tokens


def _begins_bid(tokens: Sequence[Token], at: int) -> bool:
    """Whether a support is of a bid behind it, to which a word joins it: "…, and I support Russia in Poland with 1"."""
    if not at or tokens[at - 1].type != "SEP" or len(tokens) < at + 3 or tokens[at + 2].type == "SEP":
        return False
    power, following = tokens[at + 1 : at + 3]
    return following.start_pos > power.end_pos + len("  ")


WHOLE_NUMBERS = frozenset({("EVERYTHING", "NUMBER"), ("REST", "NUMBER"), ("MOST", "NUMBER")})
"""Amounts that say a number as well: "all 12", "the remaining 6"."""


class _Pair(Struct):
    """A bid that is not complete yet. `helps`: the power that it supports comes next; `is_new`: its bid behind it."""

    amount: Token | None = None
    minor: str = ""
    backs: str = ""
    helps: bool = False
    is_new: bool = False

    def take(self, token: Token, minor: str, items: list[ShareOfPoints]) -> bool:
        """Whether the name fits here: the minor power, or whom a bid supports."""
        if self.helps and token.type == "NATION" and not minor:
            self.helps = False
            if self.amount is None and not self.minor and not self.is_new and items and not items[-1].backs:
                items[-1] = items[-1]._replace(backs=str(token.value))
            else:
                self.backs = str(token.value)
            return True
        fits = bool(minor) and not self.minor and not self.helps
        self.minor = minor if fits else self.minor
        return fits


def _named(clause: Clause) -> Iterator[str]:
    for token in clause.of(*NAMES):
        yield minor_at(clause, token)
