"""Misspelt names of minor powers beside amounts: "Poland 5, Hungary 5, Rumenia 2". What they may mean is proposed."""

from __future__ import annotations

from msgspec.structs import replace

from gm.language.i18n.place_names import powers
from gm.language.i18n.similar_words import similar_words
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import Clause

NEAR, MOST_NEAR, SHORTEST = 80, 6, 4
"""How alike (of 100) a word and a name are, names that are looked at, and letters of the shortest word."""
BEFORE = frozenset({"ON", "FOR", "TO", "OF", "NUMBER"})


def with_near_minors(clause: Clause) -> Clause:
    """With the minor powers called most like unknown words beside amounts."""
    tokens = list(clause.tokens)
    for at, token in enumerate(tokens):
        beside = {tokens[at - 1].type if at else "", *(each.type for each in tokens[at + 1 : at + 2])}
        if token.type == "WORD" and (beside & {"NUMBER"} or tokens[at - 1].type in BEFORE):
            tokens[at] = _near(clause, token)
    return replace(clause, tokens=tokens) if tokens != list(clause.tokens) else clause


def _near(clause: Clause, token: Token) -> Token:
    """The token itself where its word is like no name, or like several powers' alike."""
    word = clause.text[token.start_pos : token.end_pos].lower()
    names = powers(tuple(minor for minor in clause.context.variant.minors if minor.homes))
    scored = similar_words(word, names, NEAR, MOST_NEAR) if len(word) >= SHORTEST else []
    best = {names[name] for name, score in scored if score == scored[0][1]}
    return token._replace(type="NATION", value=best.pop()) if len(best) == 1 else token
