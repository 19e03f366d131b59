"""Writes positions, events and submissions as JSON for the store, and reads them back without loss.

A value of a class is an object whose "is" is the class's name in `STORED`; fields that equal their default are left
out. Tuples are lists, sets are {"set": [...]}. A board is stored only where its borders differ from the variant's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from gm.judge.board import board
from gm.judge.board.board import Board
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.dips import dip_orders as pledges
from gm.judge.mechanics.dips import interception as intercepts
from gm.judge.mechanics.influence import bid_orders as bidding
from gm.judge.mechanics.moving_borders import border_events as aftermath
from gm.judge.mechanics.moving_borders import border_orders
from gm.judge.mechanics.wings import wing_events as reports
from gm.judge.mechanics.wings import wing_orders as orders
from gm.judge.model import events, position, press
from gm.judge.model import orders as statements
from gm.judge.model import sheets as steps
from gm.judge.model.events import Event
from gm.judge.model.orders import Entry
from gm.judge.model.position import Dislodged, Ending, LedgerKey, Position, Unit
from gm.judge.model.sheets import Decree, ResolvedStep, Submissions
from gm.judge.model.struct_fields import defaults
from gm.judge.model.variant import Variant
from gm.language.formats.json_borders import board_from_json, borders_to_json

STORED: Mapping[str, type[Any]] = {
    "Place": board.Place,
    "Location": board.Location,
    "Unit": position.Unit,
    "Dislodged": position.Dislodged,
    "Ending": position.Ending,
    "UnitRef": statements.UnitRef,
    "Hold": statements.Hold,
    "Move": statements.Move,
    "Support": statements.Support,
    "Convoy": statements.Convoy,
    "Retreat": statements.Retreat,
    "Disband": statements.Disband,
    "Build": statements.Build,
    "Waive": statements.Waive,
    "Allocate": statements.Allocate,
    "NoPoints": statements.NoPoints,
    "Passage": statements.Passage,
    "Preferences": statements.Preferences,
    "Bid": bidding.Bid,
    "PartBid": bidding.PartBid,
    "NoBids": bidding.NoBids,
    "BoxFilled": bidding.BoxFilled,
    "BoxNumbers": bidding.BoxNumbers,
    "ControlWon": bidding.ControlWon,
    "Belligerent": bidding.Belligerent,
    "ControlPassed": bidding.ControlPassed,
    "Voted": bidding.CoalitionVote,
    "Release": border_orders.Release,
    "Separation": border_orders.Separation,
    "NoEvent": border_orders.NoEvent,
    "Placement": border_orders.Placement,
    "DipSupport": pledges.DipSupport,
    "InterceptMail": pledges.InterceptMail,
    "Protect": pledges.Protect,
    "NoDips": pledges.NoDips,
    "Bomb": orders.Bomb,
    "Intercept": orders.Intercept,
    "Message": press.Message,
    "Entry": statements.Entry,
    "Decree": steps.Decree,
    "Outcome": events.Outcome,
    "Cause": events.Cause,
    "OrderResult": events.OrderResult,
    "Dislodgement": events.Dislodgement,
    "CentresCounted": events.CentresCounted,
    "StalemateNears": events.StalemateNears,
    "DrawOffered": events.DrawOffered,
    "GameEnded": events.GameEnded,
    "Allocated": events.Allocated,
    "PointsOutcome": events.PointsOutcome,
    "Dismissed": events.Dismissed,
    "Garrisoned": events.Garrisoned,
    "PowerCollapsed": events.PowerCollapsed,
    "DipsCounted": events.DipsCounted,
    "WindowCounted": events.WindowCounted,
    "PowerExcluded": events.PowerExcluded,
    "PositionEdited": events.PositionEdited,
    "Bombed": reports.Bombed,
    "Rode": reports.Rode,
    "BaseLost": reports.BaseLost,
    "Copy": intercepts.InterceptedCopy,
    "Intercepted": intercepts.Intercepted,
    "Stretch": aftermath.BorderStretch,
    "CoastTold": aftermath.CoastDescription,
    "BordersMoved": aftermath.BordersMoved,
    "CoastsChanged": aftermath.CoastsChanged,
    "BordersNumbered": aftermath.BordersNumbered,
    "SideBySide": aftermath.SideBySide,
    "FleetMoved": aftermath.FleetMoved,
    "NeighboursChanged": aftermath.NeighboursChanged,
    "LinesKept": aftermath.LinesKept,
}
"""Every class that a document can hold, by its stored name. The names are those of databases and
backups that exist: a class may be renamed, the name that is stored may not. Fields are stored by their names too.
"""


PLAIN = frozenset({str, int, float, bool, type(None)})


class _Form(NamedTuple):
    """How a class is stored: under which name, and its fields with their defaults and the classes of these."""

    name: str
    fields: tuple[tuple[str, object, type], ...]
    is_enum: bool

    @classmethod
    def of(cls, kind: type[Any], name: str) -> _Form:
        fields = tuple((field, default, type(default)) for field, default in defaults(kind).items())
        return cls(name, fields, issubclass(kind, Enum))


NAMED_OFTEN = frozenset({board.Place, board.Location, position.Unit, statements.UnitRef})
_FORMS = {cls: _Form.of(cls, name) for name, cls in STORED.items()}
_CLASSES = dict(STORED)


def register(cls: type[Any]) -> type[Any]:
    """Make a variant's own statement or event storable, under the name of its class. Also usable as a decorator.

    ValueError where another class of ours is stored under that name.
    """
    if cls in STORED.values():
        return cls
    name = cls.__name__
    if name in STORED:
        raise ValueError(f"class {name} needs another name: ours of that name is stored already")
    _FORMS[cls] = _Form.of(cls, name)
    _CLASSES[name] = cls
    return cls


def position_to_text(here: Position, variant: Variant) -> str:
    return _dump(
        _board_to_json(here, variant)
        | {
            "year": here.year,
            "at": here.at,
            "units": _encode(here.units),
            "centres": dict(here.centres),
            "dislodged": _encode(here.dislodged),
            "before": dict(here.before),
            "ledger": [[*key, amount] for key, amount in here.ledger.items()],
            "seed": here.seed,
            "ended": _encode(here.ended),
        }
        | ({"humans": here.humans} if here.humans else {})
        | ({"ahead": {power: _encode(entries) for power, entries in here.ahead.items()}} if here.ahead else {})
    )


@lru_cache(maxsize=64)
def position_from_text(text: str, variant: Variant) -> Position:
    """The last ones are kept: every letter about a phase begins with reading its position."""
    stored = json.loads(text)
    units: tuple[Unit, ...] = _decode(stored["units"])
    dislodged: tuple[Dislodged, ...] = _decode(stored["dislodged"])
    ended: Ending | None = _decode(stored["ended"])
    return Position(
        year=stored["year"],
        at=stored["at"],
        board=_board_from_json(stored, variant),
        units=units,
        centres=stored["centres"],
        dislodged=dislodged,
        before=stored["before"],
        ledger={LedgerKey(*key): amount for *key, amount in stored["ledger"]},
        seed=stored["seed"],
        ended=ended,
        humans=tuple(tuple(group) for group in stored.get("humans", ())),
        ahead={power: _decode(entries) for power, entries in stored.get("ahead", {}).items()},
    )


def _board_to_json(here: Position, variant: Variant) -> dict[str, Any]:
    """The fields of a board whose borders differ from the variant's."""
    if here.board is variant.start.board or here.board == variant.start.board:
        return {}
    if not isinstance(here.board, PlanarBoard):
        raise TypeError("only a board whose borders can be moved is stored with a position")
    return {"borders": borders_to_json(here.board), "stranded": sorted(here.board.stranded)}


