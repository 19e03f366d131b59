"""A letter's lines -> orders, requests and troubles.

Each line is an order or several, a request (`gm.language.commands.parser`), a heading, a comment (// or #), or plain
talk. A line
with one meaning is taken; one with two is asked back; one that looks like an order and has none is answered. Never
raises, and costs what the letter's length costs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.model.orders import Hold, Preferences, Waive
from gm.language.commands import clear as clearing
from gm.language.commands import gm_blocks as masterwork
from gm.language.commands import if_blocks as branches
from gm.language.commands import notebook, requests
from gm.language.commands import parser as commands
from gm.language.commands import plain_questions as plainly
from gm.language.commands import planning_blocks as planning
from gm.language.commands import press_blocks as blockwork
from gm.language.commands import press_blocks as missives
from gm.language.commands import register_form as forms
from gm.language.commands.command_line import CommandLine, is_in_capitals
from gm.language.commands.planning import ForPhaseRequest, PreliminaryRequest
from gm.language.commands.press_or_orders import MOST_LINES
from gm.language.commands.table import row_of
from gm.language.i18n.vocabulary import tongue
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, OrderLine, Request, RequestLine
from gm.language.lines.lines import FINAL, MARKED, MARKS, QUOTED, RULER, LetterLine, bare, heading, joined, row, shorter
from gm.language.orders import impossible_orders as impossible
from gm.language.orders import retreat_preferences as wishes
from gm.language.orders.fleet_numbers import parted, settled
from gm.language.orders.order_reader import (
    LONGEST_LINE,
    PieceMeaning,
    SheetReader,
    desk,
    desk_for,
    first_sheet,
    phase_of,
)
from gm.language.orders.parsing.order_context import OrderContext, OrderWarning
from gm.language.orders.parsing.parse_tree import PointsNode
from gm.language.orders.suggestions import explain, in_passing, other_phase, whole_line_elsewhere
from gm.language.orders.unit_names import trouble

KINDS = re.compile(r"\b(armies|fleets|wings)\b", re.IGNORECASE)
"""The kinds of unit that "all armies hold" speaks of; none named: all of them."""
MOST_TROUBLES = 200
MOST_PROPOSALS = 40
MOST_ORDERS = 500


def read_letter(lines: Sequence[NumberedLine], context: LetterContext) -> LetterContents:
    return _Reader(context, lines).read()


class _Reader(Struct):
    context: LetterContext
    lines: Sequence[NumberedLine]
    orders: list[OrderLine] = field(default_factory=list)
    requests: list[RequestLine] = field(default_factory=list)
    troubles: list[LineError] = field(default_factory=list)
    prose: int = 0
    proposed: int = 0
    creating: bool = False
    listing: bool = False
    headed: bool = False
    other_phase: str = ""
    ended: bool = False
    held: list[LetterLine] = field(default_factory=list)
    sheet: SheetReader | None = None
    section: str = ""
    later: dict[str, list[OrderLine]] = field(default_factory=dict)
    ends: Mapping[int, int] | None = None

    def read(self) -> LetterContents:
        self.gather()
        self.orders = settled(self.context, self.orders, self.troubles)
        self.orders, crowded = parted(self.orders)
        for one in crowded:
            self.tell(row(one.line, one.text), "two-events")
        for phase, orders in self.later.items():
            lines = tuple(planning.kept(order, phase) for order in orders)
            self.take(row(orders[0].line, orders[0].text), ForPhaseRequest(phase, lines))
        troubles = plainly.without_needless_hints(self.troubles, self.requests)
        return LetterContents(tuple(self.orders), tuple(self.requests), tuple(troubles), self.prose)

    def gather(self) -> None:
        self.sheet = desk(self.context)
        at = taken = 0
        while at < len(self.lines) and not self.ended:
            if self.lines[at][1].strip():
                taken += 1
            if taken > MOST_LINES or len(self.troubles) > MOST_TROUBLES or len(self.orders) > MOST_ORDERS:
                self._flush()
                number, text = self.lines[at]
                self.troubles.append(LineError(number, text[:200], 0, 0, "too-long-letter", (("n", str(number)),)))
                break
            at = self._line(at)
        self._flush()
        if self.ended:
            self._below(self.lines[at:])

    def _below(self, lines: Sequence[NumberedLine]) -> None:
        """END closes the letter, but orders below it are not passed over in silence."""
        rows = (row(number, text) for number, text in lines[:MOST_LINES])
        orders = [one for one in rows if not QUOTED.match(one.plain) and self.understands(one.body)]
        if orders:
            self.tell(orders[0], "below-end", obeyed=True, n=str(len(orders)))

    # ---- blocks

    def inside(self, lines: Sequence[NumberedLine], context: LetterContext) -> LetterContents:
        within = _Reader(context, lines, section=self.section)
        within.gather()
        later = tuple((phase, order) for phase, orders in within.later.items() for order in orders)
        return LetterContents(tuple(within.orders), tuple(within.requests), tuple(within.troubles), within.prose, later)

    def absorb(self, reading: LetterContents) -> None:
        self.orders.extend(reading.orders)
        self.requests.extend(reading.requests)
        self.troubles.extend(reading.troubles)
        self.prose += reading.prose
        for phase, order in reading.later:
            self.keep(phase, order)

    def keep(self, phase: str, order: OrderLine) -> None:
        self.later.setdefault(phase, []).append(order)

    def understands(self, body: str) -> bool:
        pieces = self.sheet.pieces(body[:LONGEST_LINE]) if self.sheet is not None else ()
        return any(piece.sketch is not None for piece in pieces)

    def closings(self) -> Mapping[int, int]:
        if self.ends is None:
            self.ends = branches.find_block_ends(self.lines, tongue(self.context.variant.language))
        return self.ends

    def here(self) -> None:
        self.other_phase = ""

    # ---- one line

    def _line(self, at: int) -> int:
        """Read the line at this index; the index of the next."""
        number, text = self.lines[at]
        line = row(number, text)
        if not line.body.strip() or RULER.fullmatch(line.body) or QUOTED.match(line.plain):
            self._flush()
            self.listing = False
            self.prose += bool(line.plain.strip()) and bool(QUOTED.match(line.plain))
            return at + 1
        asked = commands.read_command(line.body, self.context.variant)
        if self.creating and (asked is None or not row_of(asked.kind).below_create) and self._setting(line):
            return at + 1
        if asked is not None:
            past = self._asked(asked, line, at)
            if past:
                return past
        self.held.append(line)
        return at + 1

    def _flush(self) -> None:
        """Read the order lines held so far: a mail program may have broken them."""
        held, self.held = self.held, []
        dashes = self.sheet is None or not self.sheet.grammar.alone
        for line in joined(held, dashes, self._is_bid):
            self._order_line(line, dashes)

    def _is_bid(self, body: str) -> bool:
        """ "support Germany in Poland with 2" goes with no line before it."""
        if self.sheet is None or not self.sheet.wagers:
            return False
        pieces = self.sheet.pieces(body[:LONGEST_LINE])
        return bool(pieces) and all(piece.sketch is not None for piece in pieces)

    def take(self, line: LetterLine, request: Request) -> None:
        self.requests.append(RequestLine(line.number, line.text, request))

    def tell(
        self, line: LetterLine, key: str, *, obeyed: bool = False, suggestions: tuple[str, ...] = (), **said: str
    ) -> None:
        start = len(line.body) - len(line.body.lstrip())
        remark = OrderWarning(key, start, len(line.body), tuple(said.items()), suggestions)
        self.troubles.append(trouble(line, remark, obeyed=obeyed))

    # ---- requests

    def _asked(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        """Where to go on after a request; 0 when the line was none after all."""
        block = BLOCKS.get(asked.kind)
        if block is not None:
            self._flush()
            return block(self, asked, line, at)
        if asked.request is not None:
            self._flush()
            self.take(line, asked.request)
            if isinstance(asked.request, requests.CreateRequest):
                self.creating = self.listing = True
            return at + 1
        if remark := row_of(asked.kind).remark:
            self._flush()
            self.tell(line, remark, obeyed=asked.kind == "sign_on")
            return at + 1
        return 0

    def _heading(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        self.headed = True
        return at + 1

    def _end(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        """END closes CREATE or ORDERS, and a letter where none of them is open."""
        if not self.creating and not self.headed:
            self.ended = True
        self.creating = False
        return at + 1

    def _unsupported(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        word = line.body.split()[0]
        if asked.words and not is_in_capitals(line.body):
            return 0
        self.tell(line, "not-a-command", word=word.strip(".:,!").upper())
        return at + 1

    def _hold_all(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        if self.sheet is None or "HOLD" not in self.sheet.grammar.terminals or not self.context.power:
            return 0
        if self.context.later:
            self.tell(line, "ahead-not-this", word=line.body.strip().upper())
            return at + 1
        named = [word.lower() for word in KINDS.findall(line.body)]
        for unit in self.context.position.units_of(self.context.power):
            kind = self.context.variant.kinds[unit.kind].name.lower()
            if named and not any(word.startswith(kind[:-1]) for word in named):
                continue
            self.orders.append(OrderLine(line.number, line.text, Hold(OrderContext.ref(unit))))
        return at + 1

    def _no_orders(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        here = self.context
        step = here.variant.step(here.position)
        if here.power and step.missing(here.position, here.variant, here.power, ()).builds:
            self.orders.append(OrderLine(line.number, line.text, Waive()))
        else:
            self.tell(line, "no-orders")
        return at + 1

    def _setting(self, line: LetterLine) -> bool:
        """`key: value` and `KEY value` below CREATE; up to the first empty line, and for the words every game knows,
        also `key value`.

        With an address behind it, it is a player for a seat: "Turkey: Deniz Kaya <deniz@example.org>".
        """
        said = commands.setting_line(line.body.strip(), self.context.variant)
        key, colon, value = said.partition(":")
        if not colon or len(key.split()) > 3 or key.strip()[-1:].isdigit():
            key, _, value = said.partition(" ")
            known = key.lower() in self.context.plain_settings and len(value.split()) <= commands.SETTING_WORDS
            if not (self.listing or known or is_in_capitals(key)):
                return False
        if not value.strip():
            return False
        self._flush()
        seat = commands.read_command(f"SEAT {line.body.strip()}", self.context.variant) if "@" in value else None
        self.take(line, (seat and seat.request) or requests.SetRequest(commands.setting_key(key), value.strip()))
        return True

    # ---- orders

    def _order_line(self, line: LetterLine, dashes: bool) -> None:
        variant, phase = self.context.variant, phase_of(self.context)
        head = heading(line.body, variant, phase)
        if head is not None and not self._orders_in(line.body):
            self.other_phase = head.other_phase
            self.section = self._section(head.power)
            self.prose += 1
            if head.mark and not head.other_phase:
                self.take(line, PreliminaryRequest(off=head.mark == FINAL))
            return
        if (marked := MARKED.match(line.body)) and self._orders_in(line.body[marked.end() :]):
            self.take(line, PreliminaryRequest(off=MARKS[marked["mark"].lower()] == FINAL))
            line = shorter(line, marked.end())
        stakes, bids = (self.sheet.stakes, self.sheet.wagers) if self.sheet is not None else (False, False)
        line = bare(line, variant, phase, dashes=dashes, numbers=stakes, headings=not bids)
        if len(line.body) > LONGEST_LINE:
            self.tell(line, "line-too-long", n=str(LONGEST_LINE))
            return
        sheet = self.sheet
        if sheet is None or not self.context.power:
            self._no_sheet(line)
            return
        strange = whole_line_elsewhere(sheet, line.body, self.context)
        if strange is not None:
            self.troubles.append(trouble(line, strange))
            return
        if self._wish(line, sheet):
            return
        context, found = self._whose(line, sheet)
        found = tuple(impossible.taken(sheet, line.body, context, found))
        if not any(one.piece.order for one in found) or self._asks(line, found):
            if not self._elsewhere(line, found, sheet):
                self._talk(line)
            return
        elsewhere = line.other_phase or self.other_phase
        if elsewhere:
            self.tell(line, "other-phase", phase=elsewhere, now=phase)
            return
        whose = line.power or self.section
        if whose and whose not in (self.context.power, *self.context.controlled, *dict(self.context.lent)):
            self._not_theirs(line, whose)
            return
        for one in found:
            self._found(line, one, sheet, context)
        beside = (in_passing(sheet, one.piece, context) for one in found if one.piece.sketch is None)
        self.troubles.extend(trouble(line, remark) for remark in beside if remark is not None)

    def _asks(self, line: LetterLine, found: Sequence[PieceMeaning]) -> bool:
        """A question to us that happens to have a province's name in it: "wie" is German for "how", and Vienna."""
        if self.proposed > MOST_PROPOSALS or any(one.piece.sketch for one in found):
            return False
        return any(one.request is not None for one in plainly.read_questions(line.body, self.context))

    def _wish(self, line: LetterLine, sheet: SheetReader) -> bool:
        """A line about a retreat to come: "A Mun retreats to Ber or Kie if dislodged", and lists written ahead."""
        if not self.context.later:
            return wishes.conditional(line.body) and planning.take_retreat_wish(self, line, line.body)
        if sheet.grammar.name != wishes.SHEET:
            return False
        power = line.power or self.section or self.context.power
        found = wishes.wish(line.body, replace(self.context, power=power))
        if not isinstance(found, Preferences) or len(found.to) < 2:
            return False
        whose = "" if power == self.context.power else power
        self.orders.append(OrderLine(line.number, line.text, found, whose))
        return True

    def _section(self, named: str) -> str:
        """Whose orders stand below a heading: the writer's own, or those of a power without a seat."""
        seated = any(named == power.name for power in self.context.variant.powers)
        return "" if seated else named

    def _whose(self, line: LetterLine, sheet: SheetReader) -> tuple[LetterContext, tuple[PieceMeaning, ...]]:
        """The line, read for the power it is of: by its heading, or because only that one has such a unit."""
        own = self.context
        named = line.power or self.section
        if named in own.controlled:
            ward = replace(own, power=named)
            return ward, sheet.read(line.body, ward)
        found = sheet.read(line.body, own)
        foreign = [dict(one.flaw.fields) for one in found if one.flaw and one.flaw.key in FOREIGN]
        if not foreign or (named and named not in dict(own.lent)):
            return own, found
        for power in own.controlled:
            ward = replace(own, power=power)
            theirs = sheet.read(line.body, ward)
            if all(one.statements and one.flaw is None for one in theirs):
                return ward, theirs
        for owner in dict.fromkeys(
            one["power"] for one in foreign if own.holds(one.get("power", ""), one.get("unit", ""))
        ):
            lent = replace(own, power=owner)
            theirs = sheet.read(line.body, lent)
            if all((owner, order.slot) in own.lent for one in theirs for order in one.statements):
                return lent, theirs
        return own, found

    def _not_theirs(self, line: LetterLine, whose: str) -> None:
        if self._veiled(whose):
            self.tell(line, "unit-not-yours")
        elif self._section(whose) == whose:
            self.tell(line, "other-ward", power=whose)
        else:
            self.tell(line, "other-power", power=whose, word=whose)

    def _veiled(self, power: str) -> bool:
        """Whether nobody may know who orders this power's units: then all refusals are the same."""
        influence = self.context.variant.influence
        return influence is not None and influence.hidden and self._section(power) == power

    def _elsewhere(self, line: LetterLine, found: Sequence[PieceMeaning], sheet: SheetReader) -> bool:
        """Tell of orders that would be good in another phase."""
        remarks = [other_phase(sheet, one.piece, self.context) for one in found]
        told = [remark for remark in remarks if remark is not None]
        self.troubles.extend(trouble(line, remark) for remark in told)
        return bool(told)

    def _orders_in(self, body: str) -> bool:
        return self.sheet is not None and any(piece.order for piece in self.sheet.pieces(body[:LONGEST_LINE]))

    def _found(self, line: LetterLine, one: PieceMeaning, sheet: SheetReader, context: LetterContext) -> None:
        piece = one.piece
        if one.flaw is not None:
            fields = dict(one.flaw.fields)
            hide = one.flaw.key in FOREIGN and self._veiled(fields.get("power", ""))
            flaw = replace(one.flaw, key="unit-not-yours", fields=()) if hide else one.flaw
            self.troubles.append(trouble(line, flaw))
        elif piece.sketch is None and (piece.order or piece.stray):
            self.proposed += 1
            remark = explain(sheet, piece, context, propose=self.proposed <= MOST_PROPOSALS)
            self.troubles.append(trouble(line, remark, obeyed=remark.key == "retreat-preferences"))
        elif piece.sketch is None:
            self._beside(line, piece.text[piece.start : piece.end])
        elif isinstance(piece.sketch, PointsNode):
            self.take(line, requests.ShowRequest())
        whose = "" if context.power == self.context.power else context.power
        self.orders.extend(OrderLine(line.number, line.text, statement, whose) for statement in one.statements)
        wished = bool(one.statements) and planning.behind(self, line, one.statements[0])
        told = [remark for remark in one.remarks if not (wished and remark.key == "retreat-preferences")]
        self.troubles.extend(trouble(line, remark, obeyed=True) for remark in told)

    def _beside(self, line: LetterLine, text: str) -> None:
        """A request in one line with other things: what belongs to a sheet is taken, the rest wants its own line."""
        asked = commands.read_command(text, self.context.variant)
        if asked is None or asked.request is None:
            return
        if row_of(asked.kind).beside_orders:
            self.take(line, asked.request)
        elif row_of(asked.kind).talk != "small" or is_in_capitals(text):
            self.tell(line, "request-beside", word=text.strip())

    def _no_sheet(self, line: LetterLine) -> None:
        """Orders where none can be given: a game master's own letter, or a step without sheets."""
        name = self.sheet.grammar.name if self.sheet else first_sheet(self.context)
        reader = desk_for(self.context.variant, self.context.position.board, name)
        if any(piece.order for piece in reader.pieces(line.body)):
            outside = "orders-outside-block" if self.context.master else "orders-looking-on"
            self.tell(line, "no-orders-now" if self.context.power else outside)
        else:
            self._talk(line)

    def _talk(self, line: LetterLine) -> None:
        if found := plainly.read_several_requests(line.body, self.context):
            self.requests.extend(RequestLine(line.number, line.text, request) for request in found)
            return
        for piece in line.body.split(";")[1:]:
            self._beside(line, piece)
        word = line.body.split()[0].strip(".:,!?")
        meant = plainly.read_questions(line.body, self.context) if self.prose < plainly.MOST_TALK else ()
        asked = next((one.request for one in meant if one.request is not None), None)
        hints = [one for one in meant if one.commands]
        if asked is not None:
            self.take(line, asked)
        elif is_in_capitals(line.body) and commands.begins_like_command(line.body, self.context.variant):
            hint = hints[0] if hints else plainly.PlainQuestion()
            self.tell(line, "command-unclear", word=word, commands=" ".join(hint.commands), power=hint.power)
            return
        elif near := commands.similar_command(line.body, self.context):
            self.tell(line, "command-near", word=word, near=near)
            return
        self.prose += 1
        for one in hints:
            self.tell(line, plainly.KEY, obeyed=True, commands=" ".join(one.commands), power=one.power)


