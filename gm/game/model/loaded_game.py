"""`LoadedGame`: a game with its variant, position and seats, as they are in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model import missing_order_policy
from gm.game.model.observer_records import OBSERVER, OBSERVER_SEATS, OUTSIDE
from gm.game.model.ports import Store
from gm.game.model.proxy_loans import Lines, ProxyLoan, loans
from gm.game.model.recipient import variant_of
from gm.game.model.records import MASTER, Game, GameState, Seat, Sheet, SheetLine, Snapshot
from gm.game.model.services import Services
from gm.game.model.settings import HOLD_STILL, GameSettings, plain_names
from gm.judge.model.position import Position
from gm.judge.model.variant import Step, Variant
from gm.kept_property import kept_property
from gm.language.formats.stored_values import position_from_text
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.phase_names import MOVES


class PlayerNames(Struct):
    """The names by which a game's players and game masters may be addressed, loaded at the first call. Kept only for
    speed: few letters need them.
    """

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


class LoadedGame(Struct, frozen=True, dict=True):
    """While the game is forming, `snapshot` is None and `position` the variant's start.

    `zone` is the server's, for games without one.
    """

    game: Game
    variant: Variant
    position: Position
    snapshot: Snapshot | None
    seats: tuple[Seat, ...]
    zone: str = "UTC"
    observers: tuple[Seat, ...] = ()
    """Seats of present observers who have no other seat in the game."""
    people: Callable[[], Mapping[str, tuple[str, ...]]] = dict
    """The powers of those who are called by a name, as `PlayerNames` has them."""
    loans: tuple[ProxyLoan, ...] = ()
    """Units that another player orders in the open phase; drafts that do not count lend nothing."""

    @kept_property
    def settings(self) -> GameSettings:
        return GameSettings.of(self.game, self.variant, self.zone)

    @kept_property
    def step(self) -> Step:
        return self.variant.step(self.position)

    @property
    def running(self) -> bool:
        return self.game.state is GameState.RUNNING

    @property
    def begun(self) -> bool:
        """Whether the players have had their first letters."""
        return self.game.state is not GameState.FORMING

    @property
    def anonymous(self) -> bool:
        """Whether only game masters may know who plays what now."""
        return self.settings.anonymous.hides(self.game.state)

    def seat_of(self, power: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.power == power), None)

    def plays(self, person: int) -> bool:
        return any(seat.person == person for seat in self.power_seats)

    @property
    def power_seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.power != MASTER)

    @property
    def taken_seats(self) -> tuple[Seat, ...]:
        """Powers with a player."""
        return tuple(seat for seat in self.power_seats if seat.person is not None)

    @property
    def unplayed(self) -> frozenset[str]:
        """The powers that nobody plays."""
        return frozenset(seat.power for seat in self.power_seats) - {seat.power for seat in self.taken_seats}

    @property
    def vacant_seats(self) -> tuple[Seat, ...]:
        """Powers that anybody may ask to play: without a player, or open to a substitute."""
        return tuple(seat for seat in self.power_seats if (seat.person is None or seat.open) and not seat.dummy)

    @property
    def masters(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.power == MASTER)

    @property
    def manned(self) -> tuple[Seat, ...]:
        """Seats with a person, game masters' included."""
        return tuple(seat for seat in self.seats if seat.person is not None)

    @property
    def public(self) -> tuple[Seat, ...]:
        """Seats that get a notice to all."""
        return (*self.manned, *self.watchers())

    def watchers(self, *, results_only: bool = False) -> tuple[Seat, ...]:
        """Observers who get notices; with `results_only` also those who get nothing but results."""
        return tuple(observer for observer in self.observers if results_only or observer.power == OBSERVER)

    def context(self, power: str, any_unit: bool = False, language: str = "") -> LetterContext:
        """How letters of this seat are read; a game master's own holds no orders. No language: for lines of a sheet."""
        key = power, any_unit, language
        context = self._contexts.get(key)
        if context is None:
            context = self._contexts[key] = self._context(*key)
        return context

    @kept_property
    def _contexts(self) -> dict[tuple[str, bool, str], LetterContext]:
        """Only for speed: a letter asks for its own several times."""
        return {}

    def _context(self, power: str, any_unit: bool, language: str) -> LetterContext:
        variant = localized(self.variant, language)
        if power == MASTER:
            forming = self.game.state is GameState.FORMING and bool(self.game.id)
            return LetterContext(
                variant, self.position, master=True, plain_settings=plain_names(), forming=forming, people=self.people
            )
        if power in OBSERVER_SEATS:
            return LetterContext(variant, self.position, plain_settings=plain_names(), people=self.people)
        lent = tuple((loan.owner, loan.slot) for loan in self.loans if loan.holder == power)
        return LetterContext(
            variant,
            self.position,
            power,
            any_unit=any_unit,
            controlled=self.controlled(power),
            lent=lent,
            illegal=self.settings.illegal_orders == HOLD_STILL,
            plain_settings=plain_names(),
            people=self.people,
        )

    def lenders(self, power: str) -> tuple[str, ...]:
        """Powers that have lent units to this power in the open phase."""
        return tuple(dict.fromkeys(loan.owner for loan in self.loans if loan.holder == power))

    def counted(self, sheet: Sheet) -> tuple[SheetLine, ...]:
        """The lines that would count if the phase ended now."""
        return missing_order_policy.counted_lines(self.game, self.settings, sheet) if sheet.preliminary else sheet.lines

    def lent_by(self, lines: Lines) -> tuple[ProxyLoan, ...]:
        """The loans on these sheets; none if the phase or the setting `proxy` allows none."""
        lends = self.running and self.step.letter == MOVES and self.settings.proxy
        return loans(self.position, lines) if lends else ()

    def lent_with(self, author: str, power: str, lines: tuple[SheetLine, ...]) -> tuple[ProxyLoan, ...]:
        """The loans of a power if this author's sheet for it holds these lines."""
        return self.lent_by({(author, power): lines}) if author == power else self.loans

    def controlled(self, power: str) -> tuple[str, ...]:
        """Powers without a seat whose sheets this power's player writes in the open phase."""
        return self.step.controlled(self.position, self.variant, power) if self.position.ended is None else ()


