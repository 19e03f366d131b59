"""Letters from seats: passes on replies to press, stores orders, obeys requests, and queues the one answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from gm.game.commands.decisions import with_decision
from gm.game.commands.definite import with_definite_commands
from gm.game.commands.own_orders_again import with_own_orders_again
from gm.game.commands.perform import perform, role_of
from gm.game.commands.replaced_players import without_replaced_players
from gm.game.commands.votes_taken_back import with_votes_taken_back
from gm.game.identity import which_phase
from gm.game.identity.hidden_tokens import hide_in_letter
from gm.game.identity.references import settle_reference
from gm.game.identity.sender import PRESS, ProvenSender, Sender
from gm.game.intake import chronicle_replies, held_letters, lobby_words
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.intake.orders_elsewhere import with_attached, with_forwarded, with_notes, with_quoted, with_subject
from gm.game.intake.reading_passes import with_passes
from gm.game.letters import answer, reply_limits
from gm.game.model.loaded_game import load_game
from gm.game.model.records import InboxRow, Letter, Question
from gm.game.orders import gm_orders, proxy
from gm.game.press import delivery, press_or_orders, restrictions, write
from gm.game.proposals import named_proposals, proposals, waiting_proposals
from gm.game.proposals.choices import read_choices
from gm.game.proposals.proposal_replies import read_closing_reply, read_reply, without_idle_yes
from gm.game.proposals.settled_lines import settle_press
from gm.game.session import notices, seat_changes
from gm.game.session.open_lines import remember_open_lines
from gm.game.session.session import LetterSession
from gm.game.turns import overrule
from gm.game.votes.poll_answers import take_poll_answer
from gm.language.commands.command_line import is_in_capitals
from gm.language.commands.in_words import plain_questions
from gm.language.commands.observers import StopRequest
from gm.language.commands.players import LanguageRequest
from gm.language.commands.press_or_orders import press_address_line
from gm.language.commands.requests import PressRequest
from gm.language.commands.table import rows_of
from gm.language.i18n.guess_language import guess_language, is_plain_english
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH, vocabulary_of
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.other_phases import AHEAD
from gm.language.letter.talk import small_talk
from gm.language.lines.letter_contents import LetterContents, LineError, OrderLine, RequestLine, only_asks
from gm.language.lines.spans import Fate, remarks

SURE = 3
"""Different words of a language that a letter with orders must have to be in it."""
SENTENCE = 5
"""Fewest words of a line that takes orders back in a sentence: "Wien und Budapest sollen die Ziele tauschen"."""
BEGINNING = 200
"""Lines of a letter that show in which language it is written."""
NOT_COUNTED = "not-taken-"
"""How the keys of clauses begin that were understood and do not count: drafts, reports, doubts."""


def letters_from_seats(incoming: IncomingLetter) -> ClosedAs | None:
    """A letter of a player, a game master or an observer about the game of their seat."""
    if not isinstance(incoming.sender, ProvenSender) or incoming.sender.seat is None:
        return None
    person, seat, question = incoming.sender.person, incoming.sender.seat, incoming.question
    services, store, row = incoming.services, incoming.store, incoming.row
    letter = reply_limits.read_unsubscribe_button(incoming.words)
    loaded_game = load_game(services, store, store.games.lock(seat.game))
    session = LetterSession(services, store, row, letter, person, seat, loaded_game, seat.power)
    session.seat_only = bool(incoming.sender.keyed)
    session.notes += incoming.notes
    confirmed = held_letters.confirmed_lines(incoming)
    if letter.refused:
        session.notes.append(reply_limits.refusal_note(services, letter))
    elif confirmed:
        _obey_withheld(session, letter, confirmed)
    elif question is not None and question.kind == PRESS and question.seat == seat.id and not question.answered:
        row = _answer_press_question(session, incoming.sender, question) or row
        if row is incoming.row:
            obey_letter(session, letter)
            if session.is_idle:
                session.note("press-question-waits", done=False, headline=True)
    elif session.observes and not session.may_observe:
        session.note("observers-off", done=False)
    elif not _reply_to_press(session, letter):
        return DONE
    if not session.withheld:
        answer_letter(session, again=bool(confirmed))
        return DONE
    if not session.is_idle:
        what = ", ".join(dict.fromkeys(session.withheld.values()))
        session.note("withheld", done=False, what=what, address=person.addresses[0])
        answer_letter(session)
    return held_letters.hold(incoming, session.person, seat, session.withheld, row)


def _reply_to_press(session: LetterSession, letter: Letter) -> bool:
    """Pass on a reply to press, obey any other letter. False if the writer was asked which of the two it is."""
    channel = which_phase.find_press_channel(session.store, letter, session.seat)
    reading = read_letter(letter.lines_with_quotes, session.context)
    if chronicle_replies.take_reply(session, letter, reading):
        return True
    if not channel or not _is_press(reading):
        obey_letter(session, letter, reading)
    elif _addresses_itself(session, letter, reading):
        obey_letter(session, letter, reading)
        if reading.prose:
            session.note("press-rest", done=False)
    elif session.observes:
        session.note("observers-listen", done=False)
    elif press_or_orders.ask(_in_language(session, _written_in(session, letter, reading)), letter, reading, channel):
        return False
    else:
        write.reply_to_press(session, channel, reply_limits.own_words(letter))
        proposals.propose(session, LetterContents())
    return True


def obey_letter(
    session: LetterSession, letter: Letter, reading: LetterContents | None = None, held: InboxRow | None = None
) -> None:
    """Obey the lines of a letter, in their order. `reading`: it was read already, in its writer's language.

    A letter that was held came in an earlier row, and counts for the phase that was open then.
    """
    vote, letter = take_poll_answer(session, letter)
    if (decided := with_decision(session, letter)) is not letter:
        letter, reading = decided, None
    if vote is None and (named := named_proposals.read_named_answer(session, letter)) is not None:
        obey(session, named_proposals.answer_by_name(session, named))
        return
    reading = reading if vote is None else None
    reply = read_reply(session, letter) or read_closing_reply(session, letter) if vote is None else None
    if vote is None and reply is None and (plain := without_idle_yes(session, letter)) is not letter:
        letter, reading = plain, None
    reading = _read(session, letter, reading) if reply is None else _read(session, reply.rest)
    if reply is None:
        reading = with_notes(session, letter, with_quoted(session, letter, read_choices(session, letter, reading)))
    for row in (session.row,) if held is None else (session.row, held):
        session.late_for = session.late_for or which_phase.find_late_phase(
            session.store, row, letter, session.loaded_game, master=session.master
        )
    if which_phase.means_open_phase(session.late_for, reading.orders, session.loaded_game):
        session.late_for = ""
    own = reply.rest if reply is not None and not reply.yes else letter
    is_reply = reply is not None and reply.yes and not reply.unsure
    reading = with_passes(session, own, reading, is_reply=is_reply, was_held=held is not None)
    asks = reading.orders or reading.requests or not all(trouble.obeyed for trouble in reading.troubles)
    if reply is None and not asks and _thanks(session, letter):
        session.note("you-are-welcome", headline=True)
        reading = replace(reading, troubles=(), unanswered=())
    if reply is None and not reading.orders and lobby_words.says(letter, session.services.letters.languages, "delete"):
        lobby_words.tell_operators(session.services, session.store, "delete", session.person.addresses[0])
        session.note("privacy-delete", headline=True)
    if vote is not None:
        reading = replace(reading, requests=(vote, *reading.requests))
    if reply is None:
        waiting_proposals.keep_beside_orders(session, reading)
    obey(session, reading if reply is None else proposals.answer_proposals(session, reply, reading))


def _thanks(session: LetterSession, letter: Letter) -> bool:
    """Whether the letter only thanks. It is answered in its language if its writer has chosen none."""
    words = reply_limits.own_words(letter)
    language = next((each for each in session.languages if small_talk.is_thanks(words, (each,))), "")
    if language:
        session.hear_for_once(language)
    return bool(language)


def _obey_withheld(session: LetterSession, letter: Letter, lines: Collection[int]) -> None:
    """Obey the lines that were withheld, now that the address of record has confirmed them."""
    reading = _read(session, letter)
    obey(session, LetterContents(requests=tuple(given for given in reading.requests if given.line in lines)))


def _read(session: LetterSession, letter: Letter, reading: LetterContents | None = None) -> LetterContents:
    """The letter read in another language, if its writer has chosen none and it is written or understood in that.

    It is the writer's from then on, if the letter proves them. Who has chosen a language may use the game's as well,
    and ask for another. A long letter is read in it only if its beginning holds something.
    """
    reading = with_subject(
        session, letter, reading or read_letter(letter.lines_with_quotes, session.context), session.context
    )
    written = _written_in(session, letter, reading)
    understood = any(trouble.key.startswith(NOT_COUNTED) for trouble in reading.troubles)
    own = any(order.line not in reading.in_other_language for order in reading.orders)
    asks = bool(own or reading.requests or understood)
    chosen = session.person.language
    for language in session.languages[1:]:
        if chosen and language not in (written, session.loaded_game.settings.language):
            continue
        speaks = language == written or bool(chosen and _has_commands_of(language, letter))
        if asks and not speaks:
            continue
        context = session.context_in(language)
        if len(letter.lines) > BEGINNING and not _holds_something(read_letter(letter.lines[:BEGINNING], context)):
            continue
        other = with_subject(session, letter, read_letter(letter.lines_with_quotes, context), context)
        whole = _holds_something(other) and all(trouble.obeyed for trouble in other.troubles)
        whole = whole and _answers_lines_of(reading, other)
        whole = whole or (not reading.troubles and _proposes(session, letter, other, language))
        if _understood(other) >= _understood(reading) if speaks else whole:
            if chosen and language != written:
                return other
            chooses = any(isinstance(given.request, LanguageRequest) for given in other.requests)
            asked = _language_asked_for(reading, session.services.letters.languages) == language
            tells = asked or _holds_something(other) or language == ENGLISH
            withheld = asked and session.seat_only  # it concerns the writer in all games
            if tells or _may_ask_something(other):
                _hear(session, language, announced=tells and not (chooses or withheld), asked=asked)
            else:  # it may be for others, or a quotation
                session.hear_for_once(language)
            asking = next((each for each in reading.troubles if each.suggestions == (f"LANG {language}",)), None)
            heard = (each for each in other.troubles if each.suggestions != (f"LANG {language}",))
            wishes = (RequestLine(asking.line, asking.text, LanguageRequest(language)),) if withheld and asking else ()
            return replace(other, troubles=tuple(heard), requests=(*other.requests, *wishes))
    return reading if asks else with_attached(session, letter, with_forwarded(session, letter, reading))


def _in_language(session: LetterSession, language: str) -> LetterSession:
    """The session with its writer reading this language; unchanged for ""."""
    return replace(session, person=replace(session.person, language=language)) if language else session


def _written_in(session: LetterSession, letter: Letter, reading: LetterContents) -> str:
    """The language that the letter asks for, or else that of its sentences, if its writer has chosen none; "" for a few
    words of English, which all may use.
    """
    others, known = reading.in_other_language, session.services.letters.languages
    words = list(_own_sentences(letter, reading)) or [letter.subject]
    if asked := _language_asked_for(reading, known):
        return asked if asked != session.language else ""
    if session.person.language:
        return ""
    if session.language != ENGLISH and is_plain_english(words, known):
        return ENGLISH
    if any(given.line not in others for given in reading.requests):
        return ""
    certain = bool(others) or letter.language not in ("", ENGLISH)
    least = SURE if reading.orders else SURE - 1 - certain
    header = "" if reading.orders else letter.language
    codes = frozenset(map(str.casefold, session.loaded_game.position.board.provinces))
    language = guess_language(words, known, least, header, codes)
    return "" if language == ENGLISH else language


def _has_commands_of(language: str, letter: Letter) -> bool:
    """Whether a line begins with a command that is one in this language, not in English."""
    lines = (clean(words).text for _, words in letter.lines[:BEGINNING])
    return any(vocabulary_of(language).english(line).casefold() != line.casefold() for line in lines)


def _own_sentences(letter: Letter, reading: LetterContents) -> Iterator[str]:
    """The lines that speak to the game master: none of press, and no commands with the lines below them."""
    asking = {given.line for given in reading.requests}
    spoken = {span.line for span in reading.spans if span.fate is Fate.TALK and len(span.text.split()) > 1}
    commands = {span.line for span in reading.spans if span.fate is Fate.COMMAND} - asking - spoken
    others = {span.line for span in reading.spans if span.fate is Fate.PRESS}
    others |= {number for number, words in letter.lines if number in commands and len(words.split()) < SENTENCE}
    for number, words in letter.lines:
        if words.strip() and number not in others and not (number in asking and is_in_capitals(words)):
            yield words


def _language_asked_for(reading: LetterContents, known: Collection[str]) -> str:
    """The language in which a sentence asks for letters: "English, please"; "" for none, or several."""
    suggested = {trouble.suggestions for trouble in reading.troubles}
    asked = [language for language in known if (f"LANG {language}",) in suggested]
    return asked[0] if len(asked) == 1 else ""


def _answers_lines_of(reading: LetterContents, other: LetterContents) -> bool:
    """Whether every line that the first reading refuses says something in the other one."""
    refused = {trouble.line for trouble in reading.troubles if not trouble.obeyed}
    return refused <= {given.line for given in other.orders} | {given.line for given in other.requests}


def _understood(reading: LetterContents) -> int:
    return len(reading.orders) + len(reading.requests) - sum(not trouble.obeyed for trouble in reading.troubles)


def _hear(session: LetterSession, language: str, *, announced: bool, asked: bool) -> None:
    """`announced`: the answer says so; where nothing was understood, that comes first. `asked`: the letter wants it."""
    session.person = replace(session.person, language=language)
    if not session.seat_only:
        session.store.people.save(session.person)
    if announced:
        session.note("language-read" if session.seat_only else "language-asked" if asked else "language-heard")


def _may_ask_something(reading: LetterContents) -> bool:
    """Whether words may be for the server, and so tell its writer's language."""
    return any(trouble.suggestions or not trouble.obeyed for trouble in reading.troubles)


