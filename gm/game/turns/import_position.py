"""IMPORT … END: reads a position, sheets or both from text that EXPORT writes, or the game of another program.

Nothing changes at once: the position becomes lines of SETUP, the sheets lines of their own, and all wait for CONFIRM
(`turns.edit_position`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.letter_report import IMPORTED, AnswerInsert, Note
from gm.game.session.session import LetterSession
from gm.judge.model.calendar import sheet_writers
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.commands.gm import ImportRequest
from gm.language.formats import csv, njudge
from gm.language.formats.game_formats import game_format
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.formats.json_values import ExchangeError
from gm.language.formats.saved_game import GameFormat, UnreadGameError
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import order_text, plain_text

ORDER = re.compile(r"ORDER ([^:/]+)(?:/([^:]+))?: (.+)")
ORDERS_MOST = 400
"""Lines of orders."""
MOST_CHARACTERS = 65_000
"""Of a text that is not a game of another program."""


class ImportedLine(Struct, frozen=True):
    """One line for the sheet that the player of `author` writes for `power`."""

    author: str
    power: str
    text: str

    @classmethod
    def read(cls, line: str) -> ImportedLine | None:
        """Parse what `str` gives; None for other lines."""
        match = ORDER.fullmatch(line)
        return cls(match[1], match[2] or match[1], match[3]) if match else None

    def __str__(self) -> str:
        ward = "" if self.author == self.power else f"/{self.power}"
        return f"ORDER {self.author}{ward}: {self.text}"


def text_beside(session: LetterSession, line: int) -> str:
    """The text of the only file attached to the letter, or another program's game that the letter quotes or forwards.

    "" and a note if there is none, or several files.
    """
    files = session.services.attached(session.row)
    quoted = "" if files else session.services.quoted(session.row)
    if quoted and game_format(quoted) is not None:
        session.letter = replace(session.letter, quoted_lines=0, forwarded=())
        session.note("import-quoted", line=line)
        return quoted
    if len(files) != 1:
        names = ", ".join(plain_text.header(file.name, 60) for file in files)
        session.note("import-which" if files else "import-empty", done=False, line=line, names=names)
        return ""
    counts = dict(session.letter.other_ignored)
    left = counts | {"attachments": counts.get("attachments", 1) - 1}
    session.letter = replace(session.letter, other_ignored=tuple(left.items()))
    session.note("import-attached", line=line, name=plain_text.header(files[0].name, 60))
    return files[0].text


def check_whole(session: LetterSession, request: ImportRequest) -> None:
    """Raises UnreadGameError if the text stands in a letter that was not read to its end."""
    if request.text and dict(session.letter.other_ignored).get("beyond"):
        raise UnreadGameError("cut-off")


def position_in(session: LetterSession, text: str) -> tuple[Position, Mapping[str, Any]]:
    """The position in the text, or the game's own if there is none, and the whole document. Raises ExchangeError."""
    variant, position = session.loaded_game.variant, session.loaded_game.position
    form = game_format(text)
    if form is not None:
        return _position_of_game(session, form, text), {}
    if len(text) > MOST_CHARACTERS:
        raise UnreadGameError("too-much")
    document = _document(session, text)
    named = document.get("variant", variant.id)
    if str(named).casefold() not in (variant.id.casefold(), variant.title.casefold()):
        raise ExchangeError(f"it is of {named!r:.40}, and this game of {variant.title}")
    if "units" not in document and "centers" not in document:
        return position, document
    own = position_to_json(variant, position)
    if not text.lstrip().startswith("{"):  # other formats are not complete
        document = own | document
    return position_from_json(variant, document), document