def _board_from_json(stored: Mapping[str, Any], variant: Variant) -> Board:
    own = variant.start.board
    if "borders" not in stored or not isinstance(own, PlanarBoard):
        return own
    return board_from_json(own, stored["borders"], stored["stranded"])


def events_to_text(legs: Sequence[ResolvedStep]) -> str:
    return _dump([{"phase": leg.phase, "events": _encode(leg.turn.events)} for leg in legs])


@lru_cache(maxsize=16)
def events_from_text(text: str) -> tuple[tuple[str, tuple[Event, ...]], ...]:
    """(phase name, events) per resolved step; the name is "" for a silent one."""
    return tuple((leg["phase"], _decode(leg["events"])) for leg in json.loads(text))


def book_to_text(book: Submissions) -> str:
    sheets = [[author, power, _encode(entries)] for (author, power), entries in book.sheets.items()]
    return _dump({"sheets": sheets, "journal": _encode(book.journal), "decrees": _encode(book.decrees)})


def book_from_text(text: str) -> Submissions:
    stored = json.loads(text)
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for author, power, entries in stored["sheets"]:
        sheets[author, power] = _decode(entries)
    decrees: tuple[Decree, ...] = _decode(stored["decrees"])
    return Submissions(sheets, _decode(stored["journal"]), decrees)


def _dump(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _encode(value: object) -> object:
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind in NAMED_OFTEN:
        return _encoded(value)
    form = _FORMS.get(kind)
    if form is not None:
        return _fields(form, value)
    if isinstance(value, frozenset):
        return {"set": sorted(str(item) for item in value)}
    if isinstance(value, tuple | list):
        return [_encode(item) for item in value]
    if isinstance(value, str | int | float):
        return value
    raise TypeError(f"{type(value).__name__} cannot be stored; register it in stored_values.STORED")


def _fields(form: _Form, value: object) -> dict[str, object]:
    if form.is_enum:
        return {"is": form.name, "value": value.value}  # type: ignore[attr-defined]
    fields: dict[str, object] = {"is": form.name}
    for field, default, of_default in form.fields:
        item = getattr(value, field)
        of_item = type(item)
        if of_item is not of_default or item != default:
            fields[field] = item if of_item in PLAIN else _encode(item)
    return fields


@lru_cache(maxsize=4096)
def _encoded(value: object) -> dict[str, object]:
    """Kept only for speed: the events of a turn name the same units and places. Nobody changes what this returns."""
    return _fields(_FORMS[type(value)], value)


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_decode(item) for item in value)
    if not isinstance(value, dict):
        return value
    if "set" in value:
        return frozenset(value["set"])
    cls = _CLASSES[value["is"]]
    if issubclass(cls, Enum):
        return cls(value["value"])
    return cls(**{name: _decode(item) for name, item in value.items() if name != "is"})