def _holds_something(reading: LetterContents) -> bool:
    return bool(reading.orders or reading.requests)


def _proposes(session: LetterSession, letter: Letter, reading: LetterContents, language: str) -> bool:
    """Whether a reading proposes something, of words that are in no other language; or hints at a command, of words
    that are in this one.
    """
    words, known = _own_sentences(letter, reading), session.services.letters.languages
    guessed = guess_language(words, known)
    hints = guessed == language and any(trouble.key == plain_questions.KEY for trouble in reading.troubles)
    return hints or (guessed in ("", language) and any(trouble.suggestions for trouble in reading.troubles))


def obey(session: LetterSession, reading: LetterContents) -> None:
    late = bool(session.late_for) and bool(reading.orders)
    reading = proposals.with_own_commands(session, reading)
    reading = with_own_orders_again(session, with_definite_commands(session, reading))
    reading = with_votes_taken_back(session, without_replaced_players(session, reading))
    session.troubles += tuple(each for each in reading.troubles if not session.late_for or _is_request(each))
    proposed = {trouble.line for trouble in reading.troubles if trouble.suggestions}
    session.remarks = tuple(line for line in remarks(reading.spans) if line not in proposed)
    asked = (f"{each.marked.strip()}?" for each in reading.troubles if session.late_for and only_asks(each))
    session.unanswered = (*reading.unanswered, *asked)
    session.keeps_orders = reading.keeps_orders and not session.unanswered
    session.has_errors = any(not trouble.obeyed for trouble in reading.troubles)
    session.was_late = late or (bool(session.late_for) and session.has_errors)
    lines = gm_orders.in_line_order(reading)
    session.last_line = lines[-1].line if lines else 0
    if restrictions.waits_for_orders(session.loaded_game.settings):
        lines.sort(key=lambda given: isinstance(given, RequestLine) and isinstance(given.request, PressRequest))
    for given in lines:
        if not gm_orders.moves_clock(given):
            session.tell_waiting()
        if isinstance(given, OrderLine):
            _order(session, given)
        else:
            perform(session, given, role_of(session))
    session.tell_waiting()
    if session.plays:
        settle_press(session, reading)
        remember_open_lines(session, reading)
    waiting_proposals.close_repeated(session, reading)
    proposals.propose(session, reading)
    if session.drafts and session.plays and session.loaded_game.lenders(session.author):
        session.own_sheets()  # the answer also shows sheets that others have lent
    session.flush()
    if session.plays and session.seat.open and session.stored:
        seat_changes.close_seat(session)
    proxy.announce_loans(session)
    delivery.deliver_intercepted_press(session.services, session.store, session.loaded_game)
    overrule.enact_overrules(session)
    notices.send_notices(session)


