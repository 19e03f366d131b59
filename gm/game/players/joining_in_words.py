"""JOIN and I AM ALSO from plain words: "I want to join ostend as Russia" asks for the same as JOIN ostend Russia."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.game.model.ports import Store
from gm.game.model.recipient import variant_of
from gm.game.model.records import Game, GameState, Letter
from gm.game.model.reply_addresses import GAME_NAME
from gm.game.model.services import Services
from gm.language.commands import observers, players
from gm.language.commands.in_words.joining_in_words import find_joining, find_other_address, split_name
from gm.language.commands.preferences import wish_in_letter
from gm.language.commands.requests import CreateRequest
from gm.language.i18n.catalogue import FALLBACK
from gm.language.i18n.guess_language import guess_language
from gm.language.i18n.localized_variant import localized
from gm.language.lines.letter_contents import LetterContents, Request, RequestLine
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING

SAYS_WHICH: tuple[type[Request], ...] = (
    players.JoinRequest,
    players.TakeoverRequest,
    players.PreferRequest,
    players.ResignRequest,
    players.IAmAlsoRequest,
    observers.ObserveRequest,
    CreateRequest,
)
"""Commands of a letter whose sentences stand beside them."""


def with_joining(
    services: Services, store: Store, letter: Letter, reading: LetterContents, *, besides: str = ""
) -> LetterContents:
    """The reading with JOIN, and NAME, for a sentence that asks to play; as it is where a command does.

    `besides`: the name of a game that is not meant, because the writer plays there.
    """
    languages = services.letters.languages
    if any(isinstance(given.request, SAYS_WHICH) for given in reading.requests):
        return _with_name(reading, languages)
    if not reading.spoken(letter.lines):
        return reading
    if (claim := _claim(letter, languages)) is not None and not reading.requests:
        return replace(reading, requests=(claim,))
    taken = {span.line for span in reading.spans if span.fate in (Fate.COMMAND, Fate.PRESS, Fate.ORDER)}
    talk = [(number, words) for number, words in letter.lines if number not in taken]
    sender = letter.sender.lower()
    joining = find_joining(talk, languages, lambda word: word != besides and _game(store, word) is not None, sender)
    game = _game(store, joining.game) if joining is not None else None
    if joining is None or game is None:
        return reading
    language = guess_language((words for _, words in talk), languages) or FALLBACK
    of_first = ((joining.game, joining.words), joining.of_others)
    asked: list[Request] = []
    for (name, words), of_others in (of_first, *((more, "") for more in joining.more)):
        if (meant := _game(store, name)) is not None:
            wish = wish_in_letter(words, localized(variant_of(services, meant), language))
            asked.append(players.JoinRequest(f"{meant.name} {wish.unknown or wish.text}".strip(), of_others))
    if joining.name and not any(isinstance(given.request, players.NameRequest) for given in reading.requests):
        asked.append(players.NameRequest(joining.name))
    troubles = tuple(
        trouble for trouble in reading.troubles if trouble.line != joining.line or trouble.key not in ASK_FOR_NOTHING
    )
    more = tuple(RequestLine(joining.line, joining.text, request) for request in asked)
    unanswered = tuple(words for words in reading.unanswered if words.strip() not in joining.sentence)
    return replace(reading, requests=(*reading.requests, *more), troubles=troubles, unanswered=unanswered)


def _claim(letter: Letter, languages: Sequence[str]) -> RequestLine | None:
    other = find_other_address(letter.lines, languages)
    return RequestLine(other[0], other[1], players.IAmAlsoRequest(other[2])) if other is not None else None


def _with_name(reading: LetterContents, languages: Sequence[str]) -> LetterContents:
    """With the name that stands in the line with JOIN: "JOIN ostend, my name is Bob Miller"."""
    join = next((given for given in reading.requests if isinstance(given.request, players.JoinRequest)), None)
    name = split_name(join.text, languages)[0] if join is not None else ""
    if join is None or not name or any(isinstance(given.request, players.NameRequest) for given in reading.requests):
        return reading
    return replace(reading, requests=(*reading.requests, RequestLine(join.line, join.text, players.NameRequest(name))))


def _game(store: Store, word: str) -> Game | None:
    game = store.games.by_name(word) if GAME_NAME.fullmatch(word) else None
    return game if game is not None and game.state is not GameState.ENDED else None
