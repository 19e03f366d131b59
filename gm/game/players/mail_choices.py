"""MAIL, STOP, MUTE: which letters a seat or an observer's chair is to get. Nobody else is told of MUTE.

A player who stops all letters keeps his seat and his duties, so his game master is told; answers to what he writes
still come, and every refusal of letters says what does.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.letters.notify import tell
from gm.game.model import mail_preferences as delivery
from gm.game.model.letter_report import Note
from gm.game.model.observer_records import MailChoice, MailChoices
from gm.game.model.records import MASTER
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import observers as ask

MUTED_MOST = 30


def mail(sitting: LetterSession, request: ask.MailRequest, line: int) -> None:
    if not request.choice:
        sitting.note("mail-words", done=False, line=line)
    else:
        _choose(sitting, MailChoice(request.choice), line)


def stop(sitting: LetterSession, request: ask.StopRequest, line: int) -> None:
    _choose(sitting, MailChoice.OFF, line)


def _choose(sitting: LetterSession, choice: MailChoice, line: int) -> None:
    wishes = delivery.wishes_of(sitting.store, sitting.seat)
    sitting.store.circle.wish(replace(wishes, mail=choice))
    kind = "observer-" if sitting.observes else ""
    sitting.note(f"mail-{kind}{choice}", line=line, headline=True)
    if choice is MailChoice.OFF and wishes.mail is not MailChoice.OFF and sitting.plays:
        note = Note("desk.mail-stopped", (("power", sitting.seat.power),))
        for master in sitting.table.masters:
            cause = f"stop:{sitting.row.id}:{line}"
            tell(sitting.office, sitting.store, sitting.game, master, note, cause)


def mute(sitting: LetterSession, request: ask.MuteRequest, line: int) -> None:
    wishes = delivery.wishes_of(sitting.store, sitting.seat)
    if not request.names:
        _list(sitting, wishes, line)
    elif names := _known(sitting, request.names, line):
        _keep(sitting, wishes, tuple(dict.fromkeys((*wishes.muted, *names)))[:MUTED_MOST])
        sitting.note("muted", line=line, headline=True, names=", ".join(names))


def unmute(sitting: LetterSession, request: ask.UnmuteRequest, line: int) -> None:
    wishes = delivery.wishes_of(sitting.store, sitting.seat)
    names = _known(sitting, request.names, line) if request.names else wishes.muted
    if request.names and not names:
        return
    _keep(sitting, wishes, tuple(one for one in wishes.muted if one not in names))
    sitting.note("unmuted", line=line, headline=True, names=", ".join(names) or "-")


def _keep(sitting: LetterSession, wishes: MailChoices, muted: tuple[str, ...]) -> None:
    sitting.store.circle.wish(replace(wishes, muted=muted))


def _list(sitting: LetterSession, wishes: MailChoices, line: int) -> None:
    if wishes.muted:
        sitting.note("muted-are", line=line, names=", ".join(wishes.muted))
    else:
        sitting.note("muted-nobody", line=line)


def _known(sitting: LetterSession, names: tuple[str, ...], line: int) -> tuple[str, ...]:
    """The names, if all of them stand over letters here; else (), and the writer is told."""
    owners = sitting.table.variant.owners
    for name in names:
        if name.casefold() in ("gm", "master", "game master") or name == MASTER:
            sitting.note("mute-master", done=False, line=line)
            return ()
        if name not in owners:
            sitting.note("mute-unknown", done=False, line=line, name=name[:40], powers=", ".join(owners))
            return ()
        if name == sitting.seat.power:
            sitting.note("mute-self", done=False, line=line)
            return ()
    return names


HANDLERS: Handlers = {
    ask.MailRequest: RequestHandler(mail),
    ask.StopRequest: RequestHandler(stop),
    ask.MuteRequest: RequestHandler(mute),
    ask.UnmuteRequest: RequestHandler(unmute),
}
