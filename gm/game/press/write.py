"""Press: what one seat writes to others, stored once and passed on in one letter for each reader.

The variant's `Press` says under which names a seat may write, who reads for a name, and whether a letter may go. A
channel is the set of those who read each other in it, written as `gm.game.letters.press` names it; a
reply to a press letter
goes to the others of its channel and to nobody else. What a game's settings forbid is `gm.game.press.restrictions`'
business;
letters without their writer's name go by `gm.game.model.unsigned_names`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from msgspec.structs import replace

from gm.game.identity.sender import PRESS
from gm.game.letters.notify import queue_letter
from gm.game.letters.question import render_question
from gm.game.model import unsigned_names
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.observer_records import OBSERVERS
from gm.game.model.press_journal import AS, message_of, spent_by
from gm.game.model.press_journal import channel as channel_name
from gm.game.model.records import MASTER, PressRow, Question
from gm.game.model.setting_types import UNSIGNED, PressMode
from gm.game.phase import missing_orders
from gm.game.press import anonymize, delivery, restrictions
from gm.game.session.session import LetterSession
from gm.judge.model.orders import Statement
from gm.judge.model.press import MessageHeader, ReleaseTime
from gm.judge.model.sheets import Problem
from gm.judge.model.variant import Variant
from gm.language.commands import press_blocks
from gm.language.commands.requests import PressRequest

PRESS_IN = timedelta(hours=1)
PRESS_MOST = 100
SAME_MOST = 5
"""So many letters of one seat, and so often the very same one, are passed on in an hour."""
POSTED = timedelta(days=36500)
"""How long a message with the results waits, if no phase is ever resolved."""
SHOWN = 60
"""So much of a letter's beginning stands in the answer to it."""


def write_press(session: LetterSession, request: PressRequest, line: int) -> None:
    """PRESS TO and BROADCAST. A name that is nobody's stops the letter: nothing is sent to the others either."""
    variant = session.loaded_game.variant
    names = {name: power_named(variant, name) or _minor(variant, name) for name in request.to}
    for name, power in names.items():
        if power is None:
            powers = ", ".join(variant.owners)
            return_press(session, "press-unknown", request.text, line, name=name[:40], powers=powers)
    if None in names.values():
        return
    named = {power for power in names.values() if power}
    if request.everyone:
        named = set(_all_readers(session)) - named
    own = variant.press.names(session.loaded_game.position, variant, session.author)
    if request.name and request.name not in own:
        session.note("press-name-not-yours", done=False, line=line, name=request.name[:40], powers=_listed_names(own))
        return
    try:
        name = request.name or _signature(session, named, request.manner, request.text)
    except _WrongSignature as wrong:
        return_press(session, str(wrong), request.text, line)
        return
    send_press(session, named, request.text, line, name, posted=request.posted)


class _WrongSignature(Exception):
    """A letter signed as the game does not have it; holds the key of the sentence that says so."""


def _signature(session: LetterSession, to: Iterable[str], manner: str, words: str) -> str:
    """The name a letter goes out under where its writer names none; "" for his own. `manner`: what he asks for."""
    mode, names = session.loaded_game.settings.press, sorted(to)
    if session.master or mode is PressMode.NONE:
        return ""
    if manner == PressMode.GREY and (mode not in UNSIGNED or names == [MASTER]):
        raise _WrongSignature("press-signed-master" if names == [MASTER] else "press-signed-only")
    if manner == PressMode.WHITE and mode is PressMode.GREY and names != [MASTER]:
        raise _WrongSignature("press-unsigned-only")
    if names == [MASTER] or PressMode.GREY not in (mode, manner):
        return ""
    return unsigned_names.new_name(session.services, str(session.row.id), *names, words)


def _all_readers(session: LetterSession) -> tuple[str, ...]:
    """Whom "all" means: those who look on as well, where the game lets them read what is written to all."""
    loaded_game = session.loaded_game
    named = loaded_game.variant.press.everyone(loaded_game.position, loaded_game.variant)
    open_to_all = loaded_game.settings.observer_press and not loaded_game.variant.press.opener
    return (*named, OBSERVERS) if open_to_all else named


def _minor(variant: Variant, name: str) -> str | None:
    return name if name in variant.owners else None


