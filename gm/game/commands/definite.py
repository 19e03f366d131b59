"""Proposed commands say what a YES does: the moment, the phase, the seat, in place of words that mean one by now.

"by two days" is EXTEND TO Tuesday 10 March, 20:00 Berlin time, and "replace Anna" names the power that Anna plays. A
command that would be refused is not proposed: the answer says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.commands import decisions, proposals_of_people
from gm.game.commands.proposals_of_people import called
from gm.game.deadlines import absence, gm_clock
from gm.game.letters.reply_limits import own_words
from gm.game.model.choose_setting import (
    VARIANT,
    SettingError,
    all_settings,
    is_rule,
    setting_named,
    split_reason,
    with_setting,
)
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named, stored_position
from gm.game.model.records import GameState
from gm.game.phase import absences
from gm.game.phase.draw_votes import DRAW, survivors
from gm.game.press.addressing import powers_named
from gm.game.press.wishes_for_master import names_time
from gm.game.proposals.settled_lines import places_in
from gm.game.session.session import LetterSession
from gm.game.turns.rollback import find_earlier, phase_before
from gm.game.views import maps
from gm.language.commands import deadlines, parser, players, requests
from gm.language.commands.command_line import keep_letters, words_as_written
from gm.language.commands.gm import RemindRequest
from gm.language.commands.in_words import plain_questions
from gm.language.commands.in_words.draws import draw_size, includes_the_writer, takes_in_the_rest, without_share
from gm.language.commands.in_words.limits import limit_in
from gm.language.commands.in_words.plain_questions import earlier_phase_named
from gm.language.commands.in_words.taken_back import TAKEN_BACK, behind_retraction
from gm.language.commands.table import row_of
from gm.language.dates.date_words import WEEKDAYS, number_of
from gm.language.dates.dates import format_definite_date
from gm.language.dates.time_zones import named_zone
from gm.language.i18n.joining_words import AND, OR
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.gm_sentences import asks_again, entered_orders
from gm.language.lines.letter_contents import LetterContents, LineError, Request
from gm.language.lines.trouble_keys import HEDGED
from gm.language.orders.phase_names import read_phase

LEFT = "left"
"""The field of a hint with the words that its command leaves out."""
PIECES = re.compile(rf" … |\b(?:{AND}|{OR})$", re.IGNORECASE)
"""In words that are no whole sentences or clauses."""
REOPENED_FOR_ALL = "meant-for-all-phase"
"""Key of the hint at a ROLLBACK, where the sentence names one power."""
CONCEDE = "vote-concede"
"""The row of a vote for a winner."""
WEEK = timedelta(days=7)
STARTS = "start"
"""The setting of the day on which a game begins."""
Writer: TypeAlias = Callable[[LetterSession, Request, int], str | None]
"""A function that writes the command as it is meant; None where it would be refused, which a note says."""


def with_definite_commands(session: LetterSession, reading: LetterContents) -> LetterContents:
    """The letter with definite commands as the only suggestions for its sentences."""
    if session.observes or session.late_for:
        return reading
    named = map(partial(_with_winner, session), reading.troubles)
    troubles = (_definite(session, trouble) if _proposes(trouble) else trouble for trouble in named)
    return replace(reading, troubles=_without_idle_doubts(session, [each for each in troubles if each is not None]))


def _without_idle_doubts(session: LetterSession, troubles: Sequence[LineError]) -> tuple[LineError, ...]:
    """Without doubts about no unit in a line whose request is taken back: "… a draw. No, just joking"."""
    back = {trouble.line for trouble in troubles if trouble.key == TAKEN_BACK}
    idle = (each.key == HEDGED and each.line in back and not _names_place(session, each) for each in troubles)
    return tuple(trouble for trouble, drop in zip(troubles, idle, strict=True) if not drop)


def _names_place(session: LetterSession, trouble: LineError) -> bool:
    return bool(places_in(session, session.author, trouble.text))


def _with_winner(session: LetterSession, trouble: LineError) -> LineError:
    """VOTE CONCEDE to the only other power that a sentence names, also by its player: "I'd concede to Luc"."""
    commands = dict(trouble.fields).get("commands", "").split()
    if trouble.key != plain_questions.KEY or commands[:1] != [CONCEDE] or not session.plays:
        return trouble
    words = powers_named(session, trouble.text) - {session.author}
    if len(words) != 1:
        return trouble
    line = session.say("proposals.concede", power=called(session, words.pop()))
    return replace(trouble, key=plain_questions.MEANT, suggestions=(line,))


def _proposes(trouble: LineError) -> bool:
    return trouble.key in plain_questions.HINTS and len(trouble.suggestions) == 1


def _definite(session: LetterSession, trouble: LineError) -> LineError | None:
    """None where a command of the suggestion would be refused. No suggestion where words behind it take it back."""
    if _is_taken_back(session, trouble):
        return replace(trouble, key=TAKEN_BACK, suggestions=())
    trouble = trouble if session.master else _with_reason(session, trouble)
    trouble = gm_clock.process_instead(session, trouble)
    written = trouble.suggestions[0].split("\n")
    first = parser.read_command(clean(written[0]).text, session.context.variant)
    if first is not None and row_of(first.kind).block and len(written) > 1:  # words to the players
        return trouble
    if first is not None and isinstance(first.request, requests.EndGameRequest):
        return _draw(session, trouble, first.request)
    if first is not None and first.request == requests.VoteRequest(DRAW):
        trouble = _with_voted_powers(session, trouble)
        written = trouble.suggestions[0].split("\n")
    forces = first is not None and isinstance(first.request, requests.ForceRequest)
    if forces and (again := _forced_in_earlier(session, trouble.text)):
        return replace(trouble, suggestions=("\n".join(again),))
    lines = [_written(session, line, trouble.line) for line in written]
    meant = [line for line in lines if line is not None]
    if len(meant) < len(lines):
        return None
    limit = limit_in(clean(trouble.text).text, session.context.variant) if session.master else None
    if session.master and _is_about_clock(session, written[0]) and _moves_later_phases(session, trouble.text):
        return replace(trouble, key=plain_questions.OPEN_ONLY, suggestions=())
    if limit is not None and _is_about_clock(session, written[0]):
        trouble = replace(trouble, key=plain_questions.FOR_ALL)
    elif limit is not None and first is not None and isinstance(first.request, requests.RollbackRequest):
        trouble = replace(trouble, key=REOPENED_FOR_ALL)
    sooner = _sooner(session, written[0]) or _earlier_wish(session, trouble.text, meant[0])
    fields = (*trouble.fields, ("sooner", sooner)) if sooner and sooner != meant[0] else trouble.fields
    if back := _seats_back(session, meant):
        trouble, fields = replace(trouble, key=plain_questions.FOR_A_TIME), (*fields, ("back", back))
    whole = _with_orders(session, trouble.text, meant)
    if len(whole) > len(meant):
        fields = tuple(field for field in fields if field[0] != LEFT)
    return replace(trouble, suggestions=("\n".join(whole),), fields=fields)


def _is_taken_back(session: LetterSession, trouble: LineError) -> bool:
    """Whether words behind a sentence, in its line or the next, take it back, and do not ask for the same again."""
    next_lines = [text for number, text in session.letter.lines if number > trouble.line and text.strip()][:1]
    line, text = dict(session.letter.lines).get(trouble.line, ""), trouble.text.strip()
    words = "\n".join((line[line.find(text) :] if text in line else text, *next_lines))
    named = dict(trouble.fields).get("commands", "").split()
    for language, context in session.contexts:
        if back := behind_retraction(words, language):
            again = plain_questions.read_questions(back, context, back)
            return not any(set(question.commands) & set(named) for question in again)
    return False


def _seats_back(session: LetterSession, lines: list[str]) -> str:
    """SEAT lines that give seats back to those who hold them now, where the letter gives them away for some time."""
    if not session.loaded_game.running or not names_time(own_words(session.letter), session.languages):
        return ""
    asked = (parser.read_command(clean(line).text, session.context.variant) for line in lines)
    named = (each.request.power for each in asked if each and isinstance(each.request, requests.SeatPlayerRequest))
    given = {power_named(session.loaded_game.variant, power) for power in named}
    back = []
    for seat in session.loaded_game.taken_seats:
        if seat.power in given:
            person = session.store.people.get(seat.person or 0)
            who = f"{person.name} <{person.addresses[0]}>"
            back.append(session.say("proposals.seat", power=called(session, seat.power), who=who))
    return ", ".join(back)


def _with_reason(session: LetterSession, trouble: LineError) -> LineError:
    """A player's EXTEND with the other words of the line behind it, or with all of them where these would be pieces
    only: the game master decides by them.
    """
    asked = parser.read_command(clean(trouble.suggestions[0]).text, session.context.variant)
    left = dict(trouble.fields).get(LEFT, "")
    if PIECES.search(left):
        left = " ".join(trouble.text.replace("?", ".").split())
    if asked is None or not isinstance(asked.request, deadlines.ExtendRequest) or not left or "?" in left:
        return trouble
    fields = tuple(field for field in trouble.fields if field[0] != LEFT)
    return replace(trouble, suggestions=(f"{trouble.suggestions[0]}, {left}",), fields=(*fields, (LEFT, "")))


def _draw(session: LetterSession, trouble: LineError, request: requests.EndGameRequest) -> LineError:
    """A draw of all where the sentence names some and counts in the rest, or its number; no proposal for others."""
    if request.why != DRAW:
        return trouble
    size, every = draw_size(trouble.text, session.language), survivors(session.loaded_game)
    if size and size not in (len(request.winners or every), len(every)):
        return replace(trouble, key=plain_questions.KEY, suggestions=())
    if (others := without_share(trouble.text, session.language)) and not request.winners:
        return _draw_of_others(session, trouble, others)
    if not request.winners:
        return trouble
    if takes_in_the_rest(trouble.text, session.language) or size == len(every):
        fields = tuple(field for field in trouble.fields if field[0] != LEFT)
        return replace(trouble, suggestions=(session.say("proposals.draw-all"),), fields=(*fields, (LEFT, "")))
    return trouble


def _with_voted_powers(session: LetterSession, trouble: LineError) -> LineError:
    """A vote for a draw of those whom the sentence names, where a draw need not include all survivors."""
    low, meant = clean(trouble.text).text.lower(), powers_named(session, trouble.text)
    if session.loaded_game.settings.dias or not meant:
        return trouble
    meant |= {session.author} if includes_the_writer(low, session.language) else set()
    powers = " + ".join(called(session, power) for power in survivors(session.loaded_game) if power in meant)
    return replace(trouble, suggestions=(session.say("proposals.vote-draw-of", powers=powers),)) if powers else trouble


def _draw_of_others(session: LetterSession, trouble: LineError, others: str) -> LineError:
    """A draw of all but those whom the words name; no proposal where they name nobody, or all."""
    without = powers_named(session, others)
    every = survivors(session.loaded_game)
    winners = [called(session, power) for power in every if power not in without]
    if not winners or len(winners) == len(every):
        return replace(trouble, key=plain_questions.KEY, suggestions=())
    line = session.say("proposals.draw-of", powers=", ".join(winners))
    return replace(trouble, suggestions=(line,))


def _is_about_clock(session: LetterSession, line: str) -> bool:
    asked = parser.read_command(clean(line).text, session.context.variant)
    return asked is not None and type(asked.request).__name__ in plain_questions.CLOCK


def _moves_later_phases(session: LetterSession, text: str) -> bool:
    """Whether a sentence moves the deadline of a phase that is not open: "… and the builds to Sunday"."""
    low, context = clean(text).text.lower(), session.context
    now = context.variant.phase_name(context.position)
    for language in dict.fromkeys((context.variant.language, ENGLISH)):
        content = plain_questions.read_table(language)
        for pattern in content.get("later_phases", {}).get("said", ()):
            for match in re.finditer(plain_questions.with_words(pattern, content), low):
                phase = read_phase(match["phase"], context.variant, context.position)
                if phase and (phase[0], phase[-1]) != (now[0], now[-1]):
                    return True
    return _moves_other_day(session, low)


def _moves_other_day(session: LetterSession, low: str) -> bool:
    """Whether words are about the turn of another day of the week than that of the deadline: "Friday's turn"."""
    due = session.game.due_at
    patterns = plain_questions.joined_patterns("later_phases", *session.languages).get("turn_of", "")
    match = re.search(patterns, low) if patterns and due is not None else None
    if match is None or due is None:
        return False
    return number_of(match["day"], WEEKDAYS) != due.astimezone(session.loaded_game.settings.zone).weekday()


def _sooner(session: LetterSession, line: str) -> str:
    """DEADLINE with the next such day, where a weekday is taken for the first one after the deadline; "" for others."""
    asked = parser.read_command(clean(line).text, session.context.variant)
    request = asked.request if asked is not None else None
    due = session.game.due_at
    if not isinstance(request, requests.DeadlineRequest) or due is None:
        return ""
    moment = gm_clock.new_moment(session, request, 0)
    return session.say("proposals.deadline", when=_moment(session, moment[0])) if moment is not None else ""


def _earlier_wish(session: LetterSession, text: str, line: str) -> str:
    """How a player asks for the day of the week before the deadline, where EXTEND takes the one behind it."""
    asked = parser.read_command(clean(line).text, session.context.variant)
    request = asked.request if asked is not None else None
    if session.master or not isinstance(request, deadlines.ExtendRequest) or not _says(session, text, "moves"):
        return ""
    moment = absence.wanted_deadline(session, request, 0)
    return session.say("proposals.press-gm") if moment is not None and _is_this_week(session, moment[0]) else ""


def _is_this_week(session: LetterSession, moment: datetime) -> bool:
    """Whether the same day of the week is also between today and the deadline."""
    zone = ZoneInfo(session.person.zone)
    today, first = (each.astimezone(zone).date() for each in (session.store.now(), moment - WEEK))
    return first > today


def _written(session: LetterSession, line: str, number: int) -> str | None:
    asked = parser.read_command(clean(line).text, session.context.variant)
    writers = WRITERS if session.master else PLAYERS_WRITERS
    writer = writers.get(type(asked.request)) if asked is not None and asked.request is not None else None
    if asked is None or asked.request is None or writer is None:
        return line
    request = keep_letters(line, asked.request)
    request = replace(request, written=line) if isinstance(request, deadlines.ExtendRequest) else request
    meant = writer(session, request, number)
    return line if meant == "" else meant


def _moment(session: LetterSession, instant: datetime) -> str:
    catalogue = session.services.letters.catalogue(session.language)
    return format_definite_date(instant, ZoneInfo(session.person.zone), session.store.now(), catalogue)


def _extend(session: LetterSession, request: Request, line: int) -> str | None:
    assert isinstance(request, deadlines.ExtendRequest)
    moment = gm_clock.later_moment(session, request, line)
    return session.say("proposals.extend", when=_moment(session, moment[0])) if moment is not None else None


def _ask_for_time(session: LetterSession, request: Request, line: int) -> str | None:
    """A player's EXTEND, with its reason."""
    assert isinstance(request, deadlines.ExtendRequest)
    moment = absence.wanted_deadline(session, request, line)
    if moment is None or _is_in_time(session, moment[0], line):
        return None
    when = session.say("proposals.extend", when=_moment(session, moment[0]))
    return f"{when}, {words_as_written(request.written, moment[1])}" if moment[1] else when


