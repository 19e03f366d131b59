"""LIST: the server's public games, and one of them at length, for anybody who asks.

Everything here is public: variant, deadlines, phase, how many seats are taken and which powers look for a player. No
player is named. Games with the setting `list` unlisted do not appear.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from gm.errors import GmError
from gm.game.model.choose_setting import SettingView, shown_settings
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import ApplicantState, Game, GameState, Person
from gm.game.model.services import Services
from gm.game.model.setting_types import CLOSED
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import Block, ParagraphView, QuotedWordsView, RowsView, RowView, SectionView, TableView

GAMES_MOST = 12
"""Games of each kind that a list shows; the rest are counted."""
SHOWN_SETTINGS = ("moves", "retreats", "builds", "press", "anonymous", "joining")
Sections = tuple[SectionView, ...]


class ListedGame(Struct, frozen=True):
    """A listed game as anybody may see it. `free`: powers that look for a player."""

    reader: Recipient
    free: tuple[str, ...]
    left: int
    """Seats that are still to be had: `free` without those for which somebody is on the list."""

    @property
    def game(self) -> Game:
        return self.reader.game

    @property
    def forming(self) -> bool:
        return self.game.state is GameState.FORMING

    @property
    def open(self) -> bool:
        """Whether somebody may ask to play."""
        return self.left > 0 and self.reader.settings.joining != CLOSED and self.game.state is not GameState.ENDED


def public_games(services: Services, store: Store, person: Person) -> tuple[ListedGame, ...]:
    """Listed games that form or run, newest last. `person`: whose language and time zone they are shown in."""
    games = (listed_game(services, store, game, person) for game in (*store.games.forming(), *store.games.running()))
    return tuple(game for game in games if game is not None)


def listed_game(services: Services, store: Store, game: Game, person: Person | None = None) -> ListedGame | None:
    """None for a game that is not listed, or whose files or settings are broken."""
    try:
        reader = Recipient.observing(services, store, game, person)
    except (GmError, KeyError):
        return None
    return as_listed(reader)


def as_listed(reader: Recipient) -> ListedGame | None:
    """None for a game that is not listed."""
    if not reader.settings.list:
        return None
    store, game = reader.store, reader.game
    seats = store.games.seats(game.id)
    powers = set(reader.variant.seated)
    wanted = (seat for seat in seats if (seat.person is None or seat.open) and not seat.dummy)
    free = tuple(seat.power for seat in wanted if seat.power in powers)
    entries = store.games.applicants(game.id)
    listed = sum(entry.state is ApplicantState.APPROVED for entry in entries)
    return ListedGame(reader, free, max(0, len(free) - listed))


def open_games(services: Services, store: Store) -> tuple[str, ...]:
    """Names of listed games that have not begun and take players."""
    games = public_games(services, store, Person(0, "", ()))
    return tuple(game.game.name for game in games if game.forming and game.open)[:GAMES_MOST]


def sections(services: Services, store: Store, person: Person, catalogue: Catalogue, name: str = "") -> Sections:
    """The answer to LIST, or to LIST and the name of a game."""
    games = public_games(services, store, person)
    if not name:
        return _overview(catalogue, games)
    known = next((game for game in games if game.game.name == name.strip("?.,:;").lower()), None)
    if known is not None:
        return _one_game(known)
    words = ParagraphView(catalogue.say("games.unknown", name=name[:40]))
    return (SectionView(catalogue.say("games.title"), (words,)), *_overview(catalogue, games))


def offer(services: Services, store: Store, person: Person, game: Game) -> tuple[RowView, str] | None:
    """The line that asks for a seat in the game, and a heading for it; None if it is not listed or not open."""
    listed = listed_game(services, store, game, person)
    return (ask_row(listed), listed.reader.say("games.open")) if listed is not None and listed.open else None


def open_sections(services: Services, store: Store, person: Person, catalogue: Catalogue) -> Sections:
    """The games that look for players, with the line that asks for a seat in each."""
    return (_open(catalogue, public_games(services, store, person)),)


def _overview(catalogue: Catalogue, games: tuple[ListedGame, ...]) -> Sections:
    playing = [game for game in games if not game.forming]
    rows = tuple((game.game.name, _status(game)) for game in playing[:GAMES_MOST])
    more = _more(catalogue, len(playing))
    running = (SectionView(catalogue.say("games.running"), (TableView(rows), *more)),) if rows else ()
    below = (ParagraphView(catalogue.say("games.one", game=games[0].game.name)),) if games else ()
    first = _open(catalogue, games)
    return (SectionView(first.title, (*first.blocks, *below)), *running)


def _open(catalogue: Catalogue, games: tuple[ListedGame, ...]) -> SectionView:
    wanted = [game for game in games if game.open]
    blocks: list[Block] = []
    for game in wanted[:GAMES_MOST]:
        blocks += [RowsView((ask_row(game),)), *_own_words(game)]
    blocks += _more(catalogue, len(wanted))
    if not wanted:
        blocks.append(ParagraphView(catalogue.say("games.none")))
    return SectionView(catalogue.say("games.open"), tuple(blocks))


def _more(catalogue: Catalogue, count: int) -> tuple[Block, ...]:
    return (ParagraphView(catalogue.say("games.more", n=count - GAMES_MOST)),) if count > GAMES_MOST else ()


def ask_row(game: ListedGame) -> RowView:
    """The line that asks for a seat, and what the game is."""
    reader, name = game.reader, game.game.name
    if game.forming:
        return RowView(reader.say("games.join", game=name), _summary(game))
    words = reader.say("games.wanted", about=_status(game), powers=reader.every(game.free), n=len(game.free))
    return RowView(reader.say("games.takeover", game=name, power=game.free[0]), words)


def _summary(game: ListedGame) -> str:
    """What a person who thinks about joining must know, in one sentence."""
    reader = game.reader
    moves = next(row.value for row in shown_settings(reader) if row.key == "moves")
    return reader.say(
        "games.summary",
        title=reader.variant.title,
        moves=moves,
        zone=reader.settings.zone.key,
        language=language_name(reader.catalogue, reader.settings.language),
        n=game.left,
        total=len(reader.variant.powers),
        begins=_begins(reader),
    )


def _begins(reader: Recipient) -> str:
    start = reader.settings.start
    if isinstance(start, datetime):
        return " " + reader.say("games.begins", when=reader.when(start))
    return " " + reader.say("games.begins-full") if start else ""


def _status(game: ListedGame) -> str:
    reader = game.reader
    return reader.say("games.status", title=reader.variant.title, season=reader.season(game.game.phase))


def _own_words(game: ListedGame) -> tuple[Block, ...]:
    about = game.reader.settings.about
    return (QuotedWordsView(about),) if about else ()


def _one_game(game: ListedGame) -> Sections:
    reader, name = game.reader, game.game.name
    words = _summary(game) if game.forming else _status(game)
    taken = tuple(power for power in reader.variant.seated if power not in game.free)
    rows = [("games.taken", taken), ("games.free", game.free)]
    seats = tuple((reader.say(key), reader.every(powers) or "-") for key, powers in rows)
    views = shown_settings(reader)
    chosen = tuple(_setting(reader, view) for view in views if view.key in SHOWN_SETTINGS)
    lines = (RowView(ask_row(game).code),) if game.open else ()
    observe = (RowView(reader.say("games.observe", game=name)),) if reader.settings.observers else ()
    blocks: list[Block] = [ParagraphView(words), *_own_words(game), TableView(seats), TableView(chosen)]
    ways = (RowsView((*lines, *observe)),) if lines or observe else ()
    return (SectionView(name, (*blocks, *ways)),)


def _setting(reader: Recipient, view: SettingView) -> tuple[str, str]:
    """What it is and its value, in words for somebody who may join."""
    words = f"games.value.{view.key}.{view.value}"
    return reader.say(f"games.label.{view.key}"), reader.say(words) if words in reader.catalogue else view.value


def language_name(catalogue: Catalogue, code: str) -> str:
    key = f"language.names.{code}"
    return catalogue.say(key).partition(",")[0] if key in catalogue else code
