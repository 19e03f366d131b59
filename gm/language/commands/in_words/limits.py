"""Finds words that limit a command to one power: "extend by two days, for Russia only", where it is about everybody."""

from __future__ import annotations

import re
from functools import lru_cache

from gm.judge.model.variant import Variant
from gm.language.commands.in_words.named_powers import called
from gm.language.commands.in_words.plain_questions import LINE_MOST, tables_of
from gm.language.i18n.normalize import clean


def limit_in(text: str, variant: Variant) -> re.Match[str] | None:
    """Where a cleaned line names the only power that it is about: `[limiting]` of grammars/plain_questions."""
    return _limits(variant.language, tuple(called(variant.powers))).search(text[:LINE_MOST])


@lru_cache(maxsize=32)
def _limits(language: str, names: tuple[str, ...]) -> re.Pattern[str]:
    powers = "|".join(re.escape(clean(name).text) for name in names)
    patterns = (pattern for table in tables_of("limiting", language) for pattern in table["said"])
    return re.compile("|".join(patterns).replace("{power}", rf"(?:{powers})\b"), re.IGNORECASE)