def _is_request(trouble: LineError) -> bool:
    """Whether a YES takes a command for it, which is of no phase."""
    return trouble.obeyed and bool(trouble.suggestions) and trouble.key != AHEAD


def _order(session: LetterSession, given: OrderLine) -> None:
    if session.late_for:
        return
    if session.closed:
        session.note_once("locked-orders", headline=True, phase=session.game.phase)
        return
    if session.loaded_game.running and session.plays:
        gm_orders.put_order(session, given.statement, given.line, given.power)
        return
    key = (
        "orders-in-block" if session.master and session.loaded_game.running else which_phase.closed_reason(session.game)
    )
    session.note_once(key, what="ORDERS")


def answer_letter(session: LetterSession, *, again: bool = False) -> None:
    """Queue the answer. It shows nothing of a seat that the letter has given up.

    `again`: the letter was answered before, when a part of it was withheld.
    """
    if session.left:
        reader = replace(session.person, language=session.language)  # no seat tells it any more
        reply_limits.send_plain_answer(
            session.services, session.store, session.row, session.letter, reader, *session.notes
        )
        return
    idle = not (session.done or session.notes or session.inserts)
    if idle and not session.master and not session.loaded_game.running:
        session.note(which_phase.closed_reason(session.game), done=False, what="ORDERS")
    if session.loaded_game.running and session.plays and not session.done and not session.was_late:
        session.own_sheets()
        session.flush()
    letter = answer.render_answer(
        session.services, session.store, session.row, session.letter, session.game, session.seat, session.report()
    )
    if again:
        cause = f"{letter.cause}:confirmed"
        message_id = session.services.post.message_id(cause, letter.kind, letter.address)
        letter = replace(letter, cause=cause, message_id=message_id)
    refuses = idle or session.has_errors or any(not note.done for note in session.notes)
    reply_limits.send_answer(session.services, session.store, letter, refuses=refuses, to_master=session.master)