def _position_of_game(session: LetterSession, form: GameFormat, text: str) -> Position:
    """The position that another program's game has come to; the answer names the program and shows the position."""
    variant = session.loaded_game.variant
    own = position_to_json(variant, session.loaded_game.position)
    game = form.read(variant, own, text)
    position = position_from_json(variant, {**own, **game.document})
    phase = variant.phase_name(position)
    session.note(f"import-from-{form.program}", n=str(game.phases), phase=phase)
    for key in game.assumed:
        session.note(f"import-assumed-{key}", phase=phase)
    session.show(AnswerInsert(IMPORTED, json.dumps(position_to_json(variant, position))))
    return position


def _document(session: LetterSession, text: str) -> dict[str, Any]:
    """Read the text in the format that its beginning shows: by default njudge text, or orders."""
    variant, position = session.loaded_game.variant, session.loaded_game.position
    read = next((read for begins, read in READERS if begins.match(text)), njudge.read)
    return read(variant, position, text)


def _from_json(text: str) -> dict[str, Any]:
    """A position, or an input line of `gm adjudicate`: {"position": …, "orders": …}."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExchangeError(f"not JSON: {str(error)[:80]}") from None
    if not isinstance(document, dict):
        raise ExchangeError("the JSON is no object")
    inner = document.get("position")
    if isinstance(inner, dict):
        return inner | ({"orders": document["orders"]} if "orders" in document else {})
    return document


READERS: tuple[tuple[re.Pattern[str], Callable[[Variant, Position, str], dict[str, Any]]], ...] = (
    (re.compile(r"\s*\{"), lambda variant, position, text: _from_json(text)),
    (re.compile(r"\s*\"?what\b", re.IGNORECASE), lambda variant, position, text: csv.read(text)),
)


def sheet_lines(
    session: LetterSession, position: Position, document: Mapping[str, Any]
) -> tuple[ImportedLine, ...] | None:
    """The orders of the document in canonical form; None and notes if some do not fit the position."""
    orders = document.get("orders") or {}
    if not isinstance(orders, dict) or not all(isinstance(order, list) for order in orders.values()):
        raise ExchangeError("orders must be an object: power -> list of orders")
    every = [(str(name), str(text)) for name, texts in orders.items() for text in texts][:ORDERS_MOST]
    read = [_sheet_line(session, position, name, text) for name, text in every]
    wrong = [pair for pair, order in zip(every, read, strict=True) if order is None]
    for name, text in wrong[:20]:
        session.notes.append(Note("desk.import-order", (("line", f"{name}: {text}"[:80]),), done=False))
    return None if wrong else tuple(order for order in read if order is not None)


def _sheet_line(session: LetterSession, position: Position, name: str, text: str) -> ImportedLine | None:
    variant = session.loaded_game.variant
    author, _, ward = name.partition("/")
    nations = {nation.casefold(): nation for nation in variant.nations}
    writer, power = nations.get(author.strip().casefold()), nations.get((ward or author).strip().casefold())
    if writer is None or power is None or position.ended is not None:
        return None
    step = variant.step(position)
    if writer not in sheet_writers(step, position, variant, power):
        return None
    read = read_order(text, LetterContext(variant, position, power, any_unit=True))
    return None if isinstance(read, LineError) else ImportedLine(writer, power, order_text.statement(read, step.letter))


def put_orders(session: LetterSession, orders: tuple[ImportedLine, ...], line: int) -> None:
    """Replace the sheets that the lines name; their players get copies."""
    drafts = {(order.author, order.power): session.draft(order.power, order.author) for order in orders}
    for draft in drafts.values():
        draft.clear()
    for order in orders:
        context = LetterContext(session.loaded_game.variant, session.loaded_game.position, order.power, any_unit=True)
        read = read_order(order.text, context)
        if not isinstance(read, LineError):
            drafts[order.author, order.power].put(read)
    for author in dict.fromkeys(order.author for order in orders):
        session.copy(author, Note("desk.master-wrote", (), headline=True))
    powers = ", ".join(dict.fromkeys(order.power for order in orders))
    note = session.note("imported-sheets", line=line, headline=True, powers=powers)
    session.log("\n".join(("AS " + powers, *map(str, orders))), note)
