"""Words to players that say they are for fewer, or for others: "Tom: I would, but don't tell Luc!"."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import MASTER
from gm.game.press.addressing import AddressForms, forms_of, names_of_people, readers_of
from gm.game.press.divided_words import divide_by_readers
from gm.game.press.limited_readers import ReaderLimits, find_limits
from gm.game.session.session import LetterSession
from gm.language.i18n.normalize import clean


class FewerReaders(Struct, frozen=True):
    """`words` show it; `to` are those for whom it is as a whole, in their order, () where that is not certain."""

    words: str
    to: tuple[str, ...] = ()


def find_fewer_readers(session: LetterSession, others: frozenset[str], words: str) -> FewerReaders | None:
    """What in a reply to `others` says that not all of them may read it, or somebody else; None without such words."""
    if others <= {MASTER}:
        return None
    limits = find_limits(session, others, words)
    greeted, way = _greeted(session, others, words)
    private = limits.private and len(others) > 1
    if (limited := _limited(limits, others, greeted)) is not None:
        return FewerReaders(limits.shown.strip(), _if_whole(session, limited, words))
    if private or (greeted and way == "heading"):
        shown = limits.shown if private and not greeted else words.strip().partition("\n")[0]
        return FewerReaders(shown.strip(), _if_whole(session, greeted, words))
    return None


def find_contradiction(session: LetterSession, readers: frozenset[str], words: str) -> FewerReaders | None:
    """What in words to `readers`, whom their writer has named, says that some of these may not read it."""
    if len(readers) < 2:
        return None
    limits = replace(find_limits(session, readers, words), inside=frozenset())
    greeted, _ = _greeted(session, readers, words)
    limited = _limited(limits, readers, greeted)
    if limited is None and limits.private and greeted:
        limited = greeted
    return FewerReaders(limits.shown.strip(), _if_whole(session, limited, words)) if limited is not None else None


def _limited(limits: ReaderLimits, others: frozenset[str], greeted: frozenset[str]) -> frozenset[str] | None:
    """Who may read the words, empty where that is not certain; None where they limit nothing."""
    only = [readers for readers in limits.only if not others <= readers]
    inside = any(not others <= readers for readers in limits.inside)
    if not only and not inside and others.isdisjoint(limits.never):
        return None
    if len(limits.only) > 1 or inside:
        return frozenset()
    (may,) = limits.only or (greeted or others,)
    return may - limits.never


def _if_whole(session: LetterSession, readers: frozenset[str], words: str) -> tuple[str, ...]:
    """The readers, if the words speak to nobody else."""
    to = tuple(power for power in session.loaded_game.variant.seated if power in readers)
    if not to or len(to) < len(readers):
        return ()
    named = tuple(names_of_people(session))
    forms = [forms_of(language, named) for language in session.languages]
    parts = [divide_by_readers(session, each, "calling", to, words.strip()) for each in forms]
    return to if all(len(each) == 1 for each in parts) else ()


def _greeted(session: LetterSession, others: frozenset[str], words: str) -> tuple[frozenset[str], str]:
    """Those of the readers, but not all, to whom words speak first, in any language, and the form of that."""
    named, low = names_of_people(session), clean(words.strip().partition("\n")[0]).text.lower()
    every = (_named_first(session, forms_of(each, tuple(named)), named, low) for each in session.languages)
    first, way = next((first for first in every if first[0]), ((), ""))
    return frozenset(first) if frozenset(first) < others else frozenset(), way


def _named_first(
    session: LetterSession, forms: AddressForms, named: dict[str, str], low: str
) -> tuple[tuple[str, ...], str]:
    """The readers to whom a reply speaks first, and the form of that: what follows "Dear Tom," all may read."""
    for way, pattern in (("heading", forms.heading), ("hailing", forms.hailing), ("calling", forms.calling)):
        match = pattern.match(low)
        if match is not None:
            return readers_of(session, forms, named, match), way
    return (), ""
