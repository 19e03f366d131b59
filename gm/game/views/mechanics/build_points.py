"""Build points, for variants in which unit kinds have different costs."""

from __future__ import annotations

from collections.abc import Collection

from gm.game.model.recipient import Recipient
from gm.judge.model.position import Position
from gm.judge.steps.build_rules import FULL, produced, production_left, upkeep
from gm.language.rendering.order_text import halves
from gm.language.rendering.views import Block, ParagraphView


def shortfall(reader: Recipient, position: Position, centres: Collection[str]) -> str:
    """What bombed centres still produce; "" if none of `centres` is bombed."""
    given = sum(production_left(position, code) for code in centres)
    return reader.say("halves.produces", produced=halves(given)) if given < FULL * len(centres) else ""


def build_points_account(reader: Recipient, position: Position, power: str) -> tuple[Block, ...]:
    """Production, upkeep and the cost of each kind of unit; () if every unit costs one build."""
    kinds = [kind for kind in reader.variant.kinds.values() if kind.cost != FULL]
    if not kinds:
        return ()
    costs = reader.every(reader.say("halves.cost", kind=kind.name, cost=halves(kind.cost)) for kind in kinds)
    sentence = reader.say(
        "halves.account",
        produced=halves(produced(position, power)),
        taken=halves(upkeep(position, reader.variant, power)),
        costs=costs,
    )
    poor = [code for code in position.centres_of(power) if production_left(position, code) < FULL]
    if poor:
        named = (
            reader.say("halves.centre", centre=code, left=halves(production_left(position, code))) for code in poor
        )
        sentence += " " + reader.say("halves.bombed", centres=reader.every(named))
    return (ParagraphView(sentence),)
