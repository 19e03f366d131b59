"""PRESS TO, BROADCAST and replies to press. A message is stored once and sent in one letter to each reader.

The variant's `Press` says under which names a seat may write, who reads for a name, and whether a message may go. A
channel is a set of names that read each other; a reply goes to the others of its channel. `press.restrictions` holds
what the settings forbid, `model.unsigned_names` the names of unsigned messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model import unsigned_names
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.observer_records import OBSERVERS
from gm.game.model.press_journal import AS, channel_name, message_of, messages_paid_by
from gm.game.model.records import MASTER, PressRow
from gm.game.model.setting_types import UNSIGNED, PressMode
from gm.game.phase import missing_orders
from gm.game.press import anonymize, delivery, restrictions
from gm.game.press.addressing import hides_beside
from gm.game.press.divided_words import PartForReaders
from gm.game.press.replies_for_fewer import FewerReaders, find_contradiction, find_fewer_readers
from gm.game.press.returned_press import ask_about_others, ask_for_whom, return_press
from gm.game.press.unread_names import NOBODY, has_secret_readers, unread_names
from gm.game.press.words_for_players import press_for, price_of, problem_of
from gm.game.press.words_not_for_readers import is_beside_its_command
from gm.game.session import notices
from gm.game.session.session import LetterSession
from gm.judge.model.orders import Statement
from gm.judge.model.press import MessageHeader, ReleaseTime
from gm.judge.model.sheets import Problem
from gm.language.commands.addressees import powers_meant
from gm.language.commands.blocks import press_blocks
from gm.language.commands.press_or_orders import press_address_line
from gm.language.commands.requests import PressRequest
from gm.language.i18n import place_names
from gm.language.lines.blocks import number_lines, without_closing

PRESS_IN = timedelta(hours=1)
PRESS_MOST = 100
SAME_MOST = 5
"""Letters of one seat in an hour, and how often the same letter."""
POSTED = timedelta(days=36500)
"""A message that goes with the results waits at most so long."""
SHOWN = 60
"""The answer quotes so many characters of the message."""


class LimitSentences(Struct, frozen=True):
    """Sentences about words for fewer than their letter has: for nobody certain, for some, for some at a price."""

    unclear: str
    named: str
    priced: str


OF_REPLY = LimitSentences("press-for-fewer", "press-for-named", "press-for-named-priced")
OF_PRESS = LimitSentences("press-says-fewer", "press-says-named", "press-says-named-priced")


def write_press(session: LetterSession, request: PressRequest, line: int) -> None:
    """PRESS TO and BROADCAST. An unknown name stops the whole letter."""
    variant = session.loaded_game.variant
    names = {name: _power_named(session, name) for name in request.to}
    for name, power in names.items():
        if power is None:
            ask_for_whom(session, request, name, line)
    if None in names.values():
        return
    named = {power for power in names.values() if power}
    if request.everyone:
        named = set(_all_readers(session)) - named
    if _lacks_quote(session, request.text, line):
        return_press(session, "press-quote-gone", request.text, line, headline=True)
        return
    if contrary := find_contradiction(session, frozenset(named) - {session.author}, request.text):
        hides = request.manner == PressMode.GREY
        plain = not (request.name or request.posted) and (hides or not request.manner)
        offered = replace(contrary, to=contrary.to if plain else ())
        _ask_about_fewer(session, offered, request.text, OF_PRESS, ", ".join(sorted(named)), line, hides=hides)
        return
    if is_beside_its_command(session, line) and ask_about_others(session, request, frozenset(named), line):
        return
    if named != {MASTER} and not (request.name or request.manner) and hides_beside(session):
        key = "press-hides" if session.loaded_game.settings.press in UNSIGNED else "press-hides-signed"
        return_press(session, key, request.text, line, headline=True)
        return
    own = variant.press.names(session.loaded_game.position, variant, session.author)
    if request.name and request.name not in own:
        name, powers = request.name[:40], ", ".join(own)
        return_press(session, "press-name-not-yours", request.text, line, name=name, powers=powers)
        return
    try:
        name = request.name or _signature(session, named, request.manner, request.text)
    except _SignatureError as wrong:
        return_press(session, str(wrong), request.text, line)
        return
    quoted = sum(words.lstrip().startswith(">") for words in request.text.split("\n"))
    session.letter = replace(session.letter, quoted_lines=max(session.letter.quoted_lines - quoted, 0))
    send_press(session, named, request.text, line, name, posted=request.posted)


def _power_named(session: LetterSession, name: str) -> str | None:
    """None for a name that is nobody's, or may be several powers'."""
    variant = session.loaded_game.variant
    if powers_meant(name, session.context):
        return None
    return power_named(variant, name) or (name if name in variant.owners else None)


def _lacks_quote(session: LetterSession, words: str, line: int) -> bool:
    """Whether words, whose command stands on this line, end with a colon above quoted lines that are not among them."""
    if not session.letter.quoted_lines or not words.rstrip().endswith(":"):
        return False
    last = words.rstrip().rpartition("\n")[2].strip()
    lines = [each for each in session.letter.lines_with_quotes if each[0] >= line]
    at = next((at for at, (_, text) in enumerate(lines) if text.rstrip().endswith(last)), len(lines))
    behind = at + 1
    return behind >= len(lines) or lines[behind][0] != lines[at][0] + 1 or not lines[behind][1].strip()


class _SignatureError(Exception):
    """A signature that the setting PRESS does not allow. The message is the key of a sentence."""


def _signature(session: LetterSession, to: Iterable[str], manner: str, words: str) -> str:
    """The name of a letter whose writer gives none, "" for the power's own. `manner` is what the writer asks for."""
    mode, names = session.loaded_game.settings.press, sorted(to)
    if session.master or mode is PressMode.NONE:
        return ""
    if manner == PressMode.GREY and (mode not in UNSIGNED or names == [MASTER]):
        raise _SignatureError("press-signed-master" if names == [MASTER] else "press-signed-only")
    if manner == PressMode.WHITE and mode is PressMode.GREY and names != [MASTER]:
        raise _SignatureError("press-unsigned-only")
    if names == [MASTER] or PressMode.GREY not in (mode, manner):
        return ""
    return unsigned_names.new_name(session.services, str(session.row.id), *names, words)


