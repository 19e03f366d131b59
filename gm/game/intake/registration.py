"""Answers letters from unknown addresses. Whoever asks to play is registered once their address is proven.

A letter proves its sender, or a YES to a question does, which goes to the address. Without proof an address is written
to once a day: a forged letter must not make us a nuisance. The question is short and quotes nothing of the letter;
what the letter asks for is kept with it, and done when the YES comes.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.game.commands import no_seat
from gm.game.intake import lobby_words, strangers
from gm.game.intake.incoming_letter import IncomingLetter
from gm.game.letters.reply_limits import own_words
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import InboxRow, Letter, Person
from gm.game.model.services import Services
from gm.game.players import people
from gm.game.session import confirmation_requests
from gm.game.session.no_seat import session_without_game
from gm.game.session.session import NO_LETTER, LetterSession
from gm.game.views.public import game_list
from gm.language.commands import observers, players
from gm.language.commands.in_words.joining_in_words import split_name
from gm.language.commands.requests import PressRequest
from gm.language.i18n.catalogue import FALLBACK, language_named
from gm.language.i18n.guess_language import guess_language
from gm.language.lines.letter_contents import LetterContents, Request

REGISTER = "register"
"""Kind of the question to somebody who asks to play."""
LINES_MOST = 10
WORDS_MOST = 120
LETTER_MOST = 2000
"""Characters of a line that is kept, and of the words to a game master below one."""
KEPT: tuple[type[Request], ...] = (
    players.JoinRequest,
    players.TakeoverRequest,
    players.PreferRequest,
    observers.ObserveRequest,
    players.NotifyRequest,
    PressRequest,
)
"""Requests of a stranger that are done after the YES. None of them concerns an address."""


class StrangerWishes(Struct, frozen=True):
    """What a stranger's letter asks for. `lines` are those of `KEPT` requests; `registers`: it asks to be let in."""

    language: str
    registers: bool
    name: str = ""
    zone: str = ""
    lines: tuple[str, ...] = ()

    def payload(self) -> dict[str, str]:
        return {
            "name": self.name,
            "zone": self.zone,
            "language": "" if self.language == FALLBACK else self.language,  # English is no choice: games have one
            "lines": "\n".join(self.lines),
        }


def answer_stranger(incoming: IncomingLetter) -> None:
    services, store, letter = incoming.services, incoming.store, incoming.letter
    sender = letter.sender.lower()
    if letter.failed or not people.is_valid_address(services, sender):
        return
    if not letter.proven and (letter.ref or services.post.keys(letter.delivered_to)):
        return  # it does not come from somebody new, and a wrong token earns no answer
    reading, language = no_seat.read_of_stranger(services, store, letter)
    claim = next((each.request for each in reading.requests if isinstance(each.request, players.IAmAlsoRequest)), None)
    if claim is not None:
        claim_address(incoming, claim, sender, language)
        return
    asked = _wishes(services, letter, reading, language)
    asked = replace(asked, name=asked.name or people.tidy_name(letter.sender_name))
    if asked.registers and services.registration:
        if letter.proven:
            session = _register(services, store, incoming.row, letter, sender, asked.payload())
            no_seat.serve(session, no_seat.only_lookups(reading))
            incoming.reply(session.person, *session.notes, inserts=session.inserts)
            return
        payload = asked.payload()
        confirmation_requests.ask_for_confirmation(
            services, store, REGISTER, sender, payload, language=payload["language"]
        )
        return
    languages = services.letters.languages
    answers = lobby_words.public_answers(services, letter) or lobby_words.unknown_game(services, store, letter)
    leaves = lobby_words.says(letter, languages, "leaves") and not answers  # who asks something wants an answer
    wish = lobby_words.privacy_wish(letter, languages) or ("stop" if leaves else "")
    if wish and not asked.registers:
        strangers.answer_privacy(services, store, sender, wish, asked.language)
        return
    if strangers.answer(services, store, sender, asked.payload(), asked.language, answers) or not letter.proven:
        return
    wants = any(lobby_words.says(letter, languages, words) for words in ("wants", "games")) and not answers
    if reading.requests or answers or wants or lobby_words.asks(letter, languages):
        strangers.answer_again(incoming, reading, asked.language, answers, wants=wants)


def claim_address(incoming: IncomingLetter, claim: players.IAmAlsoRequest, sender: str, language: str) -> None:
    """I AM ALSO: asks the address it names. The answer is the same whether somebody is registered with that or not."""
    words, known = [words for _, words in incoming.letter.lines], incoming.services.letters.languages
    nobody = Person(0, "", (sender,), incoming.services.zone, guess_language(words, known) or language)
    session = session_without_game(incoming.services, incoming.store, incoming.row, NO_LETTER, nobody)
    people.claim(session, claim, sender)
    if incoming.letter.proven or incoming.question is not None:  # the code of a question has come to it
        incoming.reply(nobody, Note("desk.claimed", (("address", claim.address),)))