# ---- replies to press


def _is_press(reading: LetterContents) -> bool:
    """A reply to press is press, unless it holds only private requests ("STATUS") or PRESS TO."""
    asked = [
        given.request
        for given in reading.requests
        if not isinstance(given.request, StopRequest) or given.text.isupper()
    ]
    alone = not (reading.orders or reading.troubles or reading.prose)
    private = all(any(row.private for row in rows_of(request)) for request in asked)
    return not (asked and alone and private)


def _addresses_itself(session: LetterSession, letter: Letter, reading: LetterContents) -> bool:
    """Whether a reply to press says by PRESS TO whom it is for, and holds nothing that may be meant otherwise."""
    plain = not (reading.orders or reading.troubles or session.observes)
    return plain and any(press_address_line(letter.lines, context) for _, context in session.contexts)


def _answer_press_question(session: LetterSession, sender: Sender, question: Question) -> InboxRow | None:
    """The answer to "press or orders?"; returns the letter that it is about, None if it says neither."""
    word = press_or_orders.read_choice(session, question)
    if not word:
        return None
    session.store.turns.mark_answered(question.code)
    row = session.store.inbox.get(question.inbox)
    held = settle_reference(session.services, session.store, session.services.open_letter(row))
    held = hide_in_letter(session.services, session.store, held, sender)
    divided = press_or_orders.divide_reply(question, held) if word not in ("PRESS", "ORDERS") else None
    if divided is not None:
        obey_letter(session, divided.for_master(held), held=row)
    elif word != "PRESS":
        obey_letter(session, held, held=row)
    if word != "ORDERS":
        words = reply_limits.own_words(held) if divided is None else divided.press
        own = press_or_orders.own_press(session, words)
        for request in own:
            write.write_press(session, request, 0)
        if not own:
            write.reply_to_press(session, press_or_orders.channel_of(question), words, agreed=True)
        proposals.propose(session, LetterContents())
    return row
