"""Scores of a game: the section of STATUS, and numbers as text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from gm.game.model.recipient import Recipient
from gm.game.model.setting_types import NO_SCORING
from gm.judge.model.position import Position
from gm.judge.model.scoring import result_of, scores
from gm.judge.steps.centre_ownership import last_year
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import Block, ParagraphView, SectionView, TableView

PLACES = 2
"""Decimal places of a score in letters."""


def sections(reader: Recipient, position: Position) -> tuple[SectionView, ...]:
    """The scores, highest first, and the last year; () for a game with neither."""
    over, year = position.ended is not None, last_year(reader.variant)
    points = scores_of(reader, position)
    blocks: list[Block] = []
    if year and not over:
        blocks.append(ParagraphView(reader.say("scores.last-year", year=year)))
    if points:
        ranked = sorted(points, key=lambda power: (-points[power], power))
        table = tuple((reader.called(power), number(reader.catalogue, points[power])) for power in ranked)
        system = reader.say(f"scores.system.{reader.settings.scoring}")
        blocks += [ParagraphView(reader.say("scores.final" if over else "scores.now", system=system)), TableView(table)]
    return (SectionView(reader.say("scores.title" if points else "scores.title-end"), tuple(blocks)),) if blocks else ()


def scores_of(reader: Recipient, position: Position) -> Mapping[str, Fraction]:
    """The score of every power; empty without a scoring system, or for an end without a result."""
    system, result = reader.settings.scoring, result_of(reader.variant, position)
    return {} if system == NO_SCORING or result is None else scores(system, result)


def number(catalogue: Catalogue, score: Fraction) -> str:
    """ "18.5", in German "18,5"."""
    text = f"{float(score):.{PLACES}f}".rstrip("0").rstrip(".")
    return text.replace(".", catalogue.say("scores.point"))
