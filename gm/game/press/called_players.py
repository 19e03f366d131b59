"""Finds whom a single sentence speaks to: "And Irina, how about Rumania?", "anonymously to Russia: truce?"."""

from __future__ import annotations

import re

from msgspec import Struct

from gm.game.press.addressing import AddressForms, forms_of, is_unsigned, names_of_everybody, power_names, readers_of
from gm.game.session.session import LetterSession
from gm.language.commands.command_line import written_words
from gm.language.i18n.normalize import clean
from gm.language.letter.talk.asking_sentences import FRONT

FEWEST = 2
"""Words behind a greeting that say nothing: "Dear Irina, many thanks"."""


class CalledPlayers(Struct, frozen=True):
    """`to` are powers, `words` what they are to read. `unsigned`: the writer wants to hide who they are."""

    to: tuple[str, ...]
    words: str
    unsigned: bool = False


def called_players(session: LetterSession, sentence: str) -> CalledPlayers | None:
    """Whom a sentence calls: players by their own names, powers only with a mark of an address, "To Russia: …"."""
    cleaned = FRONT.sub("", clean(sentence).text, count=1)
    low = cleaned.lower()
    named, powers = names_of_everybody(session), power_names(session)
    if not any(name in low for name in named):
        return None
    persons = {name: power for name, power in named.items() if name not in powers}
    for language in session.languages:
        everybody, own = forms_of(language, tuple(named)), forms_of(language, tuple(persons))
        marked = everybody.greeting.match(low)
        certain = marked is not None and marked["rest"].strip() and everybody.is_marked(marked, salutes=False)
        if marked is not None and certain and (to := readers_of(session, everybody, named, marked)):
            words = written_words(sentence, cleaned[slice(*marked.span("rest"))].strip())
            return CalledPlayers(to, words, is_unsigned(everybody, marked))
        match = _calling(own, low) if persons else None
        if match is not None and (to := readers_of(session, own, persons, match)):
            return CalledPlayers(to, sentence, is_unsigned(own, match))
    return None


def told_players(session: LetterSession, line: str) -> CalledPlayers | None:
    """Whom a line asks the reader to tell something: "And tell Anna: yes, convoys are possible"."""
    cleaned, named = clean(line), names_of_everybody(session)
    for language in session.languages:
        forms = forms_of(language, tuple(named))
        match = forms.telling.search(cleaned.text.lower())
        if match is not None and (to := readers_of(session, forms, named, match)):
            return CalledPlayers(to, line[cleaned.column(match.start("rest")) :].strip(), is_unsigned(forms, match))
    return None


def _calling(forms: AddressForms, low: str) -> re.Match[str] | None:
    greeting = forms.greeting.match(low)
    if greeting is not None and greeting["salute"] and len(greeting["rest"].split()) > FEWEST:
        return greeting
    calling = forms.calling.match(low) or forms.asking.match(low)
    return calling if calling is not None and forms.remark.match(calling["rest"]) is None else None
