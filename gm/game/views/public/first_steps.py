"""What somebody without a seat can write: how to get into a game, how to make one."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from gm.game.model.services import Services
from gm.language.commands.game_in_words import GameInWords, read_game
from gm.language.dates.schedule import Weekly
from gm.language.dates.schedule_words import format_schedule
from gm.language.i18n.catalogue import Catalogue
from gm.language.i18n.localized_variant import local_names
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView, TableView

Sections = tuple[SectionView, ...]
NO_GAME = "ostend"
"""Stands for the name of a game where none is open."""
USUAL_MOVES = Weekly("Sundays 20:00", ((6, 1200),), ZoneInfo("UTC"))
"""What a new game's moves are without a choice."""


LOBBY = ("join", "wish", "takeover", "who", "list", "notify", "observe", "ask", "resign", "name", "language", "zone")


def how_to_join(catalogue: Catalogue, games: Sequence[str]) -> Sections:
    """For somebody who is not registered and may register. `games`: those that look for players."""
    title = catalogue.say("first-steps.title")
    rows = _rows(
        catalogue,
        games,
        ("join", "name", "ask", "register", "notify", "list")
        if games
        else ("register", "name", "ask-server", "notify", "list"),
    )
    words = ParagraphView(catalogue.say("first-steps.reply"))
    return (SectionView(title, (words, rows, ParagraphView(catalogue.say("first-steps.known")))),)


def without_seat(catalogue: Catalogue, games: Sequence[str]) -> Sections:
    """For somebody who is registered."""
    below = ParagraphView(catalogue.say("first-steps.manual"))
    return (SectionView(catalogue.say("first-steps.lobby"), (_rows(catalogue, games, LOBBY), below)),)


def how_to_create(services: Services, catalogue: Catalogue, name: str, game: GameInWords, zone: str) -> Sections:
    """A letter that makes a game, to be copied, for somebody who may make one; with what they have written of it."""
    variant = services.variant(game.variant or services.variant_ids[0], {})
    power = variant.powers[0].name
    power = local_names(variant, catalogue.language).get(power, power)
    schedule = game.moves or USUAL_MOVES
    moves = format_schedule(schedule, schedule.zone, catalogue)
    fields = {"name": name, "variant": variant.id, "zone": game.zone or zone, "moves": moves, "power": power}
    how = "create-how" if game == GameInWords() else "create-how-found"
    written = {key: catalogue.say(f"first-steps.create.{key}", **fields) for key in (*CREATE, *PLAYERS)}
    means = {key: catalogue.say(f"first-steps.create-means.{key}") for key in written}
    blocks = (
        ParagraphView(catalogue.say(f"first-steps.{how}")),
        RowsView(tuple(RowView(written[key]) for key in CREATE)),
        ParagraphView(catalogue.say("first-steps.create-players")),
        RowsView(tuple(RowView(written[key], means[key]) for key in PLAYERS)),
        TableView(tuple((written[key].split()[0].rstrip(":"), means[key]) for key in CREATE)),
        ParagraphView(catalogue.say("first-steps.variants", ids=", ".join(services.variant_ids))),
        ParagraphView(catalogue.say("first-steps.create-then")),
    )
    return (SectionView(catalogue.say("first-steps.create-title"), blocks),)


def find_game_in_words(services: Services, lines: Sequence[str], language: str, home: ZoneInfo) -> GameInWords:
    """What the words of somebody who may make games say of a new one."""
    titles = {variant.replace("-", " "): variant for variant in services.variant_ids}
    return read_game(lines, language, titles, home)


CREATE = ("create", "zone", "moves", "retreats", "builds", "about", "joining")
"""The lines of the letter to copy, with nothing between them."""
PLAYERS = ("seat", "invite")
"""Lines that name people, so that nobody copies them as they are."""


def _rows(catalogue: Catalogue, games: Sequence[str], keys: Sequence[str]) -> RowsView:
    game = next(iter(games), NO_GAME)
    lines, means = (
        [catalogue.say(f"first-steps.{part}.{key}", game=game) for key in keys] for part in ("line", "means")
    )
    return RowsView(tuple(map(RowView, lines, means)))
