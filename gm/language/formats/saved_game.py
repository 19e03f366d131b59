"""Games of other programs, for IMPORT. Each format knows its text by its content and reads it into a `SavedGame`.

What cannot be mapped raises UnreadGameError, which names a sentence of the catalogue; nothing is half read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from gm.judge.board.board import Location, Place, Use, locate
from gm.judge.model.variant import Variant
from gm.language.formats.json_borders import codes_by_name
from gm.language.formats.json_values import ExchangeError

LONGEST_QUOTE = 80
LONGEST_FILE = 8 * 1024 * 1024
"""Characters of a saved game: a file of jDip 1.6 has some millions."""
LONGEST_PAGE = 250_000
"""Characters of a page: twenty years of orders have half of that."""
MOST_ITEMS = 1_000
"""Units or centres of a position."""
TITLES = {"backstabbr": "Backstabbr", "diplomacy": "diplomacy (PyPI)", "jdip": "jDip", "webdiplomacy": "webDiplomacy"}
"""What a program is called, by its name in `Variant.elsewhere`."""


class UnreadGameError(ExchangeError):
    """`key` is a sentence `desk.import-…`, with its `fields`."""

    def __init__(self, key: str, **fields: str) -> None:
        super().__init__(key)
        self.key = key
        self.fields = {name: value[:LONGEST_QUOTE] for name, value in fields.items()}


class SavedGame(Struct, frozen=True):
    """The last position of a game, as a document of `json_position`.

    `phases` counts the phases of the file. `assumed` are keys of sentences (`import-assumed-…`) about what the file
    does not tell.
    """

    document: Mapping[str, Any]
    phases: int
    assumed: tuple[str, ...] = ()


class GameFormat(NamedTuple):
    """`program` names the program in `Variant.elsewhere` and in the sentences. `detect` returns something true for its
    texts; it looks at a text of at most `longest` characters. `read` gets the game's own position as a document, which
    a page may continue.
    """

    program: str
    detect: Callable[[str], object]
    read: Callable[[Variant, Mapping[str, Any], str], SavedGame]
    longest: int = LONGEST_FILE


def name_elsewhere(variant: Variant, program: str) -> str:
    """What the program calls the variant. Raises UnreadGameError if the program does not have it."""
    name = variant.elsewhere.get(program, "")
    if not name:
        raise UnreadGameError("program-variant", program=TITLES[program], ours=variant.title)
    return name


def check_variant(variant: Variant, program: str, theirs: str) -> None:
    """Raises UnreadGameError unless `theirs` is this variant; "Standard (6 Players)" is still Standard."""
    name = name_elsewhere(variant, program).casefold()
    given = theirs.casefold().strip()
    if given != name and not given.startswith((f"{name} (", f"{name} [")):
        raise UnreadGameError("other-variant", theirs=theirs or "?", ours=variant.title)


def checked(document: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Leave out dislodged units that may retreat nowhere: they are destroyed. With the key for `assumed`.

    Raises UnreadGameError for more units or centres than any board has.
    """
    if any(sum(map(len, document[key].values())) > MOST_ITEMS for key in ("units", "centers", "dislodged")):
        raise UnreadGameError("too-much")
    driven = {power: [item for item in items if item["retreats"]] for power, items in document["dislodged"].items()}
    gone = any(len(driven[power]) < len(items) for power, items in document["dislodged"].items())
    left = {power: items for power, items in driven.items() if items}
    return {**document, "dislodged": left}, (("destroyed",) if gone else ())


def province_of_code(unit: str) -> str:
    """ "F StP/sc" -> "StP"."""
    return unit.partition(" ")[2].partition("/")[0]


@lru_cache(maxsize=8)
def _codes(variant: Variant) -> Mapping[str, str]:
    """Only for speed: what a province may be called, in lower case."""
    return codes_by_name(variant.start.board)


def code_of(variant: Variant, name: str) -> str:
    """A province as on our map; the name itself, for the error to come, if it is unknown."""
    return _codes(variant).get(name.strip().casefold(), name)


def free_neighbours(variant: Variant, unit: str, occupied: Iterable[str], origin: str) -> list[str]:
    """Where a dislodged unit ("A Ber") may retreat if no standoff bars it: empty neighbours but the attacker's origin.

    All in codes of the variant; [] for a unit that cannot stand there.
    """
    board = variant.start.board
    code, _, place = unit.partition(" ")
    province, _, coast = place.partition("/")
    kind = variant.kinds.get(code)
    at = locate(board, kind, Place(province, coast)) if kind is not None else None
    if kind is None or at is None:
        return []
    taken = {*occupied, origin}
    ends: list[Location] = [end for end in board.neighbours(at, Use.MOVE) if kind.stands(end.slot)]
    return sorted(str(end.place) for end in ends if end.province not in taken)
