"""What somebody without a seat can write: how to get into a game, how to make one; and what they have asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.errors import GmError
from gm.game.model.choose_setting import all_settings, setting_meaning
from gm.game.model.ports import Store
from gm.game.model.records import Applicant, ApplicantState, Person
from gm.game.model.services import Services
from gm.game.model.setting_types import OPEN
from gm.game.model.settings import GameSettings, stored_value
from gm.game.views.public.written_settings import written_settings
from gm.judge.model.variant import Variant
from gm.language.commands.in_words.game_in_words import GameInWords, read_game
from gm.language.dates.schedule import After, Weekly, parse_schedule
from gm.language.dates.schedule_words import format_schedule
from gm.language.i18n.catalogue import Catalogue
from gm.language.i18n.localized_variant import local_names
from gm.language.rendering import plain_text
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView, TableView

LEFT_MOST = 400
"""Characters of words that the lines for a new game leave out."""

Sections = tuple[SectionView, ...]
NO_GAME = "\0"
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
    how = "create-how" if replace(game, left="") == GameInWords() else "create-how-found"
    chosen = _chosen(game)
    usual, written = _usual(services, catalogue, name, game, zone)
    means = {key: catalogue.say(f"first-steps.create-means.{key}") for key in written}
    known = all_settings(variant)
    own = tuple(
        (_key_word(catalogue, key), setting_meaning(variant, known[key], catalogue)) for key in chosen if key in known
    )
    left = (
        (ParagraphView(catalogue.say("first-steps.create-left", words=plain_text.header(game.left, LEFT_MOST))),)
        if game.left and how == "create-how-found"
        else ()
    )
    blocks = (
        ParagraphView(catalogue.say(f"first-steps.{how}")),
        RowsView(tuple(map(RowView, creation_lines(services, catalogue, name, game, zone)))),
        *left,
        ParagraphView(catalogue.say("first-steps.create-players")),
        RowsView(tuple(RowView(written[key], means[key]) for key in PLAYERS)),
        TableView((*((written[key].split()[0].rstrip(":"), means[key]) for key in usual), *own)),
        ParagraphView(catalogue.say("first-steps.variants")),
        TableView(tuple((each.id, each.summary_in(catalogue.language)) for each in _variants(services))),
        ParagraphView(catalogue.say("first-steps.create-then")),
    )
    return (SectionView(catalogue.say("first-steps.create-title"), blocks),)


def creation_lines(
    services: Services, catalogue: Catalogue, name: str, game: GameInWords, zone: str
) -> tuple[str, ...]:
    usual, written = _usual(services, catalogue, name, game, zone)
    home = ZoneInfo(game.zone or zone)
    return (
        *(written[key] for key in usual),
        *(_own_line(catalogue, line, home) for line in game.settings),
        *game.people,
    )


def _own_line(catalogue: Catalogue, line: str, home: ZoneInfo) -> str:
    """A line "key: value" in the language of a letter, as it is read back."""
    key, _, value = line.partition(": ")
    schedule = parse_schedule(value, home) if key in SPANS else None
    if isinstance(schedule, After):
        value = format_schedule(schedule, home, catalogue)
    return f"{_key_word(catalogue, key)}: {value}"


def _key_word(catalogue: Catalogue, key: str) -> str:
    word = f"setting-key.{key}"
    return catalogue.say(word) if word in catalogue else key


def _chosen(game: GameInWords) -> Mapping[str, str]:
    return {line.partition(":")[0]: line for line in game.settings}


def _usual(
    services: Services, catalogue: Catalogue, name: str, game: GameInWords, zone: str
) -> tuple[Sequence[str], Mapping[str, str]]:
    """The keys of the lines that a game has unless the words choose others, and all lines by their keys."""
    variant = services.variant(game.variant or services.variant_ids[0], {})
    power = variant.powers[0].name
    power = local_names(variant, catalogue.language).get(power, power)
    schedule = game.moves or USUAL_MOVES
    moves = format_schedule(schedule, schedule.zone, catalogue)
    fields = {"name": name, "variant": variant.id, "zone": game.zone or zone, "moves": moves, "power": power}
    chosen = _chosen(game)
    described = replace(game, left="") != GameInWords()  # nobody who describes a game has written the sample words
    usual = [key for key in CREATE if key not in chosen and not (key == "about" and described)]
    return usual, {key: catalogue.say(f"first-steps.create.{key}", **fields) for key in (*usual, *PLAYERS)}


def find_game_in_words(services: Services, lines: Sequence[str], home: ZoneInfo, known: str = "") -> GameInWords:
    """What the words of somebody who may make games say of a new one. `known`: the variant that they named before."""
    languages, variants = services.letters.languages, _variants(services)
    variant = read_game(lines, languages, variants, home, known).variant
    of_variant = services.variant(variant or known or services.variant_ids[0], {})
    written, rest = written_settings(lines, of_variant)
    game = read_game(rest, languages, variants, home, variant or known)
    keys = {line.partition(":")[0] for line in written}
    in_words = (line for line in game.settings if line.partition(":")[0] not in keys)
    return replace(game, variant=game.variant or variant, settings=(*in_words, *written))


def _variants(services: Services) -> tuple[Variant, ...]:
    """Without those whose files are broken."""
    variants: list[Variant] = []
    for variant in services.variant_ids:
        with suppress(GmError):
            variants.append(services.variant(variant, {}))
    return tuple(variants)


CREATE = ("create", "zone", "moves", "retreats", "builds", "about", "joining")
"""The lines of the letter to copy, with nothing between them."""
SPANS = ("retreats", "builds")
"""Settings that are read as spans of time."""
PLAYERS = ("seat", "invite")
"""Lines that name people, so that nobody copies them as they are."""


def _rows(catalogue: Catalogue, games: Sequence[str], keys: Sequence[str]) -> RowsView:
    """The lines with the first of the games; without any, only those that name none."""
    game = next(iter(games), NO_GAME)
    lines, means = (
        [catalogue.say(f"first-steps.{part}.{key}", game=game) for key in keys] for part in ("line", "means")
    )
    rows = map(RowView, lines, means)
    return RowsView(tuple(row for row in rows if NO_GAME not in f"{row.code} {row.remark}"))


def asked_games(store: Store, person: Person, catalogue: Catalogue) -> Sections:
    """The games that somebody has asked to play in, and how it stands there; () for none."""
    entries = store.games.applications_of(person.id) if person.id else ()
    if not entries:
        return ()
    rows = tuple(_asked_game(store, entry, catalogue) for entry in entries)
    first = store.games.get(entries[0].game).name
    below = ParagraphView(catalogue.say("own-lists.change", game=first))
    return (SectionView(catalogue.say("own-lists.title"), (RowsView(rows), below)),)


def _asked_game(store: Store, entry: Applicant, catalogue: Catalogue) -> RowView:
    return RowView(store.games.get(entry.game).name, " ".join(_sentences(store, entry, catalogue)))


def _sentences(store: Store, entry: Applicant, catalogue: Catalogue) -> Iterator[str]:
    game = store.games.get(entry.game)
    if entry.state is ApplicantState.APPROVED:
        yield catalogue.say("own-lists.approved")
    elif stored_value(game, GameSettings.joining) == OPEN:
        waiting = [other for other in store.games.applicants(game.id) if other.state is ApplicantState.ASKED]
        yield catalogue.say("own-lists.waiting", n=[other.person for other in waiting].index(entry.person) + 1)
    else:
        yield catalogue.say("own-lists.asked")
    if entry.wish:
        yield catalogue.say("own-lists.wish", wish=entry.wish)
