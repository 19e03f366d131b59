"""The names in a stretch of a line, which words around them must not be taken for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gm.kept_property import kept_property
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import UNKNOWN
from gm.language.prose.guesses.dips_guess import LISTING

SMALL = UNKNOWN | {"TO", "ON", "FOR", "WITH", "FROM", "OF", "BY"}
"""Token types that padding may take away from a list."""

Columns = tuple[int, int]


class NamedParts:
    """`listing`: on a sheet that lists units or powers. A text is scanned when the first words in it are judged."""

    def __init__(self, text: str, scan: Callable[[str], list[Token]], *, listing: bool) -> None:
        self._text = text
        self._scan = scan
        self._listing = listing

    @kept_property
    def _tokens(self) -> list[Token]:
        return self._scan(self._text)

    @kept_property
    def _named(self) -> set[Columns]:
        return {token.span for token in self._tokens if token.type == "PLACE"}

    @kept_property
    def places(self) -> list[Columns]:
        return [each.span for each in self._tokens if each.type == "PLACE" or (self._listing and each.type == "SEP")]

    @property
    def places_and_units(self) -> list[Columns]:
        return self.places + [token.span for token in self._tokens if self._listing and token.type == "KIND"]

    @property
    def places_and_acts(self) -> list[Columns]:
        """With the acts about countries: "to protect against Chile"."""
        text = self._text
        nations = "".join(text[token.start_pos] for token in self._tokens if token.type == "NATION")
        besides = {span for span in self._named if not text[slice(*span)].islower()}  # "Spain as well": no Wellington
        listed = bool(nations) and not (besides if nations.isupper() else self._named)
        return self.places + [token.span for token in self._tokens if listed and token.type in LISTING]

    @property
    def known(self) -> list[Columns]:
        """What single words of padding leave alone: all known words of a list, else places and their links."""
        if self._listing:
            return [token.span for token in self._tokens if token.type not in SMALL]
        threes = zip(self._tokens, self._tokens[1:], self._tokens[2:], strict=False)
        links = [
            link.span
            for before, link, after in threes
            if before.type == "PLACE" and link.type == "SEP" and after.type in ("PLACE", "KIND")
        ]  # "Serbia and Albania"
        return [*self.places, *links]

    @kept_property
    def _small(self) -> set[Columns]:
        """Names in small letters beside others in capitals: "out to sea"."""
        capitals = any(self._text[start].isupper() for start, _ in self._named)
        return {span for span in self._named if capitals and self._text[slice(*span)].islower()}

    def leave_free(self, match: re.Match[str], kept: Sequence[Columns]) -> bool:
        """Whether words are none of these names; several may hold a whole one: "stays in port" names no Portugal."""
        start, end = match.span()
        cut = [span for span in kept if start < span[1] and span[0] < end and span not in self._small]
        if " " in match.group():
            return all(start < first and past <= end for first, past in cut)
        return not cut