def _wishes(services: Services, letter: Letter, reading: LetterContents, language: str) -> StrangerWishes:
    requests = [given.request for given in reading.requests]
    form = next((request for request in requests if isinstance(request, players.RegisterRequest)), None)
    names = [request.name for request in requests if isinstance(request, players.NameRequest)]
    names.append(split_name(" ".join(own_words(letter).split()), services.letters.languages)[0])
    lines = _kept_lines(letter, reading)
    words = [letter.subject, *(words for _, words in letter.lines)]
    language = guess_language(words, services.letters.languages, header=letter.language) or language
    return StrangerWishes(
        language_named(form.language if form else "") or language,
        form is not None or bool(lines),
        people.tidy_name(next((name for name in (form.name if form else "", *names) if name), "")),
        form.zone[:60] if form else "",
        lines,
    )


def _kept_lines(letter: Letter, reading: LetterContents) -> tuple[str, ...]:
    written = dict(letter.lines)
    kept = [given for given in reading.requests if isinstance(given.request, KEPT) and given.line in written]
    return tuple(dict.fromkeys(_kept_line(given.request, written[given.line]) for given in kept))[:LINES_MOST]


def _kept_line(request: Request, line: str) -> str:
    """What asks for the same; with its lines below for words to a game master."""
    if isinstance(request, players.JoinRequest):  # also of a sentence
        return request.line[:LETTER_MOST]
    if isinstance(request, PressRequest):
        return f"PRESS TO {', '.join(request.to)}\n{request.text[:LETTER_MOST]}\nENDPRESS"
    return line.strip()[:WORDS_MOST]


# ---- the answer to the question


def wants_in(plea: confirmation_requests.ConfirmationRequest) -> bool:
    """Whether an answer without YES asks to play all the same."""
    if lobby_words.open_game_meant(plea.services, plea.store, plea.letter):
        return True
    reading, _ = no_seat.read_of_stranger(plea.services, plea.store, plea.letter)
    return any(isinstance(given.request, (players.RegisterRequest, *KEPT)) for given in reading.requests)


def register_confirmed(plea: confirmation_requests.ConfirmationRequest) -> LetterSession | None:
    """Register the person and do what both letters ask for. None where nobody may register."""
    if not plea.services.registration and plea.store.people.by_address(plea.address) is None:
        return None
    reading, language = no_seat.read_of_stranger(plea.services, plea.store, plea.letter)
    more = _wishes(plea.services, plea.letter, reading, language)
    payload = dict(plea.payload)
    kept = payload_lines(payload)
    meant = "" if more.lines else lobby_words.open_game_meant(plea.services, plea.store, plea.letter)
    wanted = (f"JOIN {meant}"[:WORDS_MOST],) if meant and not kept else more.lines
    payload["lines"] = "\n".join((*kept, *(line for line in wanted if line not in kept)))
    payload["name"] = more.name or payload["name"]
    payload["zone"] = payload["zone"] or more.zone
    return _register(plea.services, plea.store, plea.row, plea.letter, plea.address, payload)


def payload_lines(payload: Mapping[str, str]) -> tuple[str, ...]:
    """The kept lines. Questions of earlier versions have one request, as a word and what follows it."""
    if wish := payload.get("wish"):
        return (f"{wish.upper()} {payload['words']}".strip(),)
    return tuple(payload.get("lines", "").split("\n")) if payload.get("lines") else ()


def _register(
    services: Services, store: Store, row: InboxRow, letter: Letter, address: str, payload: Mapping[str, str]
) -> LetterSession:
    before = store.people.by_address(address)
    zone, language = payload["zone"] or services.zone, payload["language"]
    person = people.find_or_add_person(store, address, payload["name"], zone, language)
    lines = payload_lines(payload)
    kept = replace(letter, lines=tuple(enumerate(lines, 1)))
    session = session_without_game(services, store, row, kept, person)
    if before is None:
        session.note("registered", headline=True, name=person.name, address=address, zone=person.zone)
    no_seat.serve(session, no_seat.read_of_stranger(services, store, kept)[0])
    if not lines:
        games = game_list.open_games(services, store)
        session.note(
            "registered-games" if games else "registered-no-games",
            games=", ".join(games),
            first=games[0] if games else "",
        )
    return session