FOREIGN = frozenset({"not-yours", "other-power"})
"""Why an order is refused that is for somebody else's unit."""
Block = Callable[[_Reader, CommandLine, LetterLine, int], int]
BLOCKS: Mapping[str, Block] = {
    "press": blockwork.press,
    "press_from": blockwork.press_from,
    "press_to_whom": blockwork.press_to_whom,
    "broadcast": blockwork.broadcast,
    "message": missives.message,
    "tell": missives.message,
    "act_as": blockwork.act_as,
    "become": blockwork.act_as,
    "announce": blockwork.announce,
    "overrule": blockwork.overrule,
    "if": planning.condition,
    "phase": planning.for_phase,
    "check": planning.check,
    "retreat": planning.retreat_wish,
    "final": planning.final,
    "prelim": planning.prelim,
    "diary": notebook.diary,
    "register": forms.register,
    "heading": _Reader._heading,
    "end": _Reader._end,
    "setup": masterwork.setup,
    "import_file": masterwork.import_file,
    "correct": masterwork.correct,
    "official": masterwork.official,
    "override": masterwork.override,
    "poll": masterwork.poll,
    **dict.fromkeys(("extend", "extend_to", "pause", "deny"), masterwork.with_reason),
    "unsupported": _Reader._unsupported,
    "clear": clearing.clear,
    "hold_all": _Reader._hold_all,
    "no_orders": _Reader._no_orders,
}
