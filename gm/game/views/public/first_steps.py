"""What somebody without a seat can write: how to get into a game, how to make one."""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.model.services import Services
from gm.language.i18n.catalogue import Catalogue
from gm.language.i18n.localized_variant import local_names
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView

Sections = tuple[SectionView, ...]
NO_GAME = "ostend"
"""Stands for the name of a game where none is open."""


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


def how_to_create(services: Services, catalogue: Catalogue, zone: str) -> Sections:
    """A letter that makes a game, to be copied, for somebody who may make one."""
    variant = services.variant(services.variant_ids[0], {})
    power = variant.powers[0].name
    power = local_names(variant, catalogue.language).get(power, power)
    lines = tuple(
        RowView(catalogue.say(f"first-steps.create.{key}", variant=variant.id, zone=zone, power=power), meaning)
        for key in CREATE
        for meaning in (catalogue.say(f"first-steps.create-means.{key}"),)
    )
    blocks = (
        ParagraphView(catalogue.say("first-steps.create-how")),
        RowsView(lines),
        ParagraphView(catalogue.say("first-steps.variants", ids=", ".join(services.variant_ids))),
        ParagraphView(catalogue.say("first-steps.create-then")),
    )
    return (SectionView(catalogue.say("first-steps.create-title"), blocks),)


CREATE = ("create", "zone", "moves", "retreats", "builds", "about", "joining", "seat", "invite")
"""The lines of the letter to copy."""


def _rows(catalogue: Catalogue, games: Sequence[str], keys: Sequence[str]) -> RowsView:
    game = next(iter(games), NO_GAME)
    lines, means = (
        [catalogue.say(f"first-steps.{part}.{key}", game=game) for key in keys] for part in ("line", "means")
    )
    return RowsView(tuple(map(RowView, lines, means)))
