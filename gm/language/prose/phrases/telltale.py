"""Words that show that a line is in another language than its reader's: `telltale` of grammars/prose/*.toml."""

from __future__ import annotations

import re
from functools import lru_cache

from gm import resources
from gm.judge.model.variant import Variant
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH
from gm.language.prose.phrases.phrase_tables import entries_at, whole_words


@lru_cache(maxsize=1)
def _words_of_languages() -> tuple[tuple[str, re.Pattern[str]], ...]:
    files = sorted((resources.folder("grammars") / "prose").glob("*.toml"))
    tables = ((file.stem, resources.read_table(file)) for file in files if file.stem != ENGLISH)
    return tuple((language, whole_words(entries_at(table, ("telltale",)))) for language, table in tables)


def language_of(body: str, variant: Variant) -> str:
    """Another language than the reader's own that a line is in, by words that no English line has; else "". Codes of
    provinces are none of them ("ist" in Locarno).
    """
    low, codes = clean(body).text.lower(), variant.start.board.provinces
    for language, words in _words_of_languages():
        telling = (match.group() for match in words.finditer(low)) if language != variant.language else ()
        if any(word.capitalize() not in codes and word.upper() not in codes for word in telling):
            return language
    return ""
