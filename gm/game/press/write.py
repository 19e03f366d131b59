"""Press: what one seat writes to others, stored once and passed on in one letter for each reader.

The variant's `Press` says under which names a seat may write, who reads for a name, and whether a letter may go. A
channel is the set of those who read each other in it, written as `gm.game.letters.reminder_and_press` names it; a
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
from gm.game.letters import answer as answers
from gm.game.letters.notify import queue
from gm.game.model import unsigned_names as unsigned
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.observer_records import OBSERVERS
from gm.game.model.press_journal import AS, message_of, spent_by
from gm.game.model.press_journal import channel as named_channel
from gm.game.model.records import MASTER, PressRow, Question
from gm.game.model.setting_choices import UNSIGNED, PressMode
from gm.game.phase import missing_orders as lateness
from gm.game.press import anonymize as discretion
from gm.game.press import delivery as courier
from gm.game.press import restrictions as presslaws
from gm.game.session.session import LetterSession
from gm.judge.model.orders import Statement
from gm.judge.model.press import MessageHeader, ReleaseTime
from gm.judge.model.sheets import Problem
from gm.judge.model.variant import Variant
from gm.language.commands import press_blocks as blockwork
from gm.language.commands.requests import PressRequest

PRESS_IN = timedelta(hours=1)
PRESS_MOST = 100
SAME_MOST = 5
"""So many letters of one seat, and so often the very same one, are passed on in an hour."""
POSTED = timedelta(days=36500)
"""How long a message with the results waits, if no phase is ever resolved."""
SHOWN = 60
"""So much of a letter's beginning stands in the answer to it."""


def write(sitting: LetterSession, request: PressRequest, line: int) -> None:
    """PRESS TO and BROADCAST. A name that is nobody's stops the letter: nothing is sent to the others either."""
    variant = sitting.table.variant
    names = {name: power_named(variant, name) or _minor(variant, name) for name in request.to}
    for name, power in names.items():
        if power is None:
            powers = ", ".join(variant.owners)
            back(sitting, "press-unknown", request.text, line, name=name[:40], powers=powers)
    if None in names.values():
        return
    named = {power for power in names.values() if power}
    if request.everyone:
        named = set(_everybody(sitting)) - named
    own = variant.press.names(sitting.table.position, variant, sitting.author)
    if request.name and request.name not in own:
        sitting.note("press-name-not-yours", done=False, line=line, name=request.name[:40], powers=_said(own))
        return
    try:
        name = request.name or _signature(sitting, named, request.manner, request.text)
    except _Wrong as wrong:
        back(sitting, str(wrong), request.text, line)
        return
    send(sitting, named, request.text, line, name, posted=request.posted)


class _Wrong(Exception):
    """A letter signed as the game does not have it; holds the key of the sentence that says so."""


def _signature(sitting: LetterSession, to: Iterable[str], manner: str, words: str) -> str:
    """The name a letter goes out under where its writer names none; "" for his own. `manner`: what he asks for."""
    mode, names = sitting.table.settings.press, sorted(to)
    if sitting.master or mode is PressMode.NONE:
        return ""
    if manner == PressMode.GREY and (mode not in UNSIGNED or names == [MASTER]):
        raise _Wrong("press-signed-master" if names == [MASTER] else "press-signed-only")
    if manner == PressMode.WHITE and mode is PressMode.GREY and names != [MASTER]:
        raise _Wrong("press-unsigned-only")
    if names == [MASTER] or PressMode.GREY not in (mode, manner):
        return ""
    return unsigned.new_name(sitting.office, str(sitting.row.id), *names, words)


def _everybody(sitting: LetterSession) -> tuple[str, ...]:
    """Whom "all" means: those who look on as well, where the game lets them read what is written to all."""
    table = sitting.table
    named = table.variant.press.everyone(table.position, table.variant)
    open_to_all = table.settings.observer_press and not table.variant.press.opener
    return (*named, OBSERVERS) if open_to_all else named


def _minor(variant: Variant, name: str) -> str | None:
    return name if name in variant.owners else None


