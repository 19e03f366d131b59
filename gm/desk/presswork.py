"""Press: what one seat writes to others, stored once and passed on in one letter for each reader.

A channel is the set of those who read each other in it, written as `gm.desk.answers` names it; a reply to a press
letter goes to the others of its channel and to nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from gm.desk import answers
from gm.desk.identity import PRESS
from gm.desk.records import MASTER, PressRow, Question
from gm.desk.sitting import Sitting, queue
from gm.desk.table import power_named
from gm.text.requests import Press

PRESS_IN = timedelta(hours=1)
PRESS_MOST = 100
SAME_MOST = 5
"""So many letters of one seat, and so often the very same one, are passed on in an hour."""
SHOWN = 60
"""So much of a letter's beginning stands in the answer to it."""


def write(sitting: Sitting, request: Press, line: int) -> None:
    """PRESS TO and BROADCAST. A name that is nobody's stops the letter: nothing is sent to the others either."""
    names = {name: power_named(sitting.table.variant, name) for name in request.to}
    for name, power in names.items():
        if power is None:
            powers = ", ".join(one.name for one in sitting.table.variant.powers)
            sitting.note("press-unknown", done=False, line=line, name=name[:40], powers=powers)
    if None in names.values():
        return
    named = {power for power in names.values() if power}
    if request.everyone:
        named = {power.name for power in sitting.table.variant.powers} - named
    send(sitting, named, request.text, line)


def send(sitting: Sitting, to: Iterable[str], words: str, line: int = 0) -> None:
    """Pass the words on to these seats, or say why not."""
    readers = tuple(sorted(set(to) - {sitting.author}, key=lambda name: (name == MASTER, name)))
    words = sitting.office.post.hide(words.strip("\n"))
    key = _obstacle(sitting, readers, words)
    if key:
        sitting.note(key, done=False, line=line)
        return
    seats = [seat for seat in sitting.table.manned if seat.power in readers]
    empty = [name for name in readers if name not in {seat.power for seat in seats}]
    if empty:
        sitting.note("press-nobody", done=False, line=line, powers=", ".join(empty))
    if not seats:
        return
    if _sent_before(sitting, readers, words):
        sitting.note("press-again", line=line, powers=_said(readers))
        return
    if _too_many(sitting, readers, words):
        sitting.note("press-too-many", done=False, line=line)
        return
    row = PressRow(
        0, sitting.game.id, sitting.game.phase, sitting.author, readers, words, sitting.store.now(), sitting.row.id
    )
    row = sitting.store.turns.add_press(row)
    for seat in seats:
        if seat.id != sitting.seat.id:
            queue(sitting.store, answers.press(sitting.office, sitting.store, sitting.game, seat, row))
    reached = _said([name for name in readers if name not in empty])
    sitting.note("press-sent", line=line, headline=True, powers=reached, words=_beginning(words))


def reply(sitting: Sitting, channel: str, words: str) -> None:
    """A reply to press goes to everybody else in its channel."""
    members = members_of(sitting, channel)
    if sitting.author not in members:
        sitting.note("press-not-yours", done=False)
    else:
        send(sitting, members, words)


def members_of(sitting: Sitting, channel: str) -> frozenset[str]:
    """Who reads in a channel, by the press that made it; empty for one that never was."""
    for row in sitting.store.turns.press(sitting.game.id):
        if answers.channel(row) == channel:
            return frozenset({row.sender, *row.to})
    return frozenset()


def ask(sitting: Sitting, channel: str) -> None:
    """A reply to press that reads as orders or commands: kept, and its writer asked."""
    code = sitting.office.post.code(PRESS, str(sitting.row.id))
    question = Question(code, PRESS, sitting.game.id, sitting.seat.id, sitting.row.id, channel, sitting.store.now())
    sitting.store.turns.ask(question)
    letter = answers.question(
        sitting.office, sitting.store, sitting.person, sitting.game, sitting.seat, question, sitting.row, sitting.letter
    )
    queue(sitting.store, letter)


def _obstacle(sitting: Sitting, readers: tuple[str, ...], words: str) -> str:
    """The key of the sentence that says why nothing is sent; "" for none."""
    if not words.strip():
        return "press-empty"
    if not readers:
        return "press-to-nobody"
    private = set(readers) == {MASTER} or sitting.master
    return "press-off" if not sitting.table.settings.press and not private else ""


def _sent_before(sitting: Sitting, readers: tuple[str, ...], words: str) -> bool:
    """Did this very letter come before, by another way?"""
    if not sitting.letter.message_id:
        return False
    for row in sitting.store.turns.press(sitting.game.id):
        same = (row.sender, row.to, row.words) == (sitting.author, readers, words)
        if same and row.inbox and row.inbox != sitting.row.id:
            earlier = sitting.office.open_letter(sitting.store.inbox.get(row.inbox))
            if earlier.message_id == sitting.letter.message_id:
                return True
    return False


def _too_many(sitting: Sitting, readers: tuple[str, ...], words: str) -> bool:
    """Two mailboxes that answer each other's press by themselves, and say so nowhere, must end in silence."""
    since = sitting.store.now() - PRESS_IN
    mine = [one for one in sitting.store.turns.press(sitting.game.id) if one.sender == sitting.author]
    late = [one for one in mine if one.at >= since]
    same = [one for one in late if (one.to, one.words) == (readers, words)]
    return len(late) >= PRESS_MOST or len(same) >= SAME_MOST


def _said(names: Iterable[str]) -> str:
    return ", ".join(names)


def _beginning(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else line[:SHOWN].rsplit(" ", 1)[0] + " …"
