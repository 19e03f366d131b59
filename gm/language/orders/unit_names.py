"""Reads a unit in a request: "F StP/nc", "the army in Paris", "Munich"."""

from __future__ import annotations

from gm.judge.model.orders import UnitRef
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.lines.lines import LetterLine, read_line
from gm.language.orders.line_reader import any_sheet_reader
from gm.language.orders.parsing.order_context import OrderContext, OrderError, OrderWarning, UnitsByProvince
from gm.language.orders.parsing.parse_tree import UnitNode


def line_error(line: LetterLine, warning: OrderWarning, *, obeyed: bool = False) -> LineError:
    start, end = line.column(warning.start), line.column(warning.end)
    return LineError(line.number, line.text, start, end, warning.key, warning.fields, warning.suggestions, obeyed)


def read_unit(text: str, context: LetterContext) -> UnitRef | LineError:
    """A unit of the writer's, by its place; its kind may be left out."""
    reader = any_sheet_reader(context)
    plain = clean(text).text
    tokens = [token for token in reader.scanner.scan(plain) if token.type != "SEP"]
    places = [token.value for token in tokens if token.type == "PLACE"]
    if len(places) != 1 or any(token.type not in ("PLACE", "KIND", "NATION", "OF") for token in tokens):
        unknown = next((token for token in tokens if token.type not in ("PLACE", "KIND", "NATION", "OF")), None)
        start, end = (unknown.start_pos, unknown.end_pos) if unknown else (0, len(plain))
        return line_error(
            read_line(0, text), OrderWarning("unknown-unit", start, end, (("word", plain[start:end].strip()),))
        )
    kind = next((token.value for token in tokens if token.type == "KIND"), "")
    nation = next((token.value for token in tokens if token.type == "NATION"), "")
    here = UnitsByProvince(context.variant, context.position)
    order_context = OrderContext(here, context.power, context.any_unit)
    gone = [out.unit for code in places[0].provinces for out in here.dislodged.get(code, ())]
    mine = [unit for unit in gone if unit.power == context.power]
    try:
        unit = mine[0] if mine else order_context.own(UnitNode(nation, kind, places[0]))[0]
        return order_context.ref(unit)
    except OrderError as error:
        return line_error(read_line(0, text), error.warning)