def _all_readers(session: LetterSession) -> tuple[str, ...]:
    """The readers of a letter to all: with OBSERVER_PRESS also the observers."""
    loaded_game = session.loaded_game
    named = loaded_game.variant.press.everyone(loaded_game.position, loaded_game.variant)
    open_to_all = loaded_game.settings.observer_press and not loaded_game.variant.press.message_word
    return (*named, OBSERVERS) if open_to_all else named


def send_press(
    session: LetterSession, to: Iterable[str], words: str, line: int = 0, name: str = "", *, posted: bool = False
) -> None:
    """Pass the words on to whoever reads for these names, or say why not. `name`: what the writer goes by.

    `posted`: they leave when the phase is resolved, just before the results.
    """
    row = _row(session, to, words, name)
    key = _obstacle(row)
    if key:
        session.note(key, done=False, line=line)
        return
    if key := restrictions.find_restriction(session, row):
        return_press(session, key, row.words, line)
        return
    empty, reached = _without_empty_seats(session, row, line)
    if reached is None:
        return
    row = reached
    if _sent_before(session, row):
        session.note("press-again", line=line, powers=", ".join(_addressees(session, row)))
        return
    if _too_many(session, row):
        return_press(session, "press-too-many", row.words, line)
        return
    if _too_late(session, row):
        return_press(session, "press-late", row.words, line, headline=True)
        return
    if posted and session.loaded_game.variant.press.release is not ReleaseTime.AT_ONCE:
        return_press(session, "press-no-posting", row.words, line)
        return
    row, problem = _priced(session, row)
    if problem is not None:
        fields = zip(("one", "two", "three"), (*problem.places, "", "", ""), strict=False)
        session.notes.append(Note(f"problem.{problem.key}", tuple(fields), done=False, line=line, headline=True))
        session.insert("unsent", row.words)
        return
    posted = posted and session.loaded_game.running
    if posted:
        row = replace(row, held_until=session.store.now() + POSTED)
    _dispatch(session, row)
    readers = ", ".join([name for name in _addressees(session, row) if name not in empty])
    key = "press-posted" if posted else "press-held" if row.held_until else "press-sent"
    if unsigned_names.is_unsigned(row.name):
        key = f"{key}-unsigned"
    when = session.when(row.held_until) if row.held_until and not posted else ""
    session.note(key, line=line, headline=True, powers=readers, words=_beginning(row.words), when=when)
    if uncertain := [name for name in row.to if name not in empty and has_secret_readers(session, row, name)]:
        session.note("press-secret-readers", line=line, powers=", ".join(uncertain))