def send(
    sitting: LetterSession, to: Iterable[str], words: str, line: int = 0, name: str = "", *, posted: bool = False
) -> None:
    """Pass the words on to whoever reads for these names, or say why not. `name`: what the writer goes by.

    `posted`: they leave when the phase is resolved, just before the results.
    """
    row = _row(sitting, to, words, name)
    key = _obstacle(sitting, row)
    if key:
        sitting.note(key, done=False, line=line)
        return
    if key := presslaws.forbidden(sitting, row):
        back(sitting, key, row.words, line)
        return
    empty = _unread(sitting, row, line)
    if len(empty) == len(row.to):
        return
    if _sent_before(sitting, row):
        sitting.note("press-again", line=line, powers=_said(_shown(sitting, row)))
        return
    if _too_many(sitting, row):
        sitting.note("press-too-many", done=False, line=line)
        return
    if _too_late(sitting, row):
        back(sitting, "press-late", row.words, line, headline=True)
        return
    if posted and sitting.table.variant.press.release is not ReleaseTime.AT_ONCE:
        back(sitting, "press-no-posting", row.words, line)
        return
    row, problem = _priced(sitting, row)
    if problem is not None:
        fields = zip(("one", "two", "three"), (*problem.places, "", "", ""), strict=False)
        sitting.notes.append(Note(f"problem.{problem.key}", tuple(fields), done=False, line=line, headline=True))
        sitting.insert("unsent", row.words)
        return
    posted = posted and sitting.table.running
    if posted:
        row = replace(row, held_until=sitting.store.now() + POSTED)
    _pass_on(sitting, row)
    reached = _said([name for name in _shown(sitting, row) if name not in empty])
    key = "press-posted" if posted else "press-held" if row.held_until else "press-sent"
    if unsigned.is_unsigned(row.name):
        key = f"{key}-unsigned"
    when = sitting.when(row.held_until) if row.held_until and not posted else ""
    sitting.note(key, line=line, headline=True, powers=reached, words=_beginning(row.words), when=when)


def back(sitting: LetterSession, key: str, words: str, line: int = 0, *, headline: bool = False, **said: str) -> None:
    """Not sent, and why; the words come back with the answer."""
    sitting.note(key, done=False, line=line, headline=headline, **said)
    sitting.insert("unsent", words)


def reply(sitting: LetterSession, channel: str, words: str) -> None:
    """A reply to press goes to everybody else in its channel, under the name the letter came to."""
    name, members = members_of(sitting, channel)
    if not name:
        lost = channel.partition(AS)[2]
        sitting.note("press-name-lost" if lost else "press-not-yours", done=False, power=lost)
    else:
        _answer(sitting, name, members, words)


def _answer(sitting: LetterSession, name: str, members: frozenset[str], words: str) -> None:
    """Without his name where the game has none, or where he says so in the first line of his reply.

    A new unsigned name takes the place of nobody: his own stays among those written to, or the list would tell of him.
    """
    others, mode = members - {name}, sitting.table.settings.press
    first, _, rest = words.partition("\n")
    manner = blockwork.manner_alone(first) if mode is PressMode.BOTH and others != {MASTER} else ""
    words = rest if manner else words
    signature = _signature(sitting, others, manner, words) if name == sitting.author else ""
    send(sitting, members if signature and len(others) > 1 else others, words, name=signature or name)


def members_of(sitting: LetterSession, channel: str) -> tuple[str, frozenset[str]]:
    """What the writer goes by in a channel and who reads in it; ("", nobody) for one that he was never in."""
    table, author = sitting.table, sitting.author
    own = {author} if sitting.master else set(table.variant.press.names(table.position, table.variant, author))
    own |= unsigned.names_of(sitting.store, sitting.game.id, author)
    for row in sitting.store.turns.press(sitting.game.id):
        message, press = message_of(row), courier.press_for(table, row)
        seen = {name: press.header(message, name) for name in row.to if name in own}
        if row.sender == author and row.written_as in own:
            seen[row.written_as] = MessageHeader(row.written_as, row.to)
        for name, header in seen.items():
            if named_channel(header, name, author) == channel:
                return name, frozenset({header.sender, *header.to})
    return "", frozenset()


def ask(sitting: LetterSession, channel: str) -> None:
    """A reply to press that reads as orders or commands: kept, and its writer asked."""
    code = sitting.office.post.code(PRESS, str(sitting.row.id))
    question = Question(code, PRESS, sitting.game.id, sitting.seat.id, sitting.row.id, channel, sitting.store.now())
    sitting.store.turns.ask(question)
    letter = answers.question(
        sitting.office, sitting.store, sitting.person, sitting.game, sitting.seat, question, sitting.letter
    )
    queue(sitting.store, letter)


# ---- one letter


def _row(sitting: LetterSession, to: Iterable[str], words: str, name: str) -> PressRow:
    """As it would be kept. The words are all that others ever see of a letter."""
    words = sitting.office.post.hide(words.strip("\n"))
    under = "" if name == sitting.author else name
    names = tuple(sorted(set(to) - {under or sitting.author}, key=lambda one: (one == MASTER, one)))
    press, game = sitting.table.variant.press, sitting.game
    minors = {under, *names} - {"", MASTER, OBSERVERS, *(power.name for power in sitting.table.variant.powers)}
    hidden = sitting.table.anonymous or (press.veiled and minors) or unsigned.is_unsigned(under)
    if hidden and not sitting.master:
        words = discretion.unsigned(words, sitting.person, sitting.letter.sender_name)
    return PressRow(0, game.id, game.phase, sitting.author, names, words, sitting.store.now(), sitting.row.id, under)


