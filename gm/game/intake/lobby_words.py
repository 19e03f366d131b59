"""What people without a seat mean in plain words: they leave a list, decline, ask something, want their data deleted.

`[lobby]` of grammars/plain_questions/<language>.toml has the words, in small letters without accents: `leaves` a list
(`leaves_game`: that of the game named behind it), asks which `games` look for players, `accepts` or `declines` an
invitation, would like `rather` another power, asks `who` is in, joins `instead` of another game, `wants` to play, means
`this_one` of some games or says `please` to it, asks `about` something, names what may be `no_game`, and what concerns
data and letters: `delete`, `stop`.
`[[public_answers]]` are questions that the sentence public.<key> answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from gm.game.letters import alarms, reply_limits
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.recipient import variant_of
from gm.game.model.records import Game, Letter, Person
from gm.game.model.reply_addresses import GAME_NAME
from gm.game.model.services import Services
from gm.game.session.no_seat import read_in_language
from gm.game.views.public import game_list
from gm.language.commands import parser, players
from gm.language.commands.in_words import plain_questions
from gm.language.commands.in_words.joining_in_words import wants_to_play
from gm.language.commands.preferences import wish_in_letter
from gm.language.commands.requests import LookupRequest
from gm.language.i18n.guess_language import guess_language
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import powers
from gm.language.lines.letter_contents import LetterContents, RequestLine
from gm.language.lines.sentences import sentences_of

FEWEST_WORDS = 4
"""Words of a question that somebody wants answered: "Is that ok?" is talk."""
OWN_GAME = "public.own-game"
"""Key of the answer to whoever wants to run a game and may not."""
LEFT_MOST = 40
"""Lines of a letter that are searched for games which its writer leaves."""
LETTER_SEARCHED = 1000
"""Characters of a letter that are searched."""


def says(letter: Letter, languages: Sequence[str], what: str) -> bool:
    """Whether a letter says one of the things that `[lobby]` knows."""
    return plain_questions.compiled_patterns("lobby", *languages)[what].search(_low(letter)) is not None


def asks(letter: Letter, languages: Sequence[str]) -> bool:
    """Whether a letter asks a question, or to play."""
    return "?" in reply_limits.own_words(letter) or says(letter, languages, "wants")


def _low(letter: Letter) -> str:
    words = reply_limits.own_words(letter)[:LETTER_SEARCHED]
    return " ".join(clean(words or letter.subject).text.lower().split())


# ---- questions that anybody may ask


def public_answers(services: Services, letter: Letter) -> tuple[Note, ...]:
    """The sentences that answer a letter's questions, each once."""
    languages = services.letters.languages
    low, titles = _low(letter), ", ".join(services.variant(each, {}).title for each in services.variant_ids)
    keys = (key for key, pattern in _public(languages) if pattern.search(low))
    return tuple(Note(f"public.{key}", (("variants", titles),)) for key in dict.fromkeys(keys))


def unknown_game(services: Services, store: Store, letter: Letter) -> tuple[Note, ...]:
    """A note on the game that somebody wants to join, where there is none of that name; () else."""
    pattern = plain_questions.compiled_patterns("lobby", *services.letters.languages)["no_game"]
    variants = [services.variant(each, {}) for each in services.variant_ids]
    others = {word for variant in variants for word in (variant.id, *variant.title.lower().split())}
    others |= {name for variant in variants for name in powers(variant.powers)}
    for match in pattern.finditer(_low(letter)):
        name = next(filter(None, match.groups()))
        if name not in others and GAME_NAME.fullmatch(name) and store.games.by_name(name) is None:
            return (Note("public.no-game", (("name", name),), done=False),)
    return ()