def send_press(
    session: LetterSession, to: Iterable[str], words: str, line: int = 0, name: str = "", *, posted: bool = False
) -> None:
    """Pass the words on to whoever reads for these names, or say why not. `name`: what the writer goes by.

    `posted`: they leave when the phase is resolved, just before the results.
    """
    row = _row(session, to, words, name)
    key = _obstacle(session, row)
    if key:
        session.note(key, done=False, line=line)
        return
    if key := restrictions.find_restriction(session, row):
        return_press(session, key, row.words, line)
        return
    empty = _unread(session, row, line)
    if len(empty) == len(row.to):
        return
    if _sent_before(session, row):
        session.note("press-again", line=line, powers=_listed_names(_shown(session, row)))
        return
    if _too_many(session, row):
        session.note("press-too-many", done=False, line=line)
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
    _pass_on(session, row)
    reached = _listed_names([name for name in _shown(session, row) if name not in empty])
    key = "press-posted" if posted else "press-held" if row.held_until else "press-sent"
    if unsigned_names.is_unsigned(row.name):
        key = f"{key}-unsigned"
    when = session.when(row.held_until) if row.held_until and not posted else ""
    session.note(key, line=line, headline=True, powers=reached, words=_beginning(row.words), when=when)


def return_press(
    session: LetterSession, key: str, words: str, line: int = 0, *, headline: bool = False, **said: str
) -> None:
    """Not sent, and why; the words come back with the answer."""
    session.note(key, done=False, line=line, headline=headline, **said)
    session.insert("unsent", words)


def reply_to_press(session: LetterSession, channel: str, words: str) -> None:
    """A reply to press goes to everybody else in its channel, under the name the letter came to."""
    name, members = members_of(session, channel)
    if not name:
        lost = channel.partition(AS)[2]
        session.note("press-name-lost" if lost else "press-not-yours", done=False, power=lost)
    else:
        _answer(session, name, members, words)


def _answer(session: LetterSession, name: str, members: frozenset[str], words: str) -> None:
    """Without his name where the game has none, or where he says so in the first line of his reply.

    A new unsigned name takes the place of nobody: his own stays among those written to, or the list would tell of him.
    """
    others, mode = members - {name}, session.loaded_game.settings.press
    first, _, rest = words.partition("\n")
    manner = press_blocks.manner_alone(first) if mode is PressMode.BOTH and others != {MASTER} else ""
    words = rest if manner else words
    signature = _signature(session, others, manner, words) if name == session.author else ""
    send_press(session, members if signature and len(others) > 1 else others, words, name=signature or name)


def members_of(session: LetterSession, channel: str) -> tuple[str, frozenset[str]]:
    """What the writer goes by in a channel and who reads in it; ("", nobody) for one that he was never in."""
    loaded_game, author = session.loaded_game, session.author
    own = (
        {author}
        if session.master
        else set(loaded_game.variant.press.names(loaded_game.position, loaded_game.variant, author))
    )
    own |= unsigned_names.names_of(session.store, session.game.id, author)
    for row in session.store.turns.press(session.game.id):
        message, press = message_of(row), delivery.press_rules(loaded_game, row)
        seen = {name: press.header(message, name) for name in row.to if name in own}
        if row.sender == author and row.written_as in own:
            seen[row.written_as] = MessageHeader(row.written_as, row.to)
        for name, header in seen.items():
            if channel_name(header, name, author) == channel:
                return name, frozenset({header.sender, *header.to})
    return "", frozenset()


def ask_press_or_orders(session: LetterSession, channel: str) -> None:
    """A reply to press that reads as orders or commands: kept, and its writer asked."""
    code = session.services.post.code(PRESS, str(session.row.id))
    question = Question(code, PRESS, session.game.id, session.seat.id, session.row.id, channel, session.store.now())
    session.store.turns.add_question(question)
    letter = render_question(
        session.services, session.store, session.person, session.game, session.seat, question, session.letter
    )
    queue_letter(session.store, letter)


# ---- one letter


def _row(session: LetterSession, to: Iterable[str], words: str, name: str) -> PressRow:
    """As it would be kept. The words are all that others ever see of a letter."""
    words = session.services.post.hide(words.strip("\n"))
    under = "" if name == session.author else name
    names = tuple(sorted(set(to) - {under or session.author}, key=lambda one: (one == MASTER, one)))
    press, game = session.loaded_game.variant.press, session.game
    minors = {under, *names} - {"", MASTER, OBSERVERS, *(power.name for power in session.loaded_game.variant.powers)}
    hidden = session.loaded_game.anonymous or (press.veiled and minors) or unsigned_names.is_unsigned(under)
    if hidden and not session.master:
        words = anonymize.remove_names(words, session.person, session.letter.sender_name)
    return PressRow(0, game.id, game.phase, session.author, names, words, session.store.now(), session.row.id, under)


def _obstacle(session: LetterSession, row: PressRow) -> str:
    """The key of the sentence that says why nothing is sent; "" for none."""
    if not row.words.strip():
        return "press-empty"
    alone = unsigned_names.is_unsigned(row.name) and row.to == (row.sender,)
    return "press-to-nobody" if alone or not row.to else ""