def _obstacle(sitting: LetterSession, row: PressRow) -> str:
    """The key of the sentence that says why nothing is sent; "" for none."""
    if not row.words.strip():
        return "press-empty"
    alone = unsigned.is_unsigned(row.name) and row.to == (row.sender,)
    return "press-to-nobody" if alone or not row.to else ""


def _shown(sitting: LetterSession, row: PressRow) -> tuple[str, ...]:
    """The names a letter goes to, as its writer reads them: without his own, which hides him in an unsigned one."""
    somebody, own = sitting.say("role.somebody"), row.sender if unsigned.is_unsigned(row.name) else ""
    return tuple(somebody if unsigned.is_unsigned(name) else name for name in row.to if name != own)


def _unread(sitting: LetterSession, row: PressRow, line: int) -> tuple[str, ...]:
    """Names that nobody else reads for, as far as the writer may know that; he is told."""
    table, press = sitting.table, courier.press_for(sitting.table, row)
    seats = {seat.power for seat in table.seats} | {MASTER}
    found: dict[str, list[str]] = {}
    for name in row.to:
        readers = [seat.power for seat in courier.readers(sitting.store, table, press, name)]
        if name == OBSERVERS or unsigned.is_unsigned(name) or name == row.sender:
            continue
        if name not in seats and readers == [row.sender]:
            found.setdefault("press-yourself", []).append(name)
        elif not readers and name in seats:
            found.setdefault("press-nobody", []).append(name)
        elif not readers and not press.veiled:
            found.setdefault("press-uncontrolled", []).append(name)
    for key, names in found.items():
        sitting.note(key, done=False, line=line, powers=_said(names))
    return tuple(name for names in found.values() for name in names)


def _too_late(sitting: LetterSession, row: PressRow) -> bool:
    """A message after the deadline is no longer paid by the turn, even if nobody has looked at the clock yet."""
    table = sitting.table
    if not table.running or courier.press_for(table, row).turn(table.position, table.variant) != table.game.phase:
        return False
    closing = lateness.closing(sitting.store, table)
    return closing is not None and sitting.row.received_at >= closing


def _priced(sitting: LetterSession, row: PressRow) -> tuple[PressRow, Problem | None]:
    """With what it costs and when it leaves; or what keeps it from going."""
    table, press = sitting.table, courier.press_for(sitting.table, row)
    position, variant = table.position, table.variant
    if position.ended is not None:  # there is nothing left to pay for
        return row, None
    turn, held = press.turn(position, variant), courier.due(table, row, sitting.store.now())
    row = replace(row, turn=turn, held_until=held, cost=press.price(position, variant, message_of(row)))
    mine: tuple[Statement, ...] = ()
    if turn and table.running:
        mine = _spent_by(sitting, turn)
    return row, press.check(position, variant, message_of(row), mine)


def _spent_by(sitting: LetterSession, turn: str) -> tuple[Statement, ...]:
    """The writer's sheet, where it is the turn's that pays, and what he has sent at its cost."""
    sheet = sitting.draft(sitting.author).settled()
    if turn == sitting.game.phase:
        return sheet
    table = sitting.table
    return spent_by(sitting.store, table.game.id, table.variant, table.position, turn, sitting.author)


def _pass_on(sitting: LetterSession, row: PressRow) -> None:
    """Kept, paid for, and on its way."""
    row = sitting.store.turns.add_press(row)
    if row.turn == sitting.game.phase:
        sitting.draft(sitting.author).spend(message_of(row))
    if row.held_until is None:
        courier.dispatch(sitting.office, sitting.store, sitting.table, row)


def _sent_before(sitting: LetterSession, written: PressRow) -> bool:
    """Did this very letter come before, by another way?"""
    if not sitting.letter.message_id:
        return False
    for row in sitting.store.turns.press(sitting.game.id):
        if _same(row, written) and row.inbox and row.inbox != sitting.row.id:
            earlier = sitting.office.open_letter(sitting.store.inbox.get(row.inbox))
            if earlier.message_id == sitting.letter.message_id:
                return True
    return False


def _too_many(sitting: LetterSession, written: PressRow) -> bool:
    """Two mailboxes that answer each other's press by themselves, and say so nowhere, must end in silence."""
    since = sitting.store.now() - PRESS_IN
    mine = [one for one in sitting.store.turns.press(sitting.game.id) if one.sender == sitting.author]
    late = [one for one in mine if one.at >= since]
    return len(late) >= PRESS_MOST or sum(_same(one, written) for one in late) >= SAME_MOST


def _same(one: PressRow, other: PressRow) -> bool:
    return _essence(one) == _essence(other)


def _essence(row: PressRow) -> tuple[str, str, list[str], str]:
    return row.sender, unsigned.alike(row.name), sorted(map(unsigned.alike, row.to)), row.words


def _said(names: Iterable[str]) -> str:
    return ", ".join(names)


def _beginning(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else line[:SHOWN].rsplit(" ", 1)[0] + " …"
