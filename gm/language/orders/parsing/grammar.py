"""The grammars of grammars/*.lark, compiled once, and the first stage of reading: tokens -> an order node.

LALR only, so that the time to read a line grows with its length and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from lark import Lark, UnexpectedToken

from gm import resources
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.orders.parsing.grammar_words import GrammarWords
from gm.language.orders.parsing.lexer import Token, TokenizedLexer
from gm.language.orders.parsing.parse_cache import FILLABLE, ParseShape, blank_tokens, parse_shape
from gm.language.orders.parsing.parse_tree import OrderNode
from gm.language.orders.parsing.tree_builder import TreeBuilder

MOST_SHAPES = 4096
LONGEST_SHAPE = 24
WORDS_OF_TERMINAL = re.compile(r"[^|()?:]+")


def compiled(name: str, more: str = "", **options: Any) -> Lark:
    """The parser of grammars/<name>.lark, with `more` rules below it. Lark caches it until a file changes."""
    file = resources.folder("grammars") / f"{name}.lark"
    text = file.read_text(encoding="utf-8") + more
    cache = resources.cache_file(file) or False
    return Lark(text, source_path=str(file), parser="lalr", cache=cache, **options)


class Grammar:
    """The language of one kind of sheet."""

    def __init__(self, name: str, builder: type[TreeBuilder] = TreeBuilder) -> None:
        self.name = name
        self._lark = compiled(name, lexer=TokenizedLexer, start=["start", "vocabulary"], transformer=builder())
        fresh = self._lark.parse_interactive(start="start")
        self.starters = frozenset(fresh.accepts())  # type: ignore[no-untyped-call]
        self._english = {str(t.name): _words(t.pattern.value) for t in self._lark.terminals if t.pattern}
        self._vocabularies: dict[str, GrammarWords] = {}
        self.terminals = frozenset(str(t.name) for t in self._lark.terminals)
        self._shapes: dict[tuple[str, ...], ParseShape] = {}

    def vocabulary(self, language: str) -> GrammarWords:
        """The words of its lines in a language; the English ones are among them."""
        vocabulary = self._vocabularies.get(language)
        if vocabulary is None:
            more = vocabulary_of(language)
            terminals = {name: (*words, *more.words_for(self.name, name)) for name, words in self._english.items()}
            vocabulary = self._vocabularies[language] = GrammarWords(terminals)
        return vocabulary

    def parse(self, tokens: Sequence[Token]) -> tuple[OrderNode | None, Token | None]:
        """None where the tokens are no order, and the token where that showed (None: at the end).

        Only the types of the tokens decide, so sequences that have been parsed are remembered as shapes to fill; of
        other types, those that are no order.
        """
        key = tuple([token.type for token in tokens])
        shape = self._shapes.get(key)
        if shape is None:
            if len(key) > LONGEST_SHAPE:
                return self._parse(tokens)
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            if not FILLABLE.issuperset(key):
                node, stuck = self._parse(tokens)
                if node is None:
                    at = next((index for index, token in enumerate(tokens) if token is stuck), None)
                    self._shapes[key] = ParseShape(None, at)
                return node, stuck
            blanks = blank_tokens(key)
            shape = self._shapes[key] = parse_shape(blanks, *self._parse(blanks))
        stuck = None if shape.stuck is None else tokens[shape.stuck]
        return None if shape.fill is None else shape.fill(tokens), stuck

    def _parse(self, tokens: Sequence[Token]) -> tuple[OrderNode | None, Token | None]:
        try:
            result: OrderNode = self._lark.parse(tokens, start="start")  # type: ignore[assignment]
        except UnexpectedToken as error:
            return None, error.token if error.token.type != "$END" else None
        return result, None


@lru_cache(maxsize=64)
def grammar(name: str, builder: type[TreeBuilder]) -> Grammar:
    """`name` is that of grammars/<name>.lark: "moves", "retreats" …"""
    return Grammar(name, builder)


def _words(pattern: str) -> tuple[str, ...]:
    return tuple(WORDS_OF_TERMINAL.findall(pattern.replace("\\", "")))
