"""Words that mail programs, mailing lists and mail servers write: grammars/mail_programs.toml.

Those around quotes are patterns for `gm.mail.message.quotes`. They match one line of at most `limits.LINE` characters,
nearly all from its start, and have no nested repeats.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial

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
        from gm.language.i18n.kept_patterns import compiled  # what only takes letters in does without the language

        return compiled(f"(?i){self._source}")


_any = partial(any_of, "quotes")

VERBS = PhrasePattern(rf"\b{_any('verbs')}\b|{_any('verbs_within')}")
OPENERS = PhrasePattern(rf"{_any('openers')}\b")
COLONS = frozenset(":：")
DIGIT = re.compile(r"\d")
TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|[时時시]\d{1,2}[分분]?|\d{1,2}[时時시]")
DAY = re.compile(r"\b20\d\d\b|20\d\d[年년]|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")
"""Dates of letters have years that begin with 20; press has years such as 1901."""

DIVIDERS = PhrasePattern(rf"\W{{0,3}}\s?[-_=*]{{2,40}}\s{{0,3}}{_any('dividers')}\b.{{0,80}}")
FORWARDS = PhrasePattern(rf"{_any('forwards')}\s{{0,3}}:")
FORWARDED = PhrasePattern(_any("forwarded"))
RULE = re.compile(r"\s{0,3}(_{8,200}|-{20,200}|={20,200}|\*{20,200})\s*")
LONG_UNDERSCORES = re.compile(r"\s{0,3}_{20,200}\s*")
"""Outlook draws 32, Mailman 47; people draw fewer."""
DASHED = re.compile(r"\s{0,3}-{3,40}\s?[^-].{2,200}?-{3,40}\s*")

FROM = PhrasePattern(rf"[*_\s]{{0,4}}{_any('from')}\s{{0,2}}[:：][*_]{{0,2}}")
LABEL = PhrasePattern(rf"[*_\s]{{0,4}}{_any('labels')}\s{{0,2}}[:：][*_]{{0,2}}")

SIGNATURE = re.compile(r"(--|‐‐)\s?")
DEVICE = rf"(?<![a-z]){_any('devices')}"
SENT_FROM = PhrasePattern(rf"{_any('sent_from')}|{_any('outlook')}")
SENT_BEHIND = PhrasePattern(rf"{_any('sent_behind')}\W*$")
MOBILE = PhrasePattern(
    rf"{_any('sent_from')}.{{0,60}}?{DEVICE}|.{{0,60}}{DEVICE}.{{0,40}}?{_any('sent_behind')}\W*$|{_any('outlook')}"
)
"""Devices are many, so it is compared only with lines that `SENT_FROM` matches or in which `SENT_BEHIND` is found."""
BANNER = PhrasePattern(rf"[\[(*_\s]{{0,4}}(?:<https?://[^>\s]{{1,300}}>\s{{0,4}})?{_any('banners')}")
DISCLAIMER = PhrasePattern(rf"[\[(*_\s]{{0,4}}{_any('disclaimers')}")
LEGAL = PhrasePattern(_any("legal"))