def _without_empty_seats(session: LetterSession, row: PressRow, line: int) -> tuple[tuple[str, ...], PressRow | None]:
    """The names for which nobody reads, and the message without those of seats; None where nobody is left. A message
    to all says nothing of them.
    """
    begun, to_all = session.loaded_game.begun, _is_to_all_who_come(session, row)
    listed = notices.tell_applicants(session, row.words, session.cause(line)) if to_all else 0
    unread = unread_names(session, row)
    empty = tuple(name for names in unread.values() for name in names)
    gone = unread.get(NOBODY, ()) if begun else empty
    reached = replace(row, to=tuple(name for name in row.to if name not in gone))
    to_all = to_all or (begun and delivery.is_to_all(session.loaded_game, reached))
    some = len(empty) < len(row.to)
    for key, names in unread.items():
        if not (to_all and (listed or some)):
            session.note(key, done=False, line=line, powers=", ".join(names))
    if listed:
        session.note("press-listed", line=line, headline=True, n=str(listed))
    if not some and not listed:
        session.insert("unsent", row.words)
    return empty, reached if some else None


def _is_to_all_who_come(session: LetterSession, row: PressRow) -> bool:
    """Whether a game master writes to everybody before the game begins."""
    return session.master and not session.loaded_game.begun and set(_all_readers(session)) <= set(row.to)


def reply_to_press(session: LetterSession, channel: str, words: str, *, agreed: bool = False) -> None:
    """Send a reply to everybody else in the channel, under the name that the letter came to.

    `agreed`: the writer has read for whom it is, where its words limit that.
    """
    words = without_closing(words, session.language)
    name, members = members_of(session, channel)
    if not name:
        lost = channel.partition(AS)[2]
        return_press(session, "press-name-lost" if lost else "press-not-yours", words, power=lost)
        return
    fewer = _fewer_readers(session, members - {name}, words)
    if fewer is None:
        _send_reply(session, name, members, words)
    elif agreed and (to := _offered_to(session, name, fewer)):
        send_press(session, to, words)
    else:
        powers = readers_of_reply(session, name, members)
        _ask_about_fewer(session, replace(fewer, to=_offered_to(session, name, fewer)), words, OF_REPLY, powers)


def readers_named_by(session: LetterSession, channel: str, words: str) -> str | None:
    """Who gets a reply that holds these words; None where that is not certain."""
    name, members = members_of(session, channel)
    fewer = _fewer_readers(session, members - {name}, words) if name else None
    if fewer is None:
        return readers_of_reply(session, name, members)
    return ", ".join(_offered_to(session, name, fewer)) or None


def _offered_to(session: LetterSession, name: str, fewer: FewerReaders) -> tuple[str, ...]:
    """The readers of a reply for fewer, if its writer goes by no other name there."""
    plain = name == session.author and session.loaded_game.settings.press not in UNSIGNED
    return fewer.to if plain else ()


def _ask_about_fewer(
    session: LetterSession,
    fewer: FewerReaders,
    words: str,
    keys: LimitSentences,
    powers: str,
    line: int = 0,
    *,
    hides: bool = False,
) -> None:
    """Return the words. A YES sends them to those for whom they are, where that is certain."""
    shown, part = _beginning(fewer.words), PartForReaders(fewer.to, words.strip(), hides)
    if not fewer.to or problem_of(session, part) is not None:
        return_press(session, keys.unclear, words, line, words_of_line=shown, powers=powers)
        return
    cost, named = price_of(session, part), ", ".join(fewer.to)
    session.proposed.offered.append(press_for(session, part))
    fields = {"words_of_line": shown, "powers": powers, "named": named, "cost": str(cost)}
    return_press(session, keys.priced if cost else keys.named, words, line, headline=True, **fields)


