"""Replies to press of several readers whose words are for fewer: "Tom: I would, but don't tell Luc!"."""

from __future__ import annotations

from msgspec import Struct

from gm.game.press.addressing import AddressForms, forms_of, names_of_people, readers_of
from gm.game.press.divided_words import divide_by_readers
from gm.game.session.session import LetterSession
from gm.language.i18n.normalize import clean
from gm.language.lines.sentences import sentences_of

REPLY_SEARCHED = 5000
"""Characters of a reply that are searched."""


class FewerReaders(Struct, frozen=True):
    """`words` show it; `to` are the readers whom the reply names, if it is for them as a whole."""

    words: str
    to: tuple[str, ...] = ()


def find_fewer_readers(session: LetterSession, others: frozenset[str], words: str) -> FewerReaders | None:
    """What in a reply to `others` says that it is not for all of them; None without such words."""
    if session.master or len(others) < 2 or len(words) > REPLY_SEARCHED:
        return None
    named = names_of_people(session)
    for language in session.languages:
        forms = forms_of(language, tuple(named))
        to, way = _named_first(session, forms, named, clean(words.strip().partition("\n")[0]).text.lower())
        fewer = bool(to) and set(to) < others
        private = next((each for each in sentences_of(words) if forms.private.search(clean(each).text.lower())), "")
        if private or (fewer and way == "heading"):
            whole = fewer and len(divide_by_readers(session, forms, "calling", to, words.strip())) == 1
            shown = private if private and not fewer else words.strip().partition("\n")[0]
            return FewerReaders(shown.strip(), to if whole else ())
    return None


def _named_first(
    session: LetterSession, forms: AddressForms, named: dict[str, str], low: str
) -> tuple[tuple[str, ...], str]:
    """The readers to whom a reply speaks first, and the form of that: what follows "Dear Tom," all may read."""
    for way, pattern in (("heading", forms.heading), ("hailing", forms.hailing), ("calling", forms.calling)):
        match = pattern.match(low)
        if match is not None:
            return readers_of(session, forms, named, match), way
    return (), ""
