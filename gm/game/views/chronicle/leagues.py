"""The table of a league: the scores of its games, and their totals by player.

A player is named where everybody may know who played, for readers who have a part in the league, and on the public site
where the game's setting `site_names` allows it. Scores of players who stay unnamed count in no total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from gm.errors import GmError
from gm.game.model.loaded_game import stored_position
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import LEAGUE, MASTER, Game, GameState, Person
from gm.game.model.services import Services
from gm.game.views.chronicle import scores
from gm.game.views.chronicle.chronicle import player_names
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import BulletsView, GridRowView, GridView, ParagraphView, SectionView

LONGEST_NAME = 40
Sections = tuple[SectionView, ...]


class LeagueGame(Struct, frozen=True):
    """A game of a league as a reader may see it: its scores by power, and who played; both may be empty.

    `players` are (person, name) by power.
    """

    name: str
    state: GameState
    points: Mapping[str, Fraction]
    players: Mapping[str, tuple[int, str]]


def league_of(game: Game) -> str:
    """The league of a game, "" for none."""
    return dict(game.settings).get(LEAGUE, "")


def league_sections(reader: Recipient, name: str) -> Sections:
    """The answer to LEAGUE: of the reader's own game, or of the named league."""
    name = name or league_of(reader.game)
    games = reader.store.games.in_league(name) if name else ()
    inside = any(_has_part(reader, game) for game in games)
    rows = [_league_game(reader.services, reader.store, game, named=inside, listed=not inside) for game in games]
    known = tuple(row for row in rows if row is not None)
    if not known:
        words = reader.say("league.unknown" if name else "league.none", name=name[:LONGEST_NAME])
        return (SectionView(reader.say("league.heading"), (ParagraphView(words),)),)
    return table_sections(reader.catalogue, name, known)


def public_leagues(services: Services, store: Store) -> Mapping[str, tuple[LeagueGame, ...]]:
    """The leagues of listed games, by name, as anybody may see them."""
    leagues: dict[str, list[LeagueGame]] = {}
    for game in (*store.games.forming(), *store.games.started()):
        row = _league_game(services, store, game, named=False, listed=True) if league_of(game) else None
        if row is not None:
            leagues.setdefault(league_of(game), []).append(row)
    return {name: tuple(games) for name, games in sorted(leagues.items())}


def _has_part(reader: Recipient, game: Game) -> bool:
    """Whether the reader plays, runs or observes the game."""
    seats = (*reader.store.games.seats(game.id), *reader.store.games.observer_seats(game.id))
    return any(seat.person == reader.person.id for seat in seats)


def _league_game(services: Services, store: Store, game: Game, *, named: bool, listed: bool) -> LeagueGame | None:
    """`named`: players may be named; else only where the game allows it on the site. `listed`: only a listed game."""
    try:
        witness = Recipient.observing(services, store, game)
    except (GmError, KeyError):
        return None
    if listed and not witness.settings.list:
        return None
    over, points = game.state is GameState.ENDED, {}
    if game.snapshot and over:
        position = stored_position(store, game.snapshot, witness.variant)
        points = dict(scores.scores_of(witness, position))
    names = player_names(witness) if named or (over and witness.settings.site_names) else {}
    seats = store.games.seats(game.id) if names else ()
    players = {
        seat.power: (seat.person, names[seat.power])
        for seat in seats
        if seat.person is not None and seat.power != MASTER and seat.power in names
    }
    return LeagueGame(game.name, game.state, points, players)


def table_sections(catalogue: Catalogue, name: str, games: Iterable[LeagueGame]) -> Sections:
    """Totals by player, then the scores of each game by power."""
    games = tuple(games)
    totals = _totals(games)
    ranked = sorted(totals.values(), key=lambda total: (-total[2], total[0]))
    rows = tuple(GridRowView((who, str(count), scores.number(catalogue, points))) for who, count, points in ranked)
    heads = ("", catalogue.say("league.head-games"), catalogue.say("league.head-points"))
    title = catalogue.say("league.title", name=name)
    table = GridView(heads, rows) if rows else ParagraphView(catalogue.say("league.no-totals"))
    lines = tuple(_game_line(catalogue, game) for game in games)
    return (
        SectionView(title, (table,)),
        SectionView(catalogue.say("league.games"), (BulletsView(lines),)),
    )


def _totals(games: Iterable[LeagueGame]) -> Mapping[int, tuple[str, int, Fraction]]:
    """(name, number of finished games, points) by person. A person with several powers has the points of all."""
    totals: dict[int, tuple[str, int, Fraction]] = {}
    for game in games:
        own: dict[int, Fraction] = {}
        for power, (person, _) in game.players.items():
            if power in game.points:
                own[person] = own.get(person, Fraction(0)) + game.points[power]
        names = dict(game.players.values())
        for person, points in own.items():
            _, count, before = totals.get(person, ("", 0, Fraction(0)))
            totals[person] = names[person], count + 1, before + points
    return totals


def _game_line(catalogue: Catalogue, game: LeagueGame) -> str:
    if not game.points:
        return catalogue.say(f"league.game-{game.state}", game=game.name)
    ranked = sorted(game.points, key=lambda power: (-game.points[power], power))
    parts = (f"{catalogue.called(power)} {scores.number(catalogue, game.points[power])}" for power in ranked)
    return catalogue.say("league.game", game=game.name, scores="; ".join(parts))


def may_enter(store: Store, person: Person, name: str, game: Game) -> bool:
    """Whether a game master may put their game into the league: it is new, or they run a game of it."""
    others = [other for other in store.games.in_league(name) if other.id != game.id]
    masters = {seat.person for other in others for seat in store.games.seats(other.id) if seat.power == MASTER}
    return not others or person.id in masters
