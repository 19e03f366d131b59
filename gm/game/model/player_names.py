"""The names by which a game's players and game masters may be addressed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Seat
from gm.language.i18n.normalize import clean


class PlayerNames(Struct):
    """Loads the names at the first call. Kept only for speed: few letters need them."""

    store: Store
    game: int
    seats: tuple[Seat, ...]
    anonymous: bool
    loaded: Mapping[str, tuple[str, ...]] | None = None

    def __call__(self) -> Mapping[str, tuple[str, ...]]:
        """The powers, or "GM", by whole names and first names in small letters. Players of anonymous games have none:
        what a letter with their name does would show who plays what.
        """
        if self.loaded is None:
            seats = (seat for seat in self.seats if not self.anonymous or seat.power == MASTER)
            self.store.people.read_players(self.game)
            self.loaded = _by_name(self.store, seats)
        return self.loaded


def _by_name(store: Store, seats: Iterable[Seat]) -> Mapping[str, tuple[str, ...]]:
    names: dict[str, dict[str, None]] = {}
    for seat in seats:
        if seat.person is not None:
            words = clean(store.people.get(seat.person).name).text.lower().split()
            for name in (" ".join(words), *words[:1]):
                names.setdefault(name, {})[seat.power] = None
    return {name: tuple(powers) for name, powers in names.items() if name}