def _fewer_readers(session: LetterSession, others: frozenset[str], words: str) -> FewerReaders | None:
    """What makes a reply one for fewer readers than the channel has, or for others; None without that."""
    lines = number_lines(words)
    contexts = [context for _, context in session.contexts]
    if own := next(filter(None, (press_address_line(lines, context) for context in contexts)), ""):
        return FewerReaders(own)
    return find_fewer_readers(session, others, words)


def readers_of_reply(session: LetterSession, name: str, members: frozenset[str]) -> str:
    others = sorted(members - {name, session.author}, key=lambda reader: (reader == MASTER, reader))
    somebody = session.say("role.somebody")
    return ", ".join(somebody if unsigned_names.is_unsigned(reader) else reader for reader in others) or "-"


def _send_reply(session: LetterSession, name: str, members: frozenset[str], words: str) -> None:
    """Unsigned if the game's press is, or if the first line of the reply says so.

    The writer of a newly unsigned reply stays among its addressees, or the list would give them away.
    """
    others, mode = members - {name}, session.loaded_game.settings.press
    first, _, rest = words.partition("\n")
    manner = press_blocks.manner_alone(first) if mode is PressMode.BOTH and others != {MASTER} else ""
    words = rest if manner else words
    signature = _signature(session, others, manner, words) if name == session.author else ""
    send_press(session, members if signature and len(others) > 1 else others, words, name=signature or name)


def members_of(session: LetterSession, channel: str) -> tuple[str, frozenset[str]]:
    """The writer's name in a channel and all its names; ("", empty) if the writer was never in it."""
    loaded_game, author = session.loaded_game, session.author
    own = (
        {author}
        if session.master
        else set(loaded_game.variant.press.names(loaded_game.position, loaded_game.variant, author))
    )
    own |= unsigned_names.unsigned_names_of(session.store, session.game.id, author)
    for row in session.store.turns.press(session.game.id):
        message, press = message_of(row), delivery.press_rules(loaded_game, row)
        seen = {name: press.header(message, name) for name in row.to if name in own}
        if row.sender == author and row.written_as in own:
            seen[row.written_as] = MessageHeader(row.written_as, row.to)
        for name, header in seen.items():
            if channel_name(header, name, author) == channel:
                return name, frozenset({header.sender, *header.to})
    return "", frozenset()


# ---- one letter


def _row(session: LetterSession, to: Iterable[str], words: str, name: str) -> PressRow:
    """The message as it would be stored. Others see nothing of the letter but its words."""
    words = words.strip("\n")
    under = "" if name == session.author else name
    names = tuple(sorted(set(to) - {under or session.author}, key=lambda name: (name == MASTER, name)))
    press, game = session.loaded_game.variant.press, session.game
    minors = {under, *names} - {"", MASTER, OBSERVERS, *(session.loaded_game.variant.seated)}
    hidden = session.loaded_game.anonymous or (press.secret_names and minors) or unsigned_names.is_unsigned(under)
    words = words if session.master else _without_writer(session, words, hidden=bool(hidden))
    return PressRow(
        0,
        game.id,
        game.phase,
        session.author,
        names,
        words,
        session.store.now(),
        session.row.id,
        under,
        opens=session.loaded_game.settings.press_opened,
        person=session.person.id,
    )


def _without_writer(session: LetterSession, words: str, *, hidden: bool) -> str:
    """The words without their signature, whose lines the answer counts; `hidden`: without what shows their writer."""
    person, called = session.person, session.letter.sender_name
    if hidden:
        names = place_names.powers(session.loaded_game.variant.powers)
        words, cut = anonymize.remove_names(words, person, called, names)
    else:
        words, cut = anonymize.without_signature(words, person, called)
    session.letter = replace(session.letter, signature_lines=session.letter.signature_lines + cut)
    return words


