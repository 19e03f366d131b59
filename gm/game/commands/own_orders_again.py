"""Proposes that a player's own orders count again where the game master has put others in their place.

STRIKE takes the forced order back, and a block AS writes down what the player had ordered before.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.commands.proposals_of_people import called
from gm.game.model.records import SheetLine
from gm.game.press.addressing import powers_named
from gm.game.proposals.settled_lines import places_in
from gm.game.session.session import LetterSession
from gm.language.commands.in_words import plain_questions
from gm.language.lines.letter_contents import LetterContents, LineError

OWN_AGAIN = "own-order-again"
"""Key of such a sentence of a game master's."""


def with_own_orders_again(session: LetterSession, reading: LetterContents) -> LetterContents:
    if not session.master or not any(trouble.key == OWN_AGAIN for trouble in reading.troubles):
        return reading
    troubles = (_proposal(session, trouble) if trouble.key == OWN_AGAIN else trouble for trouble in reading.troubles)
    return replace(reading, troubles=tuple(troubles))


def _proposal(session: LetterSession, trouble: LineError) -> LineError:
    """The sentence with the lines that do it; unchanged where nothing of these players is forced."""
    lines = [line for power in _powers(session, trouble.text) for line in _lines(session, power, trouble.text)]
    if not lines:
        return trouble
    return replace(trouble, key=plain_questions.MEANT, suggestions=("\n".join(lines),), obeyed=True)


def _powers(session: LetterSession, text: str) -> tuple[str, ...]:
    """The powers that the words name, or whose players; else all."""
    named = powers_named(session, text)
    return tuple(power for power in session.loaded_game.variant.seated if power in named or not named)


def _lines(session: LetterSession, power: str, text: str) -> Iterator[str]:
    game = session.game
    sheet = session.store.turns.sheet(game.id, game.snapshot, power, power)
    forced = [line for line in sheet.lines if line.forced] if sheet is not None else []
    places = places_in(session, power, text)
    meant = [line for line in forced if line.province in places or not places]
    yield from (session.say("proposals.strike", unit=line.province) for line in meant)
    if own := [line for line in (_own(session, power, line) for line in meant) if line]:
        yield session.say("proposals.act-as", power=called(session, power))
        yield from own
        yield session.say("proposals.end-act-as")


def _own(session: LetterSession, power: str, forced: SheetLine) -> str:
    """The last order that the player gave in its place; "" for none."""
    versions = session.store.turns.sheet_versions(session.game.id, session.game.snapshot)
    sheets = sorted(
        (sheet for sheet in versions if sheet.author == sheet.power == power), key=lambda each: each.version
    )
    lines = [line for sheet in sheets for line in sheet.lines if line.slot == forced.slot and not line.forced]
    return lines[-1].text if lines else ""
