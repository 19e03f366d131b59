"""AS … END AS: the game master writes a sheet in the place of its player."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands import player as commands
from gm.game.model.command_words import word_of
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.orders.gm_orders import in_order, put, unknown_power
from gm.game.session.session import LetterSession
from gm.language.commands.requests import ActAsRequest
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import OrderLine


def act_as(session: LetterSession, request: ActAsRequest, line: int) -> None:
    """The block is read as a letter of that power; its player gets a copy of what came of it.

    Orders of a game master's are no draft, unless PRELIM stands below them.
    """
    power = power_named(session.loaded_game.variant, request.power)
    if power is None or session.loaded_game.seat_of(power) is None:
        unknown_power(session, request.power, line)
        return
    reading = read_letter(request.lines, session.loaded_game.context(power, language=session.language))
    faulty = any(not trouble.obeyed for trouble in reading.troubles)
    session.troubles += reading.troubles
    session.faulty = session.faulty or faulty
    block = replace(session, author=power, faulty=faulty, notes=[])
    for given in in_order(reading):
        if isinstance(given, OrderLine):
            put(block, given.statement, given.line, given.power)
            block.draft(given.power or power, power).preliminary = False
        elif type(given.request) in commands.IN_BLOCK:
            commands.perform(block, given, commands.PLAYER)
        else:
            block.note("not-in-block", done=False, line=given.line, what=word_of(given.request))
    block.hands()
    if not (reading.orders or reading.requests):
        session.note("acted-nothing", done=False, line=line, power=power)
        return
    note = session.note("acted-as", line=line, headline=True, power=power)
    session.notes += block.notes
    session.log(f"AS {power}\n" + "\n".join(words for _, words in request.lines), note)
    session.copy(power, Note("desk.master-wrote", (), headline=True), *block.notes)
