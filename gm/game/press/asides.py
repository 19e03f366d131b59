"""Parts of a reply to press that speak to players outside of its channel: "Thanks! To Tom: let us attack Luc"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from gm.game.model.records import MASTER
from gm.game.press.addressing import AddressForms, forms_of, power_names
from gm.game.session.session import LetterSession
from gm.language.i18n.normalize import clean

A_LIST = 3
"""Names of so many powers with a colon behind each are headings of what is said about them: "Italy: 5 centres"."""


def find_asides(session: LetterSession, sentences: Sequence[str], members: Collection[str]) -> Iterator[int]:
    """The sentences of a reply that call players outside of its channel, and those behind them up to one that calls
    somebody in it: what the others are told goes on until then.
    """
    if set(members) <= {session.author, MASTER}:
        return
    named = names_of_many(session)
    listed = _is_list(session, named, "\n".join(sentences))
    goes_on = False
    for at, sentence in enumerate(sentences):
        calls = tuple(_calls(session, named, sentence, listed=listed))
        inside = any(each & set(members) for each in calls)
        goes_on = not all(each & {*members, session.author} for each in calls) or (goes_on and not inside)
        if goes_on:
            yield at


def names_of_many(session: LetterSession) -> Mapping[str, frozenset[str]]:
    """Whom the names of players and powers may mean, in small letters: also names that several have."""
    powers = {name: frozenset({power}) for name, power in power_names(session).items()}
    people = {name: frozenset(each) - {MASTER} for name, each in session.loaded_game.people().items()}
    return {name: each for name, each in people.items() if each} | powers


def _calls(
    session: LetterSession, named: Mapping[str, frozenset[str]], sentence: str, *, listed: bool
) -> Iterator[frozenset[str]]:
    """Those whom each address in a sentence may mean."""
    low, powers = " ".join(clean(sentence).text.lower().split()), power_names(session)
    if not any(name in low for name in named):
        return
    for language in session.languages:
        forms = forms_of(language, named)
        heads = (each for each in forms.spoken_to.finditer(low) if each["marked"] or not listed)
        called = (each for each in forms.called.finditer(low) if _is_address(forms, each, powers))
        spoken = (each for each in forms.vocative.finditer(low) if not forms.inserted.match(low, each.end()))
        for match in (*heads, *called, *forms.hailing.finditer(low), *spoken):
            if match["every"] is None:
                yield frozenset[str]().union(*(named[name] for name in forms.names.findall(match["to"])))


def _is_address(forms: AddressForms, called: re.Match[str], powers: Collection[str]) -> bool:
    """Whether a name with a comma behind it is called: a power's only in an exclamation, "Italy, attack them now!"."""
    if not any(name in powers for name in forms.names.findall(called["to"])):
        return True
    return called.string.endswith("!") and forms.names.match(called.string, called.end()) is None


def _is_list(session: LetterSession, named: Mapping[str, frozenset[str]], words: str) -> bool:
    low, powers = "\n".join(clean(line).text.lower() for line in words.split("\n")), power_names(session)
    heads = (match for language in session.languages for match in forms_of(language, named).spoken_to.finditer(low))
    return len({powers[match["to"]] for match in heads if not match["marked"] and match["to"] in powers}) >= A_LIST
