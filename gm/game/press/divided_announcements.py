"""A game master's words for all, or for some, that go on with words for others: "Announce: … And tell Anna that …".

What is proposed as one letter is divided, or proposed for nobody where it is unclear who reads what.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.press.addressing import forms_of, names_of_everybody, readers_of
from gm.game.press.divided_words import WORDS_SEARCHED, PartForReaders, divide_by_readers
from gm.game.press.replies_for_fewer import find_contradiction
from gm.game.press.words_for_master import FOR_PLAYERS
from gm.game.press.words_for_players import question_for, unclear
from gm.game.session.session import LetterSession
from gm.language.commands.requests import AnnounceRequest, PressRequest
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import number_lines
from gm.language.lines.letter_contents import LetterContents, LineError


def with_divided_announcements(session: LetterSession, reading: LetterContents) -> LetterContents:
    """The contents with a proposal for each of the readers, in place of one that shows all of them everything."""
    if not session.master or not any(len(trouble.suggestions) == 1 for trouble in reading.troubles):
        return reading
    troubles = (each for trouble in reading.troubles for each in _divided(session, trouble))
    return replace(reading, troubles=tuple(troubles))


def _divided(session: LetterSession, trouble: LineError) -> Iterator[LineError]:
    to, words = _words_for_players(session, trouble)
    others = _others_spoken_to(session, to, words) if to else ()
    if not others:
        yield trouble
        return
    for language in session.languages:
        forms = forms_of(language, tuple(names_of_everybody(session)))
        parts = divide_by_readers(session, forms, "telling", to, words)
        if len(parts) > 1 and parts[0].to == to:
            yield replace(trouble, suggestions=(trouble.suggestions[0].replace(words, parts[0].words),))
            yield from (_question(session, trouble.line, part) for part in parts[1:])
            return
    yield unclear(others, trouble.line, trouble.text)


def _question(session: LetterSession, line: int, part: PartForReaders) -> LineError:
    return question_for(session, part, line, part.words.partition("\n")[0], FOR_PLAYERS)


def _words_for_players(session: LetterSession, trouble: LineError) -> tuple[tuple[str, ...], str]:
    """The readers and the words of the only letter that a remark proposes; nobody if it proposes anything else."""
    if len(trouble.suggestions) != 1:
        return (), ""
    requests = [each.request for each in read_letter(number_lines(trouble.suggestions[0]), session.context).requests]
    match requests:
        case [AnnounceRequest(text=text)]:
            return session.loaded_game.variant.seated, text
        case [PressRequest(to=to, text=text, everyone=False)]:
            return to, text
    return (), ""


def _others_spoken_to(session: LetterSession, to: tuple[str, ...], words: str) -> tuple[str, ...]:
    """Players besides the readers, or fewer than they, whom words address or are to be kept from."""
    low = "\n".join(clean(line).text.lower() for line in words[:WORDS_SEARCHED].split("\n"))
    named = names_of_everybody(session)
    for language in session.languages:
        forms = forms_of(language, tuple(named))
        for pattern in (forms.aside, forms.telling_again, forms.hailing, forms.unsaid):
            for match in pattern.finditer(low):
                readers = readers_of(session, forms, named, match)
                if match.start() and readers and set(readers) != set(to):
                    return readers
        if forms.secret.search(low):
            return to
    return to if find_contradiction(session, frozenset(to), words) else ()
