"""How proposals stand in answers and reminders: the orders, how to take them, and a button that does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.game.model.loaded_game import load_game
from gm.game.model.proposals import Proposals, open_proposals
from gm.game.model.recipient import Recipient
from gm.game.phase.draw_votes import CONCEDE, DRAW, NONE, survivors
from gm.game.views import maps
from gm.game.views.turns.turn_events import TurnView
from gm.judge.model.events import OrderResult
from gm.judge.model.orders import Slot, Statement, WholeSetStatement
from gm.language.commands import parser
from gm.language.commands.requests import EndGameRequest, ForceRequest, RollbackRequest, VoteRequest
from gm.language.commands.table import rows_of
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LineError, Request
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering import order_text
from gm.language.rendering.views import ButtonView, ParagraphView, RowsView, RowView, SectionView

ProposedOrder = tuple[str, str, Statement | None]
"""For whom it is ("" for the reader), the line, and what it means; None for a line that nothing can be made of."""
OnFile = dict[tuple[str, Slot], str]
"""The lines of the reader's sheets, by power and slot."""
CLEAR = "clear"
"""The row of the table."""
LONGEST_DEED = 50
"""Characters of a line that stands on the button."""


def proposals_section(reader: Recipient, proposals: Proposals, *, by_code: bool = False) -> SectionView:
    """`by_code`: one of several, so that a YES needs its code."""
    requests = "\n".join(proposals.requests).splitlines()
    orders = tuple(_orders(reader, proposals))
    on_file = _on_file(reader) if orders else {}
    effects = (RowView(line, _effect(reader, line)) for line in requests)
    rows = RowsView((*_order_rows(reader, orders, on_file), *effects))
    lead, key = reader.say("proposals.lines"), "proposals.how-by-code" if by_code else "proposals.how"
    how = reader.say(key, n=_count(proposals), code=proposals.code.upper())
    words = (*_gone(reader, orders, on_file), ParagraphView(how))
    return SectionView(reader.say("proposals.title"), (ParagraphView(lead), rows, *words))


def lapsed_section(scene: TurnView) -> tuple[SectionView, ...]:
    """What still waited for the reader's YES when the phase was resolved, and was not done without it."""
    reader, snapshot = scene.reader, scene.snapshot
    services, store, seat = reader.services, reader.store, reader.seat
    own = store.turns.sheet(reader.game.id, snapshot.previous, reader.power, reader.power) if reader.power else None
    waited = open_proposals(services, store, reader.game, snapshot.resolved, own, seat) if snapshot.resolved else ()
    lapsed = tuple(
        proposals for question in waited if _count(proposals := _without_done(scene, Proposals.of(question)))
    )
    if not lapsed:
        return ()
    words = ParagraphView(reader.say("proposals.lapsed", n=sum(map(_count, lapsed))))
    rows = RowsView(tuple(RowView(line) for proposals in lapsed for line in _all_lines(reader, proposals)))
    return (SectionView(reader.say("proposals.lapsed-title"), (words, rows)),)


def _without_done(scene: TurnView, proposals: Proposals) -> Proposals:
    """Without the lines that the reader's sheets held all the same, and those that the rules supplied."""
    reader, snapshot = scene.reader, scene.snapshot
    sheets = reader.store.turns.sheets(reader.game.id, snapshot.previous)
    done = {(sheet.power, line.text) for sheet in sheets if sheet.author == reader.power for line in sheet.lines}
    for result in scene.all(OrderResult):
        done.add((result.power, order_text.statement(result.order, letter=snapshot.resolved[-1:])))
    left = tuple((power, text) for power, text in proposals.lines if (power or reader.power, text) not in done)
    return replace(proposals, lines=left)


def _all_lines(reader: Recipient, proposals: Proposals) -> Iterator[str]:
    yield from (f"{reader.called(whose)}: {line}" if whose else line for whose, line in proposals.lines)
    yield from "\n".join(proposals.requests).splitlines()


def _order_rows(reader: Recipient, orders: Sequence[ProposedOrder], on_file: OnFile) -> Iterator[RowView]:
    """Each order with the one on file that it would replace."""
    for whose, line, order in orders:
        old = on_file.get((whose or reader.seat.power, order.slot), "") if order is not None else ""
        remark = reader.say("proposals.instead", order=old) if old not in ("", line) else ""
        yield RowView(f"{reader.called(whose)}: {line}" if whose else line, remark)


