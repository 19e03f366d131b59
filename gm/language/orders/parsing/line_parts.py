"""The parts of a line: one order each, between separators, and which parts belong together."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.orders.parsing.lexer import Token

Parts = list[list[Token]]
"""The tokens of a line, part by part."""
UNIT_WORDS = frozenset({"KIND", "PLACE", "NATION", "OF"})


def split_line(tokens: Sequence[Token], starters: frozenset[str]) -> Parts:
    """Parts between separators; a separator before a word that begins no order ("Rum. - Ser") is a mere dot."""
    parts: Parts = [[]]
    for at, token in enumerate(tokens):
        if token.type != "SEP":
            parts[-1].append(token)
            continue
        after = tokens[at + 1].type if at + 1 < len(tokens) else "SEP"
        if after in starters or after in ("WORD", "TALK", "IF", "SEP", "NUMBER", "SUPPORTED"):
            parts.append([])
    return [part for part in parts if part]


def join_units(parts: Parts) -> Parts:
    """Units alone go with what follows ("A Vie, A Bud S A Tri"); "supported by …" goes with what stands before."""
    return _join(parts, units_wait=True)


def join_lists(parts: Parts) -> Parts:
    """As `join_units`, where a unit alone is an order: it goes with further units only."""
    return _join(parts, units_wait=False)


def _join(parts: Parts, *, units_wait: bool) -> Parts:
    joined: Parts = []
    for part in parts:
        backing = part[0].type in ("SUPPORTED", "BY")
        listed = only_units(part) and bool(joined) and any(token.type == "SUPPORTED" for token in joined[-1])
        waiting = bool(joined) and only_units(joined[-1]) and (units_wait or only_units(part))
        if joined and (backing or listed or waiting):
            comma = [] if backing else [comma_after(joined[-1][-1])]
            joined[-1] = [*joined[-1], *comma, *part]
        else:
            joined.append(part)
    return joined


def only_units(tokens: Sequence[Token]) -> bool:
    kinds = [token.type for token in tokens if token.type != "SEP"]
    return all(kind in UNIT_WORDS for kind in kinds) and "PLACE" in kinds


def comma_after(token: Token) -> Token:
    return Token("SEP", ",", token.end_pos, token.end_pos)


def token_span(tokens: Sequence[Token]) -> tuple[int, int]:
    return tokens[0].start_pos, tokens[-1].end_pos


def unknown_runs(tokens: Sequence[Token]) -> list[list[int]]:
    """Indices of unknown words, neighbours together: "Norwegan Sea" is one name."""
    runs: list[list[int]] = []
    for at, token in enumerate(tokens):
        if token.type in ("WORD", "TALK"):
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
    return runs
