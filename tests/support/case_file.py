"""Cases of play as data: what tests/cases/*.case hold, read and written.

    variant youngstown omsk_fleets=false    (for the cases below; Standard where it is left out)
    case 6.D.1 Supported hold can prevent dislodgement
    note  Any words.
    edition 1971            (the rulebook; the variant's own where it is left out)
    phase F1901M            (S1901M where it is left out)
    start                   (all units of the variant's start; others stand beside them or in their place)
    unit  England F Lon     (a unit that no line orders, or that is ordered wrongly)
    owns  Germany Ber Kie   (who owns which centres; as at the start where it is left out)
    retreat Italy A Vie by A Tri: Boh Tyr
    ledger still 2          (an account: purse, power and subject if any, amount; - for no power, _ for a blank)
    decree A Pic succeeds
    act civil disorder: Italy   (what the game master does before)
    humans Chile, Great Britain (powers that one human plays)
    Austria                 (orders; their units are on the board as written, unless a `unit` line says otherwise)
      A Tri - Ven           => bounced held by A Ven 2:2
      A Vie                 => no order, succeeds
      W Vie bomb Gal        (so do wings, and `W Vie intercept (Gal, Boh)`)
      bid Poland 5          => succeeds     (bids, and `allow passage Wal - IFS for France`)
      2 DP Spain: A Spa H   => followed     (points, or why not; what a minor's unit did stands under its name)
      3 dips support A Vie hold => succeeds     (a unit with another number stands as F NAT#2)
    Poland                  (below a minor power: its one controller's word, where there is such a one)
    Germany/Poland          (the word of one of several who control it: followed or outvoted)
      A War - Sil           => outvoted
    rule England Remove A Lvp => no order, succeeds removed-by-rule     (what the rules ordered)
    then                    (all units afterwards)
      Austria A Tri, A Vie
      retreat Italy A Ven by A Tri: Apu Rom Tus
    account IP Germany Poland 5         (an account of the ledger after the whole walk; 0 where there is none)
    event StalemateNears 2 3    (an event of the walk: its class and fields; all of the classes that a case names)
    borders MAO: Por | NAO Ire IRI ENG Bre Gas Spa WES NAf Out     (afterwards: a province's boundaries, each clockwise
                                                                  from anywhere, in any order)
    coasts Bre: MAO ENG | MAO        (afterwards: the seas of each coast, in any order; nothing: no coast)
    reaches F Bre/ENG: ENG MAO Pic Por    (afterwards: where such a unit could move; a coast by any of its names)
    next F1901R
    phase F1901R            (and so on from there, without a new `case`; phases between pass without orders)

Behind => stand the outcome, the key of its cause, the units that caused it (`by A Ven`), the strengths in whole or half
units (2:1½), the supports that counted (`with A Tyr`), the seas of a convoy (`over ION`), `dislodged by A Mun 2:1`; a
case need not say all of it: what it says must hold, and an outcome must be said for every order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.paths import CASES

from gm.judge.board.board import AIR, GROUND, Place
from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, NoDips, Protect
from gm.judge.mechanics.influence.bid_orders import Bid, NoBids, PartBid
from gm.judge.mechanics.moving_borders.border_orders import Event, NoEvent, Placement, Release, Separation
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import (
    Allocate,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Passage,
    Retreat,
    Statement,
    Support,
    UnitRef,
    Waive,
)
from gm.judge.model.position import LedgerKey

COMMENT = re.compile(r"(?:^|\s)#(?!\d).*")
HEADS = (
    "note",
    "edition",
    "phase",
    "unit",
    "owns",
    "retreat",
    "ledger",
    "decree",
    "rule",
    "then",
    "event",
    "start",
    "act",
    "account",
    "next",
    "over",
    "humans",
    "borders",
    "coasts",
    "reaches",
)


@dataclass
class Line:
    power: str
    text: str
    expected: str
    place: str


@dataclass
class Case:
    id: str
    title: str
    place: str
    variant: str = "standard"
    options: dict[str, str] = field(default_factory=dict)
    phase: str = "S1901M"
    lines: list[Line] = field(default_factory=list)
    units: list[tuple[str, str]] = field(default_factory=list)
    whole: bool = False
    acts: list[tuple[str, str]] = field(default_factory=list)
    owns: dict[str, list[str]] = field(default_factory=dict)
    retreats: list[str] = field(default_factory=list)
    decrees: list[tuple[str, str]] = field(default_factory=list)
    ledger: list[tuple[LedgerKey, int]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    accounts: list[tuple[LedgerKey, int]] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    then: list[str] = field(default_factory=list)
    next: str = ""
    over: str = ""
    edition: str = ""
    humans: list[tuple[str, ...]] = field(default_factory=list)
    map: list[tuple[str, str, str]] = field(default_factory=list)
    earlier: Case | None = None


def cases() -> Iterator[Case]:
    for path in sorted(CASES.glob("*.case")):
        yield from read(path)


def read(path: Path) -> list[Case]:
    collected: list[Case] = []
    power = ""
    after = False
    variant: dict[str, Any] = {}
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = COMMENT.sub("", raw).rstrip()
        place = f"{path.name}:{number}"
        if not line.strip():
            continue
        word, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        indented = line[0].isspace()
        if word == "variant":
            name, *chosen = rest.split()
            variant = {"variant": name, "options": dict(option.split("=") for option in chosen)}
        elif word == "case":
            name, _, title = rest.partition(" ")
            collected.append(Case(name, title, place, **variant))
            power, after = "", False
        elif after and indented:
            collected[-1].then.append(line.strip())
        elif word == "phase" and (collected[-1].lines or collected[-1].map):
            collected.append(
                Case(
                    collected[-1].id,
                    collected[-1].title,
                    place,
                    **variant,
                    phase=rest,
                    earlier=collected[-1],
                    whole=collected[-1].whole,
                    edition=collected[-1].edition,
                )
            )
            power, after = "", False
        elif not indented and word in HEADS:
            after = word == "then"
            _head(collected[-1], word, rest)
        elif not indented:
            power, after = line.strip(), False
            assert all(name[0].isupper() for name in power.split()), f"{place}: {line}"
        else:
            text, _, expected = line.partition("=>")
            collected[-1].lines.append(Line(power, text.strip(), expected.strip(), place))
    return collected


def _head(case: Case, word: str, rest: str) -> None:
    if word == "unit":
        power, kind, where = rest.rsplit(" ", 2)
        case.units.append((power, f"{kind} {where}"))
    elif word == "start":
        case.whole = True
    elif word == "act":
        name, _, power = rest.partition(": ")
        case.acts.append((name, power))
    elif word == "owns":
        power, *codes = rest.split()
        case.owns[power.replace("_", " ")] = codes
    elif word == "humans":
        case.humans.append(tuple(sorted(country.strip() for country in rest.split(","))))
    elif word == "rule":
        case.rules.append(rest)
    elif word == "retreat":
        case.retreats.append(rest)
    elif word in ("ledger", "account"):
        *account, amount = ("" if word == "-" else word.replace("_", " ") for word in rest.split())
        entries = case.ledger if word == "ledger" else case.accounts
        entries.append((LedgerKey(*account, *[""] * (2 - len(account))), int(amount)))
    elif word in ("borders", "coasts", "reaches"):
        of, _, what = rest.partition(":")
        case.map.append((word, of, what.strip()))
    elif word == "event":
        case.events.append(rest)
    elif word == "decree":
        unit, _, outcome = rest.rpartition(" ")
        case.decrees.append((unit, outcome))
    elif word in ("phase", "next", "over", "edition"):
        setattr(case, word, rest)


UNIT = r"([A-Z]) (\w+(?:/\w+)?(?:#\d+)?)"


def place(text: str) -> Place:
    province, _, coast = text.partition("/")
    return Place(province, coast)


def ref(text: str) -> UnitRef:
    """ "F NAT#2", "Great Britain A LON"."""
    *power, kind, where = text.split(" ")
    named, _, number = where.partition("#")
    return UnitRef(kind, place(named), int(number or 0), " ".join(power))


def pledge(text: str) -> Statement | None:
    """Lines about dips."""
    if text == "dips none":
        return NoDips()
    if match := re.fullmatch(r"intercept ([\w -]+), ([\w -]+)", text):
        return InterceptMail(match[1], match[2])
    if match := re.fullmatch(r"protect against ([\w -]+)", text):
        return Protect(match[1])
    if match := re.fullmatch(r"(\d+) dips support (.*?)(?: hold| - (\S+))", text):
        return DipSupport(int(match[1]), ref(match[2]), place(match[3]) if match[3] else None)
    return None


PAIR = r"(\w+) & (\w+)"
WHICH = r"(?: #(\d+))?(?: near (\w+))?"


def upheaval(text: str) -> Event | NoEvent | Placement | None:
    """Events on the map and placements; None for anything else."""
    if text == "Seismic none":
        return NoEvent()
    if match := re.fullmatch(rf"{PAIR} separate, {PAIR} connect{WHICH}", text):
        return Separation((match[1], match[2]), (match[3], match[4]), int(match[5] or 0), match[6] or "")
    if match := re.fullmatch(rf"{PAIR} connect{WHICH}", text):
        return Release((match[1], match[2]), int(match[3] or 0), match[4] or "")
    if match := re.fullmatch(r"(?:If (.+): )?(\w \S+) coast (.+)", text):
        given = upheaval(match[1]) if match[1] else None
        assert not isinstance(given, NoEvent | Placement)
        return Placement(ref(match[2]), tuple(match[3].split(", ")), given)
    return None


def statement(text: str, phase: str) -> Statement | None:
    """The canonical form only; None for a unit by itself (no order)."""
    if phase.endswith("U"):
        return Build(ref(text))
    if special := pledge(text) or upheaval(text):
        return special
    if text.startswith("Build "):
        return Build(ref(text[6:]), AIR if text.startswith("Build W ") else GROUND)
    if text.startswith("Remove "):
        return Disband(ref(text[7:]))
    if text.startswith("Waive"):
        return Waive(int(text[6:]) if text[6:] else None)
    if bought := re.fullmatch(r"(\d+) DP ([\w ]+): (.*)", text):
        order = statement(bought[3], phase)
        assert order is not None, text
        return Allocate(int(bought[1]), bought[2], order)
    if text == "bid none":
        return NoBids()
    if bid := re.fullmatch(r"bid (\w+) (\d+)(?: support (\w+)(?: with (\d+))?)?", text):
        whole = Bid(bid[1], int(bid[2]), bid[3] or "")
        return PartBid(whole.minor, whole.points, whole.backs, int(bid[4])) if bid[4] else whole
    if leave := re.fullmatch(r"allow passage(?: (\w+)(?: - (\w+))?)?(?: for (\w+))?", text):
        return Passage(tuple(code for code in leave.groups()[:2] if code), leave[3] or "")
    match = re.fullmatch(rf"{UNIT}(?: (.*))?", text)
    assert match, text
    unit, rest = ref(f"{match[1]} {match[2]}"), match[3] or ""
    if not rest:
        return None
    if rest in ("H", "D"):
        return Hold(unit) if rest == "H" else Disband(unit)
    if rest.startswith("- "):
        *legs, last = rest[2:].removesuffix(" VIA").split(" - ")
        if phase.endswith(("R", "Q")):
            return Retreat(unit, place(last))
        return Move(unit, place(last), rest.endswith(" VIA"), tuple(legs))
    if rest.startswith("bomb "):
        return Bomb(unit, rest[5:])
    if listed := re.fullmatch(r"intercept(?: \((.*)\))?", rest):
        return Intercept(unit, tuple(listed[1].split(", ")) if listed[1] else ())
    helped = re.fullmatch(rf"([SC]) ((?:[A-Z][\w-]+ )*{UNIT})(?: - (\S+))?", rest)
    assert helped, text
    target = ref(helped[2])
    to = place(helped[5]) if helped[5] else None
    if helped[1] == "C":
        assert to is not None, text
        return Convoy(unit, target, to)
    return Support(unit, target, to)