def _gone(reader: Recipient, orders: Sequence[ProposedOrder], on_file: OnFile) -> Iterator[ParagraphView]:
    """The lines on file that a proposed set replaces with nothing."""
    meant = [(whose or reader.seat.power, order) for whose, _, order in orders]
    sets = {(power, order.slot[0]) for power, order in meant if order and isinstance(order, WholeSetStatement)}
    stay = {(power, order.slot) for power, order in meant if order is not None}
    gone = [text for (power, slot), text in on_file.items() if (power, slot[0]) in sets and (power, slot) not in stay]
    if gone:
        yield ParagraphView(reader.say("proposals.gone", lines="; ".join(gone), n=len(gone)))


def _orders(reader: Recipient, proposals: Proposals) -> Iterator[ProposedOrder]:
    if not proposals.lines:
        return
    loaded = load_game(reader.services, reader.store, reader.game)
    known = KnownOrdersReader(loaded.variant, loaded.position)
    for whose, line in proposals.lines:
        (order,) = known.orders(whose or reader.seat.power, (line,))
        yield whose, line, None if isinstance(order, LineError) else order


def _on_file(reader: Recipient) -> OnFile:
    sheets = reader.store.turns.sheets(reader.game.id, reader.game.snapshot)
    own = (sheet for sheet in sheets if sheet.author == reader.seat.power)
    return {(sheet.power, line.slot): line.text for sheet in own for line in sheet.lines}


def _effect(reader: Recipient, line: str) -> str:
    """What the command does, where its words do not show it."""
    variant = localized(reader.variant, reader.catalogue.language)
    asked = parser.read_command(clean(line).text, variant)
    request = asked.request if asked is not None else None
    if isinstance(request, RollbackRequest) and request.phase:
        return _undone(reader, request.phase)
    if isinstance(request, VoteRequest) and request.choice in (DRAW, CONCEDE):
        voters = reader.say(f"proposals.{'all' if reader.settings.unanimous else 'most'}-vote-so")
        return reader.say(f"proposals.vote-{request.choice}", names=_winners(reader, request), voters=voters)
    if isinstance(request, VoteRequest) and request.choice == NONE:
        return reader.say(f"proposals.vote-none-{'all' if reader.settings.unanimous else 'most'}")
    if isinstance(request, EndGameRequest) and request.why == DRAW:
        return reader.say("proposals.drawn", names=_winners(reader, request))
    if asked is not None and asked.kind == CLEAR and not asked.words:
        return _cleared(reader)
    if isinstance(request, ForceRequest):
        return reader.say("proposals.forced")
    row = _row_for_good(request)
    return reader.say(f"command.{row}") if row else ""


def _undone(reader: Recipient, phase: str) -> str:
    """Which results a ROLLBACK to that phase takes back; that it takes back a change by hand, if the phase is open."""
    phases = [before.phase for before in maps.snapshots_back(reader.store, reader.game)[1:]]
    if phase not in phases:
        return ""
    if phase == reader.game.phase:
        return reader.say("proposals.undoes-change", phase=phase)
    undone = dict.fromkeys(before for before in phases[: phases.index(phase) + 1] if before != reader.game.phase)
    return reader.say("proposals.undoes", phases=reader.every(list(reversed(undone))))


def _cleared(reader: Recipient) -> str:
    """All that leaves the reader's sheet; "" for an empty one."""
    power = reader.seat.power
    sheet = reader.store.turns.sheet(reader.game.id, reader.game.snapshot, power, power)
    lines = [line.text for line in sheet.lines] if sheet is not None else []
    return reader.say("proposals.clears", n=len(lines), lines=reader.every(lines)) if lines else ""


def _winners(reader: Recipient, request: VoteRequest | EndGameRequest) -> str:
    """The powers that are named, or else all that survive."""
    names = request.winners or survivors(load_game(reader.services, reader.store, reader.game))
    return reader.every([reader.called(name) for name in names])


def _row_for_good(request: Request | None) -> str:
    """The row of the table that says what a command does that ends a game, or leaves one; "" for others."""
    if isinstance(request, EndGameRequest):
        return "close-solo"
    rows = rows_of(request) if request is not None else ()
    return next((row.name for row in rows if row.for_good), "")


def _count(proposals: Proposals) -> int:
    return len(proposals.lines) + len(proposals.requests)


def proposals_button(reader: Recipient, proposals: Proposals, subject: str) -> ButtonView:
    words = reader.say("proposals.yes", code=proposals.code.upper())
    deeds = (*(line for _, line in proposals.lines), *proposals.requests)
    deed = deeds[0].partition("\n")[0]
    label = reader.say("proposals.button-deed", deed=deed) if len(deeds) == 1 and len(deed) <= LONGEST_DEED else ""
    return reader.button(label or reader.say("proposals.button", n=_count(proposals)), subject, words)