def _shown(session: LetterSession, row: PressRow) -> tuple[str, ...]:
    """The names a letter goes to, as its writer reads them: without his own, which hides him in an unsigned one."""
    somebody, own = session.say("role.somebody"), row.sender if unsigned_names.is_unsigned(row.name) else ""
    return tuple(somebody if unsigned_names.is_unsigned(name) else name for name in row.to if name != own)


def _unread(session: LetterSession, row: PressRow, line: int) -> tuple[str, ...]:
    """Names that nobody else reads for, as far as the writer may know that; he is told."""
    loaded_game, press = session.loaded_game, delivery.press_rules(session.loaded_game, row)
    seats = {seat.power for seat in loaded_game.seats} | {MASTER}
    found: dict[str, list[str]] = {}
    for name in row.to:
        readers = [seat.power for seat in delivery.press_readers(session.store, loaded_game, press, name)]
        if name == OBSERVERS or unsigned_names.is_unsigned(name) or name == row.sender:
            continue
        if name not in seats and readers == [row.sender]:
            found.setdefault("press-yourself", []).append(name)
        elif not readers and name in seats:
            found.setdefault("press-nobody", []).append(name)
        elif not readers and not press.veiled:
            found.setdefault("press-uncontrolled", []).append(name)
    for key, names in found.items():
        session.note(key, done=False, line=line, powers=_listed_names(names))
    return tuple(name for names in found.values() for name in names)


def _too_late(session: LetterSession, row: PressRow) -> bool:
    """A message after the deadline is no longer paid by the turn, even if nobody has looked at the clock yet."""
    loaded_game = session.loaded_game
    if (
        not loaded_game.running
        or delivery.press_rules(loaded_game, row).turn(loaded_game.position, loaded_game.variant)
        != loaded_game.game.phase
    ):
        return False
    closing = missing_orders.closing(session.store, loaded_game)
    return closing is not None and session.row.received_at >= closing


def _priced(session: LetterSession, row: PressRow) -> tuple[PressRow, Problem | None]:
    """With what it costs and when it leaves; or what keeps it from going."""
    loaded_game, press = session.loaded_game, delivery.press_rules(session.loaded_game, row)
    position, variant = loaded_game.position, loaded_game.variant
    if position.ended is not None:  # there is nothing left to pay for
        return row, None
    turn, held = press.turn(position, variant), delivery.delivery_time(loaded_game, row, session.store.now())
    row = replace(row, turn=turn, held_until=held, cost=press.price(position, variant, message_of(row)))
    mine: tuple[Statement, ...] = ()
    if turn and loaded_game.running:
        mine = _spent_by(session, turn)
    return row, press.check(position, variant, message_of(row), mine)


def _spent_by(session: LetterSession, turn: str) -> tuple[Statement, ...]:
    """The writer's sheet, where it is the turn's that pays, and what he has sent at its cost."""
    sheet = session.draft(session.author).settled()
    if turn == session.game.phase:
        return sheet
    loaded_game = session.loaded_game
    return spent_by(session.store, loaded_game.game.id, loaded_game.variant, loaded_game.position, turn, session.author)


def _pass_on(session: LetterSession, row: PressRow) -> None:
    """Kept, paid for, and on its way."""
    row = session.store.turns.add_press(row)
    if row.turn == session.game.phase:
        session.draft(session.author).spend(message_of(row))
    if row.held_until is None:
        delivery.deliver(session.services, session.store, session.loaded_game, row)


def _sent_before(session: LetterSession, written: PressRow) -> bool:
    """Did this very letter come before, by another way?"""
    if not session.letter.message_id:
        return False
    for row in session.store.turns.press(session.game.id):
        if _same(row, written) and row.inbox and row.inbox != session.row.id:
            earlier = session.services.open_letter(session.store.inbox.get(row.inbox))
            if earlier.message_id == session.letter.message_id:
                return True
    return False


def _too_many(session: LetterSession, written: PressRow) -> bool:
    """Two mailboxes that answer each other's press by themselves, and say so nowhere, must end in silence."""
    since = session.store.now() - PRESS_IN
    mine = [one for one in session.store.turns.press(session.game.id) if one.sender == session.author]
    late = [one for one in mine if one.at >= since]
    return len(late) >= PRESS_MOST or sum(_same(one, written) for one in late) >= SAME_MOST


def _same(one: PressRow, other: PressRow) -> bool:
    return _essence(one) == _essence(other)


def _essence(row: PressRow) -> tuple[str, str, list[str], str]:
    return row.sender, unsigned_names.alike(row.name), sorted(map(unsigned_names.alike, row.to)), row.words


def _listed_names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _beginning(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else line[:SHOWN].rsplit(" ", 1)[0] + " …"
