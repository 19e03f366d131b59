"""A game master's decision about a player's request for more time or an absence, in words: "ok, agreed" in reply to
the letter that asks, "deny all the requests".
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.commands.proposals_of_people import called
from gm.game.deadlines import extensions
from gm.game.deadlines.extensions import ASKED
from gm.game.identity.references import find_thread
from gm.game.letters.reply_limits import own_words
from gm.game.model.loaded_game import power_named
from gm.game.model.records import Letter, Seat
from gm.game.phase import absences
from gm.game.session.session import LetterSession
from gm.language.commands.deadlines import GrantRequest
from gm.language.letter.talk.consent_words import only_agrees, refusal
from gm.language.lines.letter_contents import Request

ABOUT = {ASKED: 0, "absence-asks": 2}
"""Causes of letters that ask for a decision, with the part that names the player's seat, or the player."""
THEM = "THEM"
"""Stands for the only player who asks, or the one whose request a letter answers; ALL for everybody who asks."""


def with_decision(session: LetterSession, letter: Letter) -> Letter:
    """GRANT or DENY in place of a plain yes or no in reply to the request of a player."""
    seat = _answered(session, letter) if session.master else None
    words = own_words(letter).strip()
    if seat is None or not words:
        return letter
    languages = session.languages
    refuses = refusal(words, languages) == len(words)
    if not (refuses or only_agrees(words, languages)):
        return letter
    line = session.say("proposals.deny" if refuses else "proposals.grant", power=called(session, seat.power))
    number = next(number for number, text in letter.lines if text.strip())
    return replace(letter, lines=((number, line),))


def decide(session: LetterSession, request: Request, line: int) -> str | None:
    """GRANT or DENY of each player who is meant; None where nobody asks, or it is not clear who is meant."""
    assert isinstance(request, GrantRequest)
    if power_named(session.context.variant, request.power) is not None:
        return ""
    asking = list(_asking(session))
    answered = _answered(session, session.letter)
    if request.power == THEM and answered is not None:
        asking = [seat for seat in asking if seat.id == answered.id]
    if not asking or (request.power == THEM and len(asking) > 1):
        return None
    key = "proposals.deny" if request.refused else "proposals.grant"
    return "\n".join(session.say(key, power=called(session, seat.power)) for seat in asking)


def _asking(session: LetterSession) -> Iterator[Seat]:
    """Players whose request is not decided."""
    store, loaded_game = session.store, session.loaded_game
    waiting = {each.person for each in absences.current_absences(store, loaded_game) if not each.granted}
    for seat in loaded_game.power_seats if loaded_game.running else ():
        asked = extensions.requested_deadline(store, loaded_game, seat) if seat.person is not None else None
        if asked is not None or seat.person in waiting:
            yield seat


def _answered(session: LetterSession, letter: Letter) -> Seat | None:
    """The player whose open request a letter replies to."""
    thread = find_thread(session.store, letter)
    if thread is None or thread.seat != session.seat.id:
        return None
    word, *about = thread.cause.split(":")
    at = ABOUT.get(word)
    if at is None or len(about) <= at or not about[at].isdigit():
        return None
    number = int(about[at])
    return next((seat for seat in _asking(session) if number == (seat.id if word == ASKED else seat.person)), None)
