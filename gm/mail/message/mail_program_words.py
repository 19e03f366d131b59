"""Words that mail programs, mailing lists and mail servers write: grammars/mail_programs.toml."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from gm.mail.message.charset import normalize_text
from gm.resources import folder, read_table

_TABLES = read_table(folder("grammars") / "mail_programs.toml")


def any_of(table: str, kind: str) -> str:
    """The alternatives of a kind of phrase, as a regular expression; each line of the file has some."""
    return "(?:" + "|".join(filter(None, normalize_text(_TABLES[table][kind]).split("\n"))) + ")"


def names(table: str, kind: str) -> frozenset[str]:
    """Headers, or classes of HTML elements, in lower case."""
    return frozenset(_TABLES[table][kind])


class PhrasePattern:
    """A regular expression without regard to case, compiled at its first use: few letters need all of them."""

    def __init__(self, source: str) -> None:
        self._source = source

    @cached_property
    def match(self) -> Callable[[str], re.Match[str] | None]:
        return self._compiled.match

    @cached_property
    def fullmatch(self) -> Callable[[str], re.Match[str] | None]:
        return self._compiled.fullmatch

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        return self._compiled.search

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source, re.IGNORECASE)