def stored_position(store: Store, snapshot: int, variant: Variant) -> Position:
    return position_from_text(store.turns.snapshot(snapshot).position, variant)


def load_game(services: Services, store: Store, game: Game) -> LoadedGame:
    variant, seats = variant_of(services, game), store.games.seats(game.id)
    snapshot = store.turns.snapshot(game.snapshot) if game.snapshot else None
    position = with_humans(variant.start if snapshot is None else position_from_text(snapshot.position, variant), seats)
    loaded_game = LoadedGame(game, variant, position, snapshot, seats, services.zone)
    settings = loaded_game.settings
    observers = _observers(store, loaded_game) if settings.observers else ()
    people = PlayerNames(store, game.id, seats, loaded_game.anonymous)
    loans = _loans(store, loaded_game) if settings.proxy else ()
    return replace(loaded_game, observers=observers, people=people, loans=loans)


def _loans(store: Store, loaded_game: LoadedGame) -> tuple[ProxyLoan, ...]:
    sheets = store.turns.sheets(loaded_game.game.id, loaded_game.game.snapshot) if loaded_game.running else ()
    return loaded_game.lent_by({(sheet.author, sheet.power): loaded_game.counted(sheet) for sheet in sheets})


def _observers(store: Store, loaded_game: LoadedGame) -> tuple[Seat, ...]:
    seated = {seat.person for seat in loaded_game.seats}
    chairs = store.games.observer_seats(loaded_game.game.id)
    return tuple(
        chair
        for chair in chairs
        if chair.power not in OUTSIDE and chair.person is not None and chair.person not in seated
    )


def with_humans(position: Position, seats: Collection[Seat]) -> Position:
    """The position with `humans`: the groups of powers that one person plays."""
    if position.humans == () and len({seat.person for seat in seats}) == len(seats):  # fast path
        return position
    played: dict[int, list[str]] = {}
    for seat in seats:
        if seat.power != MASTER and seat.person is not None:
            played.setdefault(seat.person, []).append(seat.power)
    humans = tuple(sorted(tuple(sorted(powers)) for powers in played.values() if len(powers) > 1))
    return position if humans == position.humans else replace(position, humans=humans)


def power_named(variant: Variant, name: str) -> str | None:
    """The power with this name, alias or letter, ignoring case; also the game master's seat."""
    wanted = " ".join(name.split()).casefold()
    if wanted in ("gm", "master", "game master"):
        return MASTER
    for power in variant.powers:
        if wanted in {power.name.casefold(), *(alias.casefold() for alias in power.aliases)}:
            return power.name
    return next((power.name for power in variant.powers if power.letter.casefold() == wanted), None)


def _by_name(store: Store, seats: Iterable[Seat]) -> Mapping[str, tuple[str, ...]]:
    names: dict[str, dict[str, None]] = {}
    for seat in seats:
        if seat.person is not None:
            words = clean(store.people.get(seat.person).name).text.lower().split()
            for name in (" ".join(words), *words[:1]):
                names.setdefault(name, {})[seat.power] = None
    return {name: tuple(powers) for name, powers in names.items() if name}