def _is_in_time(session: LetterSession, moment: datetime, line: int) -> bool:
    """Whether a line says that nothing comes before a day of the week that is before the deadline as well."""
    return _is_this_week(session, moment) and _says(session, dict(session.letter.lines).get(line, ""), "before")


def _says(session: LetterSession, text: str, what: str) -> bool:
    """Whether words say one of the things that `[sooner]` knows."""
    low = clean(text).text.lower()
    return any(
        plain_questions.compiled_patterns("sooner", language)[what].search(low) for language in session.languages
    )


def _cancel_absence(session: LetterSession, request: Request, line: int) -> str | None:
    """None for a player who has announced no absence."""
    current = absences.current_absences(session.store, session.loaded_game)
    return "" if any(announced.person == session.person.id for announced in current) else None


def _deadline(session: LetterSession, request: Request, line: int) -> str | None:
    assert isinstance(request, requests.DeadlineRequest)
    moment = gm_clock.new_moment(session, request, line, behind=True)
    return session.say("proposals.deadline", when=_moment(session, moment[0])) if moment is not None else None


def _pause(session: LetterSession, request: Request, line: int) -> str | None:
    """As it is where no end is named."""
    assert isinstance(request, deadlines.PauseRequest)
    if session.game.state is not GameState.RUNNING:
        return ""
    end = gm_clock.end_of_pause(session, request, line)
    if end is None:
        return None
    return session.say("proposals.pause", when=_moment(session, end[0])) if end[0] is not None else ""