@lru_cache(maxsize=8)
def _public(languages: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    tables = plain_questions.tables_of("public_answers", *languages)
    return tuple((row["key"], re.compile("|".join(row["said"]))) for table in tables for row in table)


def unanswered(services: Services, letter: Letter) -> tuple[Note, ...]:
    """A note that quotes the questions of a letter that nothing here answers; () for none."""
    sentences = (" ".join(part.split()) for part in sentences_of(reply_limits.own_words(letter)[:LETTER_SEARCHED]))
    asked = [words for words in sentences if words.endswith("?") and len(words.split()) >= FEWEST_WORDS]
    left = [words for words in asked if not _is_answered(services, replace(letter, lines=((1, words),), subject=""))]
    return (Note("public.unanswered", (("words", " ".join(left)),), done=False),) if left else ()


def _is_answered(services: Services, question: Letter) -> bool:
    languages = services.letters.languages
    known = any(says(question, languages, what) for what in ("games", "who", "rather", "wants", "please"))
    read = any(read_in_language(services, question, language).requests for language in languages)
    wants = any(wants_to_play(question.lines, (language,)) for language in languages)
    return known or read or wants or bool(public_answers(services, question))


# ---- data and letters


def privacy_wish(letter: Letter, languages: Sequence[str]) -> str:
    """ "delete" for somebody who wants their data deleted, "stop" for no more letters; "" for neither."""
    return next((wish for wish in ("delete", "stop") if says(letter, languages, wish)), "")


def tell_operators(services: Services, store: Store, wish: str, address: str) -> None:
    """Tell whoever runs the server, once a day for each address; where nobody is named, whoever may create games."""
    fields = {"address": address}
    alarms.raise_alarm(services, store, f"wants-{wish}", fields, of=f":{services.post.code('privacy', address)[:8]}")


# ---- requests in sentences


def requests_in_words(services: Services, letter: Letter) -> LetterContents:
    """What concerns the writer alone, and LIST: "my new address is …", "which games have free seats?"."""
    languages = services.letters.languages
    asked = next(filter(None, (tuple(_personal(services, letter, language)) for language in languages)), ())
    if says(letter, languages, "games"):
        asked = (*asked, RequestLine(0, "", LookupRequest("games")))
    return LetterContents(requests=asked)


def _personal(services: Services, letter: Letter, language: str) -> Iterator[RequestLine]:
    """Whole commands about the writer that sentences of the letter mean."""
    variant = localized(services.variant(services.variant_ids[0], {}), language)
    known = plain_questions.rows_by_name()
    for trouble in read_in_language(services, letter, language).troubles:
        if trouble.key == plain_questions.MEANT and known[dict(trouble.fields)["commands"].split()[0]].personal:
            line = parser.read_command(clean(trouble.suggestions[0]).text, variant)
            if line is not None and line.request is not None:
                yield RequestLine(trouble.line, trouble.text, line.request)


# ---- people on a list


def requests_of_listed(services: Services, store: Store, letter: Letter, person: Person) -> LetterContents:
    """What somebody on the list of one game asks for: to leave it, another power, or who is in."""
    languages, games = services.letters.languages, _listed(store, person)
    if left := left_lists(services, store, letter, person):
        return LetterContents(requests=left)
    if len(games) != 1:
        return LetterContents()
    game = games[0]
    number, text = next(((number, words) for number, words in letter.lines if words.strip()), (0, ""))
    if says(letter, languages, "leaves"):
        return LetterContents(requests=(RequestLine(number, text, players.ResignRequest(game.name)),))
    asked: list[RequestLine] = []
    if says(letter, languages, "rather") and (wish := _wish(services, letter, game)):
        asked.append(RequestLine(number, text, players.PreferRequest(f"{game.name} {wish}")))
    if says(letter, languages, "who"):
        asked.append(RequestLine(number, text, players.WhoRequest(game.name)))
    return LetterContents(requests=tuple(asked))


def left_lists(services: Services, store: Store, letter: Letter, person: Person) -> tuple[RequestLine, ...]:
    """RESIGN for each game whose list a sentence leaves that names it: "Take me out of globe", "LEAVE globe"."""
    languages, names = services.letters.languages, {game.name for game in _listed(store, person)}
    leaves = plain_questions.compiled_patterns("lobby", *languages)["leaves_game"]
    left: dict[str, RequestLine] = {}
    for number, text in letter.lines[:LEFT_MOST] if names else ():
        for sentence in sentences_of(text[:LETTER_SEARCHED]):
            alone = replace(letter, lines=((number, sentence),), subject="")
            low, named = _low(alone), names.intersection(re.findall(r"[a-z0-9-]+", _low(alone)))
            match = leaves.search(low)
            certain = says(alone, languages, "leaves") or (
                match is not None and low[match.end() :].startswith(tuple(named))
            )
            if len(named) == 1 and certain and "?" not in low:
                left[min(named)] = RequestLine(number, sentence.strip(), players.ResignRequest(min(named)))
    return tuple(left.values())


def other_list(services: Services, store: Store, letter: Letter, person: Person, joined: str) -> Game | None:
    """The game whose list somebody leaves who wants to join this one instead."""
    others = [game for game in _listed(store, person) if game.name != joined]
    return others[0] if len(others) == 1 and says(letter, services.letters.languages, "instead") else None


def _listed(store: Store, person: Person) -> list[Game]:
    return [store.games.get(game) for game in dict.fromkeys(e.game for e in store.games.applications_of(person.id))]


def _wish(services: Services, letter: Letter, game: Game) -> str:
    words = reply_limits.own_words(letter)[:LETTER_SEARCHED]
    language = guess_language(words.split("\n"), services.letters.languages) or "en"
    return wish_in_letter(words, localized(variant_of(services, game), language)).text


# ---- strangers who answer the list of games


def open_game_meant(services: Services, store: Store, letter: Letter) -> str:
    """The words behind JOIN for "the standard one please, as Turkey"; "" where no single open game is meant."""
    languages, low = services.letters.languages, _low(letter)
    against = ("declines", "leaves", "about", "delete", "stop")
    if "?" in low or any(says(letter, languages, what) for what in against):
        return ""
    games = [game for name in game_list.open_games(services, store) if (game := store.games.by_name(name))]
    named = [game for game in games if set(_called(services, game)) & set(re.findall(r"[\w-]+", low))]
    meant = named or games
    asked = says(letter, languages, "this_one") or (named and says(letter, languages, "please"))
    if len(meant) != 1 or not asked:
        return ""
    return f"{meant[0].name} {_wish(services, letter, meant[0])}".strip()


def _called(services: Services, game: Game) -> Iterator[str]:
    variant = variant_of(services, game)
    yield from (game.name.lower(), variant.id.lower(), *variant.title.lower().split())
