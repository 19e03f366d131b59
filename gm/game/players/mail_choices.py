"""Handlers of MAIL, STOP and MUTE: which letters a seat gets. Nobody else learns of MUTE.

A player who stops all letters keeps the seat and its duties, so the game master is told. Answers are still sent.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.letters.notify import queue_notice
from gm.game.model import mail_preferences
from gm.game.model.letter_report import Note
from gm.game.model.observer_records import Digest, MailChoice
from gm.game.model.records import MASTER
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands import observers

MUTED_MOST = 30
ORDER_MAPS = {"order-maps-on": True, "order-maps-off": False}


def mail(session: LetterSession, request: observers.MailRequest, line: int) -> None:
    if request.digest:
        _choose_digest(session, Digest(request.digest), line)
    elif not request.choice:
        session.note("mail-words", done=False, line=line)
    elif request.choice in ORDER_MAPS:
        _save(session, order_maps=ORDER_MAPS[request.choice])
        session.note(f"mail-{request.choice}", line=line, headline=True)
    else:
        _choose(session, MailChoice(request.choice), line)


def stop(session: LetterSession, request: observers.StopRequest, line: int) -> None:
    _choose(session, MailChoice.OFF, line)


def _choose(session: LetterSession, choice: MailChoice, line: int) -> None:
    wishes = mail_preferences.mail_choices_of(session.store, session.seat)
    _save(session, mail=choice)
    kind = "observer-" if session.observes else ""
    session.note(f"mail-{kind}{choice}", line=line, headline=True)
    if choice is MailChoice.OFF and wishes.mail is not MailChoice.OFF and session.plays:
        note = Note("desk.mail-stopped", (("power", session.seat.power),))
        for master in session.loaded_game.masters:
            cause = f"stop:{session.row.id}:{line}"
            queue_notice(session.services, session.store, session.game, master, note, cause)


def _choose_digest(session: LetterSession, digest: Digest, line: int) -> None:
    _save(session, digest=digest)
    kind = "observer-" if session.observes and digest is not Digest.NONE else ""
    session.note(f"digest-{kind}{digest}", line=line, headline=True)


def mute(session: LetterSession, request: observers.MuteRequest, line: int) -> None:
    wishes = mail_preferences.mail_choices_of(session.store, session.seat)
    if not request.names:
        session.note("muted-are" if wishes.muted else "muted-nobody", line=line, names=", ".join(wishes.muted))
    elif names := _known_powers(session, request.names, line):
        _save(session, muted=tuple(dict.fromkeys((*wishes.muted, *names)))[:MUTED_MOST])
        session.note("muted", line=line, headline=True, names=", ".join(names))


def unmute(session: LetterSession, request: observers.UnmuteRequest, line: int) -> None:
    wishes = mail_preferences.mail_choices_of(session.store, session.seat)
    names = _known_powers(session, request.names, line) if request.names else wishes.muted
    if request.names and not names:
        return
    _save(session, muted=tuple(name for name in wishes.muted if name not in names))
    session.note("unmuted", line=line, headline=True, names=", ".join(names) or "-")


def _save(session: LetterSession, **changed: object) -> None:
    wishes = mail_preferences.mail_choices_of(session.store, session.seat)
    session.store.observers.save_mail_choices(replace(wishes, **changed))


def _known_powers(session: LetterSession, names: tuple[str, ...], line: int) -> tuple[str, ...]:
    """The names, if all are names of powers or controlled powers; else () after a note."""
    owners = session.loaded_game.variant.owners
    for name in names:
        if name.casefold() in ("gm", "master", "game master") or name == MASTER:
            session.note("mute-master", done=False, line=line)
            return ()
        if name not in owners:
            session.note("mute-unknown", done=False, line=line, name=name[:40], powers=", ".join(owners))
            return ()
        if name == session.seat.power:
            session.note("mute-self", done=False, line=line)
            return ()
    return names


HANDLERS: Handlers = {
    observers.MailRequest: mail,
    (observers.StopRequest, "player"): stop,
    observers.MuteRequest: mute,
    observers.UnmuteRequest: unmute,
}