def _resume(session: LetterSession, request: Request, line: int) -> str | None:
    assert isinstance(request, deadlines.ResumeRequest)
    if session.game.paused_at is None or session.game.state is not GameState.RUNNING:
        return "" if session.game.state is not GameState.RUNNING else _deadline_only(session, request, line)
    due = gm_clock.new_deadline(session, request, line)
    return session.say("proposals.resume", when=_moment(session, due)) if due is not None else ""


def _deadline_only(session: LetterSession, request: deadlines.ResumeRequest, line: int) -> str | None:
    """DEADLINE of "go on, deadline Tuesday", where the game is not paused."""
    return _deadline(session, requests.DeadlineRequest(request.when), line) if request.when else ""


def _roll_back(session: LetterSession, request: Request, line: int) -> str | None:
    assert isinstance(request, requests.RollbackRequest)
    request = request if request.phase else requests.RollbackRequest(phase_before(session))
    earlier = find_earlier(session, request, line)
    return session.say("proposals.rollback", phase=earlier.phase) if earlier is not None else None


def _with_orders(session: LetterSession, text: str, lines: list[str]) -> list[str]:
    """With FORCE and PROCESS behind ROLLBACK where the sentences enter orders for the earlier phase."""
    asked = parser.read_command(clean(lines[0]).text, session.context.variant)
    request = asked.request if asked is not None else None
    if not isinstance(request, requests.RollbackRequest) or len(lines) > 1:
        return lines
    earlier = next(old for old in maps.snapshots_back(session.store, session.game) if old.phase == request.phase)
    position = stored_position(session.store, earlier.id, session.loaded_game.variant)
    context = replace(session.context, position=position)
    resolves = asks_again(text, context)
    orders = entered_orders(text, context, read_letter, cued=resolves)  # "redo spring with that"
    forced = [_written(session, order, 0) or order for order in orders]
    again = [session.say("proposals.process", phase=request.phase)] if orders and resolves else []
    return [*lines, *forced, *again]


