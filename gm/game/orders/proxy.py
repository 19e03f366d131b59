"""Handler of PROXY: lends units to another player for a phase. Only the two players are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import Note, SheetReport
from gm.game.model.loaded_game import power_named
from gm.game.model.proxy_loans import slot_of
from gm.game.model.records import MASTER, Sheet
from gm.game.orders import gm_orders
from gm.game.session.session import Handlers, LetterSession
from gm.judge.model.orders import Slot
from gm.judge.model.position import Unit, ref
from gm.language.commands.planning import ProxyRequest
from gm.language.lines.letter_contents import LineError
from gm.language.orders.phase_names import MOVES
from gm.language.orders.unit_names import read_unit

ALL = frozenset({"all", "everything", "all units", "all my units", "my units"})


def lend_or_take_back(session: LetterSession, request: ProxyRequest, line: int) -> None:
    loaded_game = session.loaded_game
    if not loaded_game.settings.proxy:
        session.note("proxy-off", done=False, line=line)
    elif loaded_game.step.letter != MOVES:
        session.note("proxy-moves", done=False, line=line)
    elif not request.units:
        units = loaded_game.position.units_of(session.author)
        other = next(power for power in loaded_game.variant.seated if power != session.author)
        session.note("proxy-how", done=False, line=line, unit=str(units[0]) if units else "A Par", power=other)
    elif request.back:
        _take_back(session, request, line)
    elif holder := _holder(session, request.to, line):
        _lend(session, request, holder, line)


def _holder(session: LetterSession, name: str, line: int) -> str:
    """The power that gets the units; "" after a note."""
    power = power_named(session.loaded_game.variant, name)
    if power is None:
        session.unknown_power(name, line)
        return ""
    seat = session.loaded_game.seat_of(power)
    if power in (MASTER, session.author) or seat is None or seat.person is None:
        key = "proxy-nobody" if seat is not None and seat.person is None else "proxy-whom"
        session.note(key, done=False, line=line, power=power)
        return ""
    return power


def _lend(session: LetterSession, request: ProxyRequest, holder: str, line: int) -> None:
    draft, given = session.draft(session.author), []
    for unit in _units(session, request, line):
        word = str(unit)
        if draft.lend(ref(unit), f"PROXY {word} TO {holder}", holder):
            given.append(word)
        else:
            session.note("forced-stays", done=False, line=line, order=draft.lines[slot_of(unit)].text)
    if given:
        units, phase, count = ", ".join(given), session.game.phase, str(len(given))
        session.note(
            "proxy-lent", line=line, headline=True, units=units, power=holder, phase=phase, first=given[0], n=count
        )


def _take_back(session: LetterSession, request: ProxyRequest, line: int) -> None:
    draft, back = session.draft(session.author), []
    for unit in _units(session, request, line):
        lent = draft.lines.get(slot_of(unit))
        if lent is not None and lent.lent:
            del draft.lines[lent.slot]
            back.append(str(unit))
        elif request.units[0].lower() not in ALL:
            session.note("proxy-none", done=False, line=line, unit=str(unit))
    if back:
        session.note("proxy-taken", line=line, headline=True, units=", ".join(back), n=str(len(back)))


def _units(session: LetterSession, request: ProxyRequest, line: int) -> Iterator[Unit]:
    """The writer's units among those named; the others are noted as errors."""
    loaded_game, author = session.loaded_game, session.author
    context = loaded_game.context(author, any_unit=True, language=session.language)
    for text in request.units:
        if text.lower() in ALL:
            yield from loaded_game.position.units_of(author)
            continue
        named = read_unit(text, context)
        if isinstance(named, LineError):
            gm_orders.refuse(session, named, line, text)
            continue
        here = [
            unit
            for unit in loaded_game.position.units
            if unit.at.province == named.at.province and unit.kind == named.kind
        ]
        mine = [unit for unit in here if unit.power == author and max(unit.number, 1) == (named.number or 1)]
        if not mine:
            session.has_errors = True
            session.note("proxy-not-yours", done=False, line=line, unit=text[:40])
        yield from mine[:1]


# ---- notices


def announce_loans(session: LetterSession) -> None:
    """Tells players to whom this letter has lent units, or from whom it has taken some back."""
    for report in session.done:
        after = report.after
        if report.author != report.power or after is None or after.snapshot != session.game.snapshot:
            continue
        was, now = _lent(session, report.before), _lent(session, after)
        for holder in sorted({*was.values(), *now.values()}):
            given = [slot[1] for slot, power in now.items() if power == holder != was.get(slot)]
            taken = [slot[1] for slot, power in was.items() if power == holder != now.get(slot)]
            _tell(session, report, holder, "proxy-given", given)
            _tell(session, report, holder, "proxy-gone", taken)


def _lent(session: LetterSession, sheet: Sheet | None) -> Mapping[Slot, str]:
    lines = session.loaded_game.counted(sheet) if sheet is not None else ()
    return {line.slot: line.lent for line in lines if line.lent}


def _tell(session: LetterSession, report: SheetReport, holder: str, key: str, units: list[str]) -> None:
    seat = session.loaded_game.seat_of(holder)
    if not units or seat is None:
        return
    words = {"units": ", ".join(units), "first": units[0], "n": str(len(units))}
    fields = (*words.items(), ("power", report.power), ("phase", session.game.phase))
    cause = f"{key}:{session.row.id}:{report.power}"
    queue_notice(session.services, session.store, session.game, seat, Note(f"desk.{key}", fields, headline=True), cause)


HANDLERS: Handlers = {ProxyRequest: lend_or_take_back}
