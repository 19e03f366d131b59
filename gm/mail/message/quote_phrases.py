"""Phrases that mail programs write around a quote, as patterns for `gm.mail.message.quotes`.

grammars/mail_programs.toml holds the phrases. Patterns match one line of at most `limits.LINE` characters, nearly all
from its start, and have no nested repeats.
"""

from __future__ import annotations

import re
from functools import partial

from gm.mail.message.mail_program_words import any_of, pattern

_any = partial(any_of, "quotes")

VERBS = pattern(rf"\b{_any('verbs')}\b|{_any('verbs_within')}")
OPENERS = pattern(rf"{_any('openers')}\b")
COLONS = frozenset(":：")
DIGIT = re.compile(r"\d")
TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|[时時시]\d{1,2}[分분]?|\d{1,2}[时時시]")
DAY = re.compile(r"\b20\d\d\b|20\d\d[年년]|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")
"""Dates of letters have years that begin with 20; press has years such as 1901."""

DIVIDERS = pattern(rf"\W{{0,3}}\s?[-_=*]{{2,40}}\s{{0,3}}{_any('dividers')}\b.{{0,80}}")
FORWARDS = pattern(rf"{_any('forwards')}\s{{0,3}}:")
FORWARDED = pattern(_any("forwarded"))
RULE = re.compile(r"\s{0,3}(_{8,200}|-{20,200}|={20,200}|\*{20,200})\s*")
LONG_UNDERSCORES = re.compile(r"\s{0,3}_{20,200}\s*")
"""Outlook draws 32, Mailman 47; people draw fewer."""
DASHED = re.compile(r"\s{0,3}-{3,40}\s?[^-].{2,200}?-{3,40}\s*")

FROM = pattern(rf"[*_\s]{{0,4}}{_any('from')}\s{{0,2}}[:：][*_]{{0,2}}")
LABEL = pattern(rf"[*_\s]{{0,4}}{_any('labels')}\s{{0,2}}[:：][*_]{{0,2}}")

SIGNATURE = re.compile(r"(--|‐‐)\s?")
DEVICE = rf"(?<![a-z]){_any('devices')}"
BEHIND = rf"{_any('sent_behind')}\W*$"
MOBILE = pattern(
    rf"{_any('sent_from')}.{{0,60}}?{DEVICE}|(?=.*?{BEHIND}).{{0,60}}{DEVICE}.{{0,40}}?{BEHIND}|{_any('outlook')}"
)
"""The few words that may stand behind the device are looked for first: devices are many."""
BANNER = pattern(rf"[\[(*_\s]{{0,4}}(?:<https?://[^>\s]{{1,300}}>\s{{0,4}})?{_any('banners')}")
DISCLAIMER = pattern(rf"[\[(*_\s]{{0,4}}{_any('disclaimers')}")
LEGAL = pattern(_any("legal"))
