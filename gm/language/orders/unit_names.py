"""A unit named by itself, as in requests: "F StP/nc", "the army in Paris", "Munich"."""

from __future__ import annotations

from gm.judge.model.orders import UnitRef
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.lines.lines import LetterLine, row
from gm.language.orders.order_reader import desk, desk_for, first_sheet
from gm.language.orders.parsing.order_context import OrderContext, OrderError, OrderWarning, ground
from gm.language.orders.parsing.parse_tree import UnitNode


def trouble(line: LetterLine, remark: OrderWarning, *, obeyed: bool = False) -> LineError:
    start, end = line.column(remark.start), line.column(remark.end)
    return LineError(line.number, line.text, start, end, remark.key, remark.fields, remark.suggestions, obeyed)


def read_unit(text: str, context: LetterContext) -> UnitRef | LineError:
    """A unit of the writer's, by its place; its kind may be left out."""
    reader = desk(context) or desk_for(context.variant, context.position.board, first_sheet(context))
    plain = clean(text).text
    tokens = [token for token in reader.scanner.scan(plain) if token.type != "SEP"]
    places = [token.value for token in tokens if token.type == "PLACE"]
    if len(places) != 1 or any(token.type not in ("PLACE", "KIND", "NATION", "OF") for token in tokens):
        unknown = next((token for token in tokens if token.type not in ("PLACE", "KIND", "NATION", "OF")), None)
        start, end = (unknown.start_pos or 0, unknown.end_pos or 0) if unknown else (0, len(plain))
        return trouble(row(0, text), OrderWarning("unknown-unit", start, end, (("word", plain[start:end].strip()),)))
    kind = next((token.value for token in tokens if token.type == "KIND"), "")
    nation = next((token.value for token in tokens if token.type == "NATION"), "")
    bench = OrderContext(ground(context.variant, context.position), context.power, context.any_unit)
    gone = [out.unit for code in places[0].provinces for out in bench.ground.dislodged.get(code, ())]
    mine = [unit for unit in gone if unit.power == context.power]
    try:
        return bench.ref(mine[0]) if mine else bench.ref(bench.own(UnitNode(nation, kind, places[0]))[0])
    except OrderError as found:
        return trouble(row(0, text), found.remark)
