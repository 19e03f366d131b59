"""`LoadedGame`: a game with its variant, position and seats, as they are in one transaction."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model import missing_order_policy
from gm.game.model.observer_records import EJECTED, OBSERVER, OBSERVER_SEATS
from gm.game.model.ports import Store
from gm.game.model.proxy_loans import MOVES, Lines, ProxyLoan, loans
from gm.game.model.recipient import variant_options
from gm.game.model.records import MASTER, Game, GameState, Seat, Sheet, SheetLine, Snapshot
from gm.game.model.services import Services
from gm.game.model.settings import GameSettings, plain_names, takes_illegal
from gm.judge.model.position import Position
from gm.judge.model.variant import Step, Variant
from gm.language.formats.stored_values import position_from_text
from gm.language.i18n.localized_variant import localized
from gm.language.lines.letter_contents import LetterContext


class LoadedGame(Struct, frozen=True):
    """`snapshot` is None, and `position` the variant's start, while the game is forming.

    `zone` is the server's, for a game that names none.
    """

    game: Game
    variant: Variant
    position: Position
    snapshot: Snapshot | None
    seats: tuple[Seat, ...]
    zone: str = "UTC"
    observers: tuple[Seat, ...] = ()
    """The chairs of those who look on now; nobody's who has a seat in the game as well."""
    loans: tuple[ProxyLoan, ...] = ()
    """Units whose orders another power's player writes in the open phase, as is on file; by a draft that does not
    count nothing is lent.
    """

    @property
    def settings(self) -> GameSettings:
        return GameSettings.of(self.game, self.variant, self.zone)

    @property
    def step(self) -> Step:
        return self.variant.step(self.position)

    @property
    def running(self) -> bool:
        return self.game.state is GameState.RUNNING

    @property
    def anonymous(self) -> bool:
        """Nobody but a game master may learn now who plays what."""
        return self.settings.anonymous.hides(self.game.state)

    def seat_of(self, power: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.power == power), None)

    @property
    def power_seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.power != MASTER)

    @property
    def masters(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.power == MASTER)

    @property
    def manned(self) -> tuple[Seat, ...]:
        """Seats somebody sits in, game masters too."""
        return tuple(seat for seat in self.seats if seat.person is not None)

    @property
    def public(self) -> tuple[Seat, ...]:
        """Everybody whom a notice to all goes to."""
        return (*self.manned, *self.watchers())

    def watchers(self, *, results_only: bool = False) -> tuple[Seat, ...]:
        """Observers whom a notice is for; with those who want nothing but results."""
        return tuple(observer for observer in self.observers if results_only or observer.power == OBSERVER)

    def context(self, power: str, any_unit: bool = False, language: str = "") -> LetterContext:
        """How a letter of this seat is read; a game master's own holds no orders. Without a language: how lines of its
        sheet are.
        """
        variant = localized(self.variant, language)
        if power == MASTER:
            return LetterContext(variant, self.position, master=True, plain_settings=plain_names())
        if power in OBSERVER_SEATS:
            return LetterContext(variant, self.position, plain_settings=plain_names())
        lent = tuple((loan.owner, loan.slot) for loan in self.loans if loan.holder == power)
        illegal, controlled = takes_illegal(self.game), self.controlled(power)
        return LetterContext(
            variant,
            self.position,
            power,
            any_unit=any_unit,
            controlled=controlled,
            lent=lent,
            illegal=illegal,
            plain_settings=plain_names(),
        )

    def lenders(self, power: str) -> tuple[str, ...]:
        """Powers some of whose units this power's player orders in the open phase."""
        return tuple(dict.fromkeys(loan.owner for loan in self.loans if loan.holder == power))

    def counted(self, sheet: Sheet) -> tuple[SheetLine, ...]:
        """What of it would be orders if the phase ended now."""
        return missing_order_policy.counted_lines(self.game, self.settings, sheet) if sheet.preliminary else sheet.lines

    def lent_by(self, lines: Lines) -> tuple[ProxyLoan, ...]:
        """What these sheets lend, if anything can be lent now: the setting may have been changed since."""
        lends = self.running and self.step.letter == MOVES and self.settings.proxy
        return loans(self.position, lines) if lends else ()

    def lent_with(self, author: str, power: str, lines: tuple[SheetLine, ...]) -> tuple[ProxyLoan, ...]:
        """What is lent of a power's units if this author's sheet for it holds these lines."""
        return self.lent_by({(author, power): lines}) if author == power else self.loans

    def controlled(self, power: str) -> tuple[str, ...]:
        """Powers without a seat whose sheets this power's player writes in the open phase."""
        return self.step.controlled(self.position, self.variant, power) if self.position.ended is None else ()


def variant_of(services: Services, game: Game) -> Variant:
    return services.variant(game.variant, variant_options(services.variant, game))


def load_game(services: Services, store: Store, game: Game) -> LoadedGame:
    variant, seats = variant_of(services, game), store.games.seats(game.id)
    snapshot = store.turns.snapshot(game.snapshot) if game.snapshot else None
    position = with_humans(variant.start if snapshot is None else position_from_text(snapshot.position, variant), seats)
    loaded_game = LoadedGame(game, variant, position, snapshot, seats, services.zone)
    settings = loaded_game.settings
    observers = _observers(store, loaded_game) if settings.observers else ()
    return replace(loaded_game, observers=observers, loans=_loans(store, loaded_game) if settings.proxy else ())


def _loans(store: Store, loaded_game: LoadedGame) -> tuple[ProxyLoan, ...]:
    sheets = store.turns.sheets(loaded_game.game.id, loaded_game.game.snapshot) if loaded_game.running else ()
    return loaded_game.lent_by({(sheet.author, sheet.power): loaded_game.counted(sheet) for sheet in sheets})


def _observers(store: Store, loaded_game: LoadedGame) -> tuple[Seat, ...]:
    seated = {seat.person for seat in loaded_game.seats}
    chairs = store.games.observer_seats(loaded_game.game.id)
    return tuple(
        chair for chair in chairs if chair.power != EJECTED and chair.person is not None and chair.person not in seated
    )


def with_humans(position: Position, seats: Iterable[Seat]) -> Position:
    """With what the seats tell of today: which powers one human plays."""
    played: dict[int, list[str]] = {}
    for seat in seats:
        if seat.power != MASTER and seat.person is not None:
            played.setdefault(seat.person, []).append(seat.power)
    humans = tuple(sorted(tuple(sorted(powers)) for powers in played.values() if len(powers) > 1))
    return position if humans == position.humans else replace(position, humans=humans)


def power_named(variant: Variant, name: str) -> str | None:
    """A power as a person writes it: its name, an alias or its letter, case aside; the game master's chair as well."""
    wanted = " ".join(name.split()).casefold()
    if wanted in ("gm", "master", "game master"):
        return MASTER
    for power in variant.powers:
        if wanted in {power.name.casefold(), *(alias.casefold() for alias in power.aliases)}:
            return power.name
    return next((power.name for power in variant.powers if power.letter.casefold() == wanted), None)
