"""Variants with the names of another language: powers also answer to their local names.

Lines of such a variant are read by that language's words (`gm.language.i18n.vocabulary`) and names of provinces. Stored
orders are in no language: they are read by the variant itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from gm.judge.model.variant import LocalName, Minor, Power, Translation, Variant
from gm.language.i18n.vocabulary import ENGLISH, PLAIN, vocabulary_of


def localized(variant: Variant, language: str) -> Variant:
    """The same object for every reader of that language; the variant itself for a language without words."""
    if language in (variant.language, ENGLISH, "") or (
        language not in variant.translations and vocabulary_of(language) is PLAIN
    ):
        return variant
    return _renamed(variant, language)


@lru_cache(maxsize=32)
def _renamed(variant: Variant, language: str) -> Variant:
    """Cached only for speed: every letter asks for it."""
    variant = replace(variant, language=language)
    called = variant.translation.powers if variant.translation is not None else {}
    powers = tuple(replace(power, aliases=_aliases(power, called.get(power.name))) for power in variant.powers)
    minors = tuple(replace(minor, aliases=_aliases(minor, called.get(minor.name))) for minor in variant.minors)
    return replace(variant, powers=powers, minors=minors)


def _aliases(power: Power | Minor, called: LocalName | None) -> tuple[str, ...]:
    return power.aliases if called is None else (*power.aliases, called.name, *called.aliases)


def local_names(variant: Variant, language: str) -> dict[str, str]:
    """English names of provinces, kinds of unit and powers -> those of the language."""
    translation = variant.translations.get(language)
    return dict(_shown(variant, translation)) if translation is not None else {}


def _shown(variant: Variant, translation: Translation) -> Iterator[tuple[str, str]]:
    for code, area in variant.start.board.provinces.items():
        if code in translation.provinces:
            yield area.name, translation.provinces[code].name
    for code, kind in variant.kinds.items():
        if code in translation.kinds:
            yield kind.name, translation.kinds[code].name
    for name, called in translation.powers.items():
        yield name, called.name