def _forced_in_earlier(session: LetterSession, text: str) -> list[str]:
    """Lines that resolve an earlier phase with the orders of a text that names it: "she wanted Sev-Rum in spring"."""
    phase = earlier_phase_named(text, session.context)
    if phase not in [old.phase for old in maps.snapshots_back(session.store, session.game)[1:]]:
        return []
    lines = _with_orders(session, text, [session.say("proposals.rollback", phase=phase)])
    process = session.say("proposals.process", phase=phase)
    return [*lines, *([process] if process not in lines else [])] if len(lines) > 1 else []


def _start(session: LetterSession, request: Request, line: int) -> str | None:
    """Of a game that runs, "everybody is in, go ahead" means its turn."""
    return None if session.loaded_game.running else ""


def _force(session: LetterSession, request: Request, line: int) -> str | None:
    assert isinstance(request, requests.ForceRequest)
    power = power_named(session.loaded_game.variant, request.power) if request.power else None
    return session.say("proposals.force", power=called(session, power), order=request.order) if power else ""


def _set(session: LetterSession, request: Request, line: int) -> str | None:
    """Refuses what SET would refuse; START at a day names the day."""
    assert isinstance(request, requests.SetRequest)
    variant, begun = session.loaded_game.variant, session.game.state is not GameState.FORMING
    value, why = split_reason(request.value)
    if request.key == VARIANT:
        return ""
    changed = with_setting(session.game, variant, request.key, value, session.store.now())
    if isinstance(changed, SettingError):
        session.notes.append(Note(changed.key, changed.fields, done=False, line=line))
        return None
    key, chosen = changed.settings[-1]
    setting = all_settings(variant)[key]
    if begun and is_rule(setting) and not why:
        session.note("rule-without-reason", done=False, line=line, key=key, value=chosen)
        return None
    starts = key == STARTS and setting_named(variant, key) is not None
    return session.say("proposals.set", key=key, value=chosen) if starts else ""