def _obstacle(row: PressRow) -> str:
    """The key of the sentence that says why nothing is sent, or ""."""
    if not row.words.strip():
        return "press-empty"
    alone = unsigned_names.is_unsigned(row.name) and row.to == (row.sender,)
    return "press-to-nobody" if alone or not row.to else ""


def _addressees(session: LetterSession, row: PressRow) -> tuple[str, ...]:
    """The addressees for the writer to read, without the writer's own name that an unsigned message may carry."""
    somebody, own = session.say("role.somebody"), row.sender if unsigned_names.is_unsigned(row.name) else ""
    return tuple(somebody if unsigned_names.is_unsigned(name) else name for name in row.to if name != own)


def _too_late(session: LetterSession, row: PressRow) -> bool:
    """Whether a message that the turn pays for came after the deadline, even if the phase is still open."""
    loaded_game = session.loaded_game
    if (
        not loaded_game.running
        or delivery.press_rules(loaded_game, row).journal_phase(loaded_game.position, loaded_game.variant)
        != loaded_game.game.phase
    ):
        return False
    closing = missing_orders.closing_time(session.store, loaded_game)
    return closing is not None and session.row.received_at >= closing


def _priced(session: LetterSession, row: PressRow) -> tuple[PressRow, Problem | None]:
    """The message with its price and time of delivery, and the problem that stops it."""
    loaded_game, press = session.loaded_game, delivery.press_rules(session.loaded_game, row)
    position, variant = loaded_game.position, loaded_game.variant
    if position.ended is not None:  # there is nothing left to pay for
        return row, None
    turn, held = press.journal_phase(position, variant), delivery.delivery_time(loaded_game, row, session.store.now())
    row = replace(row, turn=turn, held_until=held, cost=press.price(position, variant, message_of(row)))
    mine: tuple[Statement, ...] = ()
    if turn and loaded_game.running:
        mine = _spent_by(session, turn)
    return row, press.check(position, variant, message_of(row), mine)


def _spent_by(session: LetterSession, turn: str) -> tuple[Statement, ...]:
    """What the writer has spent in the turn that pays: on the sheet, and on messages."""
    sheet = session.draft(session.author).settled()
    if turn == session.game.phase:
        return sheet
    loaded_game = session.loaded_game
    return messages_paid_by(
        session.store, loaded_game.game.id, loaded_game.variant, loaded_game.position, turn, session.author
    )


def _dispatch(session: LetterSession, row: PressRow) -> None:
    """Store the message, charge it and deliver it if it need not wait."""
    row = session.store.turns.add_press(row)
    if row.turn and row.turn == session.game.phase:
        session.draft(session.author).spend(message_of(row))
    delivery.copy_to_masters(session.services, session.store, session.loaded_game, row)
    if row.held_until is None:
        delivery.deliver(session.services, session.store, session.loaded_game, row)


def _sent_before(session: LetterSession, written: PressRow) -> bool:
    """Whether a copy of this mail arrived before on another way."""
    if not session.letter.message_id:
        return False
    for row in session.store.turns.press(session.game.id):
        if _same(row, written) and row.inbox and row.inbox != session.row.id:
            earlier = session.services.open_letter(session.store.inbox.get(row.inbox))
            if earlier.message_id == session.letter.message_id:
                return True
    return False


def _too_many(session: LetterSession, written: PressRow) -> bool:
    """Stops two mailboxes that answer each other's press automatically."""
    since = session.store.now() - PRESS_IN
    mine = [row for row in session.store.turns.press(session.game.id) if row.sender == session.author]
    late = [row for row in mine if row.at >= since]
    return len(late) >= PRESS_MOST or sum(_same(row, written) for row in late) >= SAME_MOST


def _same(row: PressRow, other: PressRow) -> bool:
    return _essence(row) == _essence(other)


def _essence(row: PressRow) -> tuple[str, str, list[str], str]:
    return (
        row.sender,
        unsigned_names.without_mark(row.name),
        sorted(map(unsigned_names.without_mark, row.to)),
        row.words,
    )


def _beginning(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else line[:SHOWN].rsplit(" ", 1)[0] + " …"
