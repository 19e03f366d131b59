"""Borders as data: province -> boundary components, each the clockwise list of its neighbours.

    {"Por": [["MAO"]], "MAO": [["Por"], ["NAO", "Ire", …]], …}

Lists name no border, yet they say which is which (`gm.judge.board.rotation`). Boards that were read are remembered,
the last
few of each opening board, so that what was made ready for one serves whenever its borders come again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from gm.judge.board.board import Board
from gm.judge.board.planar_board import PlanarBoard

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
