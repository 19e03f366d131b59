"""PROXY: units put into another player's hands for a phase, and taken back; both players are told, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.game.letters.notify import tell
from gm.game.model.letter_report import Note, SheetReport
from gm.game.model.loaded_game import power_named
from gm.game.model.proxy_loans import MOVES, slot_of
from gm.game.model.records import MASTER, Sheet
from gm.game.orders import gm_orders as hand
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.judge.model.orders import Slot
from gm.judge.model.position import Unit
from gm.judge.movement.movement_step import ref
from gm.language.commands.proxy import ProxyRequest
from gm.language.lines.letter_contents import LineError
from gm.language.orders.unit_names import read_unit
from gm.language.rendering import order_text as write

ALL = frozenset({"all", "everything", "all units", "all my units", "my units"})


def proxy(sitting: LetterSession, request: ProxyRequest, line: int) -> None:
    table = sitting.table
    if not table.settings.proxy:
        sitting.note("proxy-off", done=False, line=line)
    elif table.step.letter != MOVES:
        sitting.note("proxy-moves", done=False, line=line)
    elif not request.units:
        sitting.note("proxy-how", done=False, line=line, unit=_example(sitting), power=_other(sitting))
    elif request.back:
        _back(sitting, request, line)
    elif holder := _holder(sitting, request.to, line):
        _lend(sitting, request, holder, line)


def _holder(sitting: LetterSession, name: str, line: int) -> str:
    """ "" where nobody can be given units by that name; it is told then."""
    power = power_named(sitting.table.variant, name)
    if power is None:
        hand.unknown_power(sitting, name, line)
        return ""
    seat = sitting.table.seat_of(power)
    if power in (MASTER, sitting.author) or seat is None or seat.person is None:
        key = "proxy-nobody" if seat is not None and seat.person is None else "proxy-whom"
        sitting.note(key, done=False, line=line, power=power)
        return ""
    return power


def _lend(sitting: LetterSession, request: ProxyRequest, holder: str, line: int) -> None:
    draft, given = sitting.draft(sitting.author), []
    for unit in _units(sitting, request, line):
        word = write.unit(unit)
        if draft.lend(ref(unit), f"PROXY {word} TO {holder}", holder):
            given.append(word)
        else:
            sitting.note("forced-stays", done=False, line=line, order=draft.lines[slot_of(unit)].text)
    if given:
        said, phase, count = ", ".join(given), sitting.game.phase, str(len(given))
        sitting.note(
            "proxy-lent", line=line, headline=True, units=said, power=holder, phase=phase, first=given[0], n=count
        )


def _back(sitting: LetterSession, request: ProxyRequest, line: int) -> None:
    draft, back = sitting.draft(sitting.author), []
    for unit in _units(sitting, request, line):
        lent = draft.lines.get(slot_of(unit))
        if lent is not None and lent.lent:
            del draft.lines[lent.slot]
            back.append(write.unit(unit))
        elif request.units[0].lower() not in ALL:
            sitting.note("proxy-none", done=False, line=line, unit=write.unit(unit))
    if back:
        sitting.note("proxy-taken", line=line, headline=True, units=", ".join(back), n=str(len(back)))


def _units(sitting: LetterSession, request: ProxyRequest, line: int) -> Iterator[Unit]:
    """The writer's own among those he named; what is wrong with the others is told."""
    table, author = sitting.table, sitting.author
    context = table.context(author, any_unit=True, language=sitting.language)
    for text in request.units:
        if text.lower() in ALL:
            yield from table.position.units_of(author)
            continue
        found = read_unit(text, context)
        if isinstance(found, LineError):
            hand.refuse(sitting, found, line, text)
            continue
        here = [
            unit for unit in table.position.units if unit.at.province == found.at.province and unit.kind == found.kind
        ]
        mine = [one for one in here if one.power == author and max(one.number, 1) == (found.number or 1)]
        if not mine:
            sitting.faulty = True
            sitting.note("proxy-not-yours", done=False, line=line, unit=text[:40])
        yield from mine[:1]


def _example(sitting: LetterSession) -> str:
    units = sitting.table.position.units_of(sitting.author)
    return write.unit(units[0]) if units else "A Par"


def _other(sitting: LetterSession) -> str:
    return next(power.name for power in sitting.table.variant.powers if power.name != sitting.author)


# ---- who is told


def announce(sitting: LetterSession) -> None:
    """To whom a letter has given units, or from whom it has taken some: by PROXY, by an order, by CLEAR."""
    for report in sitting.done:
        after = report.after
        if report.author != report.power or after is None or after.snapshot != sitting.game.snapshot:
            continue
        was, now = _lent(sitting, report.before), _lent(sitting, after)
        for holder in sorted({*was.values(), *now.values()}):
            given = [slot[1] for slot, power in now.items() if power == holder != was.get(slot)]
            taken = [slot[1] for slot, power in was.items() if power == holder != now.get(slot)]
            _tell(sitting, report, holder, "proxy-given", given)
            _tell(sitting, report, holder, "proxy-gone", taken)


def _lent(sitting: LetterSession, sheet: Sheet | None) -> Mapping[Slot, str]:
    lines = sitting.table.counted(sheet) if sheet is not None else ()
    return {line.slot: line.lent for line in lines if line.lent}


def _tell(sitting: LetterSession, report: SheetReport, holder: str, key: str, units: list[str]) -> None:
    seat = sitting.table.seat_of(holder)
    if not units or seat is None:
        return
    said = {"units": ", ".join(units), "first": units[0], "n": str(len(units))}
    fields = (*said.items(), ("power", report.power), ("phase", sitting.game.phase))
    cause = f"{key}:{sitting.row.id}:{report.power}"
    tell(sitting.office, sitting.store, sitting.game, seat, Note(f"desk.{key}", fields, headline=True), cause)


HANDLERS: Handlers = {ProxyRequest: RequestHandler(proxy, of_phase=True, most=40)}
