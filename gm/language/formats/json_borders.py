"""Borders as JSON: the boundaries of each province, each a clockwise list of its neighbours.

    {"Por": [["MAO"]], "MAO": [["Por"], ["NAO", "Ire", …]], …}

The lists name no border, but they identify each of them (`gm.judge.board.rotation`). The last boards that were read
are cached, so that what was computed for a board serves again when its borders come again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from gm.judge.board.board import COAST, Board
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import InvalidMap
from gm.judge.model.variant import Variant
from gm.language.formats.json_values import ExchangeError, clipped, read_list, read_object, read_text
from gm.language.i18n.place_names import words

MOST_BOARDS = 64

Told = Mapping[str, Iterable[Iterable[str]]]

_KNOWN: dict[tuple[int, str], tuple[PlanarBoard, PlanarBoard]] = {}


def borders_to_json(board: Board) -> dict[str, list[list[str]]] | None:
    """None for a board whose borders cannot be moved."""
    if not isinstance(board, PlanarBoard):
        return None
    return {code: [list(ring) for ring in rings] for code, rings in board.lists.items()}


def board_from_json(opening: PlanarBoard, borders: Told, stranded: Iterable[str] = ()) -> PlanarBoard:
    """InvalidMap (`gm.judge.board.rotation`), one line, where no map has these borders."""
    stranded = sorted(stranded)
    key = id(opening), json.dumps([{code: borders[code] for code in sorted(borders)}, stranded])
    cached = _KNOWN.pop(key, None)
    if cached is None or cached[0] is not opening:
        made = opening.with_lists(borders).with_stranded(stranded)
        cached = opening, opening if made == opening else made
        while len(_KNOWN) >= MOST_BOARDS:
            _KNOWN.pop(next(iter(_KNOWN)), None)
    _KNOWN[key] = cached
    return cached[1]


def read_board(variant: Variant, document: Mapping[str, Any]) -> Board:
    """The variant's board with the borders of the document, and slots for trapped fleets."""
    own = variant.start.board
    borders = document.get("borders")
    if not isinstance(own, PlanarBoard):
        if borders:
            raise ExchangeError(f"no borders move in {variant.title}")
        return own
    codes = codes_by_name(own)
    listed = _lists(codes, borders) if borders else own.lists
    units = document.get("units")
    fleets = {
        codes.get(words[1].casefold(), "")
        for texts in (units.values() if isinstance(units, dict) else ())
        for text in (texts if isinstance(texts, list) else ())
        if isinstance(text, str) and len(words := text.split()) == 2 and _lies_at_a_coast(variant, words[0])
    }
    try:
        board = board_from_json(own, listed)
        trapped = [code for code in fleets if code and not board.coasts.get(code)]
        return board_from_json(own, listed, trapped) if trapped else board
    except InvalidMap as error:
        raise ExchangeError(f"borders: {error}") from None


def _lies_at_a_coast(variant: Variant, code: str) -> bool:
    kind = variant.kinds.get(code.upper())
    return kind is not None and COAST in kind.terrain


def _lists(codes: Mapping[str, str], borders: object) -> Mapping[str, list[list[str]]]:
    """With the codes of the map; a province that stands in no list is an error of `board_from_json`."""
    lists: dict[str, list[list[str]]] = {}
    for name, rings in read_object(borders, "borders").items():
        read = read_list(rings, f"borders of {clipped(name)}")
        here = province_code(codes, name)
        if here in lists:
            raise ExchangeError(f"borders: {here} stands there twice")
        lists[here] = [
            [
                province_code(codes, read_text(item, f"a neighbour of {here}"))
                for item in read_list(ring, f"a boundary of {here}")
            ]
            for ring in read
        ]
        if not all(lists[here]):
            raise ExchangeError(f"borders: a boundary of {here} has no neighbours")
    return lists


def province_code(codes: Mapping[str, str], name: str) -> str:
    code = codes.get(name.strip().casefold())
    if code is None:
        raise ExchangeError(f"borders: no province {clipped(name)}")
    return code


def codes_by_name(board: Board) -> dict[str, str]:
    """What a province may be called, in lower case: its code before anybody's name, and a name before an alias; last
    its name or alias without dots and dashes.
    """
    provinces = board.provinces.values()
    codes = {plain_name(name): province.code for province in provinces for name in (*province.aliases, province.name)}
    codes |= {alias.casefold(): province.code for province in provinces for alias in province.aliases}
    codes |= {province.name.casefold(): province.code for province in provinces}
    return codes | {province.code.casefold(): province.code for province in provinces}


def plain_name(name: str) -> str:
    """ "Off-board A" -> "off board a"."""
    return " ".join(words(name))
