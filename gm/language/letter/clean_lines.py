"""Tells lines that are nothing but orders from those that must be read clause by clause."""

from __future__ import annotations

import re

from gm.language.i18n.needed_words import may_match
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import LetterLine
from gm.language.orders.line_reader import LineReader
from gm.language.orders.sheets.dips import says_more
from gm.language.prose.acts_in_turn import may_act_in_turn
from gm.language.prose.clauses import introduces
from gm.language.prose.guesses.unit_lists import lacks_kinds
from gm.language.prose.memory import LetterMemory
from gm.language.prose.moves_in_turn import may_go_in_turn
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.stance import is_marked

ADDED = re.compile(r"\+\d")


def is_clean(line: LetterLine, sheet: LineReader, context: LetterContext, memory: LetterMemory) -> bool:
    """Whether the line is nothing but orders, or a list that the sheet reads as a whole."""
    pieces, low, phrases = sheet.pieces(line.body), line.body.lower(), phrases_of(context.variant)
    if memory.section or is_marked(line.body) or phrases.inverted.search(low):
        return False
    if may_match(phrases.as_before, low) and phrases.as_before.search(low):
        return False  # "Naples as before, Venice holds" is no list of units that hold
    if sheet.kind.holds and len(pieces) > 1 and phrases.alike.search(low):
        return False  # "Venice holds. Rome too. Naples to Apulia."
    if sheet.kind.is_rest is not None and memory.on_file and ADDED.search(line.body):
        return False  # "Poland +2" changes a bid on file
    if sheet.kind.takes_preferences and pieces and pieces[0].node is not None:
        return not any(piece.node is None and piece.has_words for piece in pieces)
    if sheet.kind.lists_units and (lacks_kinds(pieces) or _takes_builds_back(line, context)):
        return False
    if any(says_more(getattr(piece.node, "countries", ()), context.variant) for piece in pieces):
        return False  # "Intercept whatever France writes to Germany."
    tokens = [token for piece in pieces for token in piece.tokens]
    introduced = len(pieces) > 1 and introduces(line.body, pieces[0].tokens, phrases)
    if sheet.kind.holds and (introduced or may_go_in_turn(tokens) or may_act_in_turn(line.body, sheet.scanner)):
        return False  # "the book recommends F Ank - BLA, A Con - Bul"
    return bool(pieces) and all(piece.node is not None and not piece.aside for piece in pieces)


def _takes_builds_back(line: LetterLine, context: LetterContext) -> bool:
    """Whether a line has words for taking orders back, where no unit must be removed."""
    phrases, low = phrases_of(context.variant), line.body.lower()
    return not context.due.removals and fits_any(low, (phrases.cancel, phrases.cancelled))
