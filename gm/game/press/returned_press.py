"""Words for players that are not sent: the answer says why and returns them, and a YES may send what is certain."""

from __future__ import annotations

from gm.game.model.setting_types import PressMode
from gm.game.press.addressing import names_of_people
from gm.game.press.divided_words import PartForReaders
from gm.game.press.words_for_players import press_for, problem_of
from gm.game.press.words_not_for_readers import without_others
from gm.game.session.session import LetterSession
from gm.language.commands.addressees import powers_meant
from gm.language.commands.command_line import written_words
from gm.language.commands.requests import PressRequest
from gm.language.i18n.normalize import clean
from gm.language.i18n.similar_powers import near_powers


def return_press(
    session: LetterSession, key: str, words: str, line: int = 0, *, headline: bool = False, **fields: str
) -> None:
    """Say why nothing was sent; the answer returns the words."""
    session.note(key, done=False, line=line, headline=headline, **fields)
    session.insert("unsent", words)


def ask_for_whom(session: LetterSession, request: PressRequest, name: str, line: int) -> None:
    words = request.text
    as_written = written_words(dict(session.letter.lines).get(line, ""), name)[:40]
    if meant := powers_meant(name, session.context):
        return_press(session, "press-which", words, line, name=as_written, powers=", ".join(meant))
        return
    named = names_of_people(session)
    near = next(iter(near_powers(clean(name).text.lower(), named)), "")
    if len(request.to) == 1 and not (request.everyone or request.name or request.manner or request.posted):
        part = PartForReaders((named.get(near.lower(), near),), words.strip())
        if near and problem_of(session, part) is None:
            session.proposed.offered.append(press_for(session, part))
    powers = ", ".join(session.loaded_game.variant.owners)
    key = "press-unknown-near" if near else "press-unknown"
    return_press(session, key, words, line, name=as_written, powers=powers, near=near)


def ask_about_others(session: LetterSession, request: PressRequest, named: frozenset[str], line: int) -> bool:
    """Return words with sentences that are hardly for their readers, and offer the rest; False where all are."""
    rest, others = without_others(session, request.text, named)
    if not others:
        return False
    part = PartForReaders(tuple(sorted(named)), rest, request.manner == PressMode.GREY)
    may = not (request.name or request.posted or problem_of(session, part))
    if may:
        session.proposed.offered.append(press_for(session, part))
    key, powers, shown = "press-others-part" if may else "press-others", ", ".join(part.to), " ".join(others.split())
    return_press(session, key, request.text, line, headline=True, words_of_line=shown, powers=powers)
    return True
