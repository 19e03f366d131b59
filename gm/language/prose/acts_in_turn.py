"""Units before a colon and as many acts behind it: "A Hol, A Kie, A Mun: H, H and Bur respectively"."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import SENTENCE_END, Sentence, first_word
from gm.language.prose.guesses.plain_motion import MOTION
from gm.language.prose.moves_in_turn import BETWEEN, LEAST, own_in_turn
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import error_key, stance_of
from gm.language.prose.stretches import StretchReader

COLON = ":"


def acts_in_turn(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """The orders of the units before the colon, each by the act of the same place behind it; a question where one of
    them is not possible. None for other sentences.
    """
    start, end = sentence.start, sentence.end
    if COLON not in text[start:end]:
        return None
    tokens = reader.plain_tokens(text, start, end)
    acts = _acts_behind_colon(tokens)
    units = [token for token in tokens if token.type == "PLACE"][: len(acts)]
    goals = [token for token in tokens if token.type == "PLACE" and token not in units]
    own = own_in_turn(reader, text, start, units, goals) if acts else []
    if not own or stance_of(text[:end].lower(), sentence, reader.phrases):
        return None
    lines = [reader.legal(f"{reader.unit_at(code)} {act}") for code, act in zip(own, acts, strict=True)]
    if all(len(each) == 1 for each in lines):
        orders = reader.orders_of([line for each in lines for line in each], text, start, end)
        reader.note(orders)
        return ClauseReading(start, end, Fate.ORDER, orders)
    error = OrderWarning(error_key(""), first_word(text, start), end)
    return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)


def may_act_in_turn(text: str, scanner: Scanner) -> bool:
    """Whether a sentence names several units before a colon and as many acts behind it, not all of them holds."""
    parts = SENTENCE_END.split(text) if COLON in text else ()
    return any(act != "H" for part in parts for act in _acts_behind_colon(scanner.scan(part.rstrip(" ."))))


def _acts_behind_colon(tokens: Sequence[Token]) -> list[str]:
    """What stands behind the units in their orders, "- Bur", "H"; () where the numbers differ or other words stand."""
    colon = next((at for at, token in enumerate(tokens) if (token.type, token.value) == ("SEP", COLON)), 0)
    before = [token.type for token in tokens[:colon]]
    if before.count("PLACE") < LEAST or not BETWEEN | {"PLACE"} >= {*before}:
        return []
    behind = [token for token in tokens[colon + 1 :] if token.type not in MOTION | {"SEP", "PLUS"}]
    acts = [_act(token) for token in behind]
    return acts if all(acts) and len(acts) == before.count("PLACE") else []


def _act(token: Token) -> str:
    if token.type == "PLACE":
        return f"- {token.value.text}"
    return "H" if token.type == "HOLD" else ""