def _time_zone(session: LetterSession, request: Request, line: int) -> str | None:
    """No proposal, and no word about it, for a place that has no known time zone: "I live in a small village"."""
    assert isinstance(request, requests.TimeZoneRequest)
    return "" if named_zone(request.zone) is not None else None


WRITERS: Mapping[type[Request], Writer] = {
    deadlines.ExtendRequest: _extend,
    requests.DeadlineRequest: _deadline,
    deadlines.PauseRequest: _pause,
    deadlines.ResumeRequest: _resume,
    requests.RollbackRequest: _roll_back,
    requests.SeatPlayerRequest: proposals_of_people.seat,
    players.HandOverRequest: proposals_of_people.hand_over,
    players.InviteRequest: proposals_of_people.invite,
    players.ApproveRequest: proposals_of_people.approve,
    requests.ForceRequest: _force,
    deadlines.NmrPolicyRequest: proposals_of_people.policy,
    RemindRequest: proposals_of_people.remind,
    deadlines.GrantRequest: decisions.decide,
    requests.StartRequest: _start,
    requests.SetRequest: _set,
}
PLAYERS_WRITERS: Mapping[type[Request], Writer] = {
    requests.TimeZoneRequest: _time_zone,
    deadlines.ExtendRequest: _ask_for_time,
    deadlines.CancelAbsenceRequest: _cancel_absence,
}
