"""Handlers of POLL, CLOSE POLL and votes in polls: a game master's question to all players.

Only the result is announced. A poll closes when all players have voted, at its end, or by CLOSE POLL. A vote counts
until it is changed or withdrawn, or the seat changes its player. A poll that is open at the end of the game has no
result.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from gm.game.identity.which_phase import closed_reason
from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.poll_records import Poll, PollVote
from gm.game.model.ports import Store
from gm.game.model.records import Game, GameState
from gm.game.model.services import Services
from gm.game.session.session import Handlers, LetterSession, tell_all
from gm.game.views.polls import choices_by_power
from gm.language.commands import gm
from gm.language.i18n.normalize import clean
from gm.language.rendering import plain_text

YES_NO = ("YES", "NO")
NONE = "none"
DAYS = 7
"""Days that a poll is open by default."""
MOST_DAYS = 60
MOST_OPTIONS = 10
LONGEST_OPTION = 60
QUESTION_MOST = 1000
MOST_OPEN = 5


def open_poll(session: LetterSession, request: gm.PollRequest, line: int) -> None:
    if _not_running(session, line, "POLL"):
        return
    polls = session.store.polls.of(session.game.id)
    options = tuple(dict.fromkeys(plain_text.header(option) for option in request.options)) or YES_NO
    text = request.text.strip()[:QUESTION_MOST]
    if not text.strip(" ?"):
        session.note("poll-empty", done=False, line=line)
    elif len({option.lower() for option in options}) < max(2, len(options)) or len(options) > MOST_OPTIONS:
        session.note("poll-options", done=False, line=line, most=str(MOST_OPTIONS))
    elif any(len(option) > LONGEST_OPTION or option.lower() == NONE for option in options):
        session.note("poll-option", done=False, line=line, most=str(LONGEST_OPTION))
    elif request.days > MOST_DAYS:
        session.note("poll-days", done=False, line=line, most=str(MOST_DAYS))
    elif sum(poll.closed_at is None for poll in polls) >= MOST_OPEN:
        session.note("poll-many", done=False, line=line, most=str(MOST_OPEN))
    else:
        now = session.store.now()
        ends = now + timedelta(days=request.days or DAYS)
        made = Poll(0, session.game.id, len(polls) + 1, text, options, request.secret, now, ends)
        _announce(session, session.store.polls.add_poll(made), line)


def _announce(session: LetterSession, poll: Poll, line: int) -> None:
    how = ", ".join(f"VOTE {poll.number} {option}" for option in poll.options)
    fields = (("number", str(poll.number)), ("how", how))
    note = Note(f"desk.poll-{'secret' if poll.secret else 'open'}", fields)
    tell_all(session, note, line, text=poll.text, due=poll.ends_at)
    when = session.when(poll.ends_at)
    done = session.note("poll-opened", line=line, headline=True, number=str(poll.number), how=how, when=when)
    session.log(f"POLL {poll.number}: {poll.text}", done)


def close_poll(session: LetterSession, request: gm.ClosePollRequest, line: int) -> None:
    poll = _named(session, request.number, line)
    if poll is not None:
        note = session.note("poll-closed", line=line, headline=True, number=str(poll.number))
        session.log(f"CLOSE POLL {poll.number}", note)
        _close(session.services, session.store, session.loaded_game, poll)


def vote_in_poll(session: LetterSession, request: gm.BallotRequest, line: int) -> None:
    if _not_running(session, line, "VOTE"):
        return
    poll = _named(session, request.number, line)
    if poll is None:
        return
    choice = _chosen(poll, request.choice)
    if choice is None:
        how = ", ".join(f"VOTE {poll.number} {option}" for option in (*poll.options, NONE.upper()))
        session.note("poll-choice", done=False, line=line, choice=request.choice[:LONGEST_OPTION], how=how)
        return
    seat, now = session.seat, session.store.now()
    session.store.polls.add_poll_vote(PollVote(poll.id, seat.power, session.person.id, choice, now))
    key = "poll-voted" if choice else "poll-taken-back"
    session.note(key, line=line, headline=True, number=str(poll.number), choice=choice)
    voters = session.loaded_game.taken_seats
    if len(choices_by_power(session.store, poll, voters)) == len(voters):
        _close(session.services, session.store, session.loaded_game, poll)


def _not_running(session: LetterSession, line: int, what: str) -> bool:
    if session.loaded_game.running:
        return False
    session.note(closed_reason(session.game), done=False, line=line, what=what)
    return True


def _named(session: LetterSession, number: int, line: int) -> Poll | None:
    """The poll, if it was open when the letter was received."""
    polls = session.store.polls.of(session.game.id)
    poll = next((candidate for candidate in polls if candidate.number == number), None)
    still = ", ".join(str(known.number) for known in polls if known.closed_at is None)
    if poll is None:
        session.note("poll-unknown", done=False, line=line, number=str(number), open=still or "–")
    elif poll.closed_at is not None or session.row.received_at >= poll.ends_at:
        session.note("poll-over", done=False, line=line, number=str(number))
        return None
    return poll


def _chosen(poll: Poll, choice: str) -> str | None:
    """The option by its text or the beginning of it; "" for NONE, None for no option."""
    wanted = _plain(choice)
    if wanted == NONE:
        return ""
    exact = [option for option in poll.options if _plain(option) == wanted]
    begun = exact or [option for option in poll.options if _plain(option).startswith(wanted)]
    return begun[0] if len(begun) == 1 else None


def _plain(words: str) -> str:
    return " ".join(clean(words).text.lower().split())


def expire(services: Services, store: Store, game: Game, read_until: datetime | None) -> None:
    """Closes polls at their end, once earlier letters are read. `read_until`: None where letters are pushed."""
    if game.state is not GameState.RUNNING:
        return
    now = store.now()
    for poll in store.polls.of(game.id):
        over = poll.closed_at is None and now >= poll.ends_at
        if over and (read_until is None or read_until >= poll.ends_at) and not store.inbox.count_unread(poll.ends_at):
            _close(services, store, load_game(services, store, game), poll)


def _close(services: Services, store: Store, loaded_game: LoadedGame, poll: Poll) -> None:
    """Sends the result to everybody: the counts, and the votes of a poll that is not secret."""
    store.polls.save_poll(replace(poll, closed_at=store.now()))
    voters = loaded_game.taken_seats
    choices = choices_by_power(store, poll, voters)
    chosen = {option: [power for power, choice in choices.items() if choice == option] for option in poll.options}
    counts = ", ".join(f"{option} {len(powers)}" for option, powers in chosen.items())
    names = "; ".join(f"{option}: {', '.join(powers)}" for option, powers in chosen.items() if powers)
    silent = len(voters) - len(choices)
    fields = (("number", str(poll.number)), ("counts", counts), ("silent", str(silent)), ("names", names or "–"))
    note = Note(f"desk.poll-result{'-secret' if poll.secret else ''}", fields[: 3 if poll.secret else 4])
    for seat in loaded_game.manned:
        queue_notice(services, store, loaded_game.game, seat, note, f"poll:{poll.id}", text=poll.text)


HANDLERS: Handlers = {
    gm.PollRequest: open_poll,
    gm.ClosePollRequest: close_poll,
    gm.BallotRequest: vote_in_poll,
}
