"""Words that are no names: `gm erase` leaves them in sentences of others."""

from __future__ import annotations

from gm.language.i18n.ordinary_words import ordinary_words


def test_words_of_both_languages_are_ordinary_and_names_are_not() -> None:
    words = ordinary_words()
    assert {"you", "me", "will", "may", "hope", "info", "gut", "ernst", "wir"} <= words
    assert not {"ann", "bob", "carol", "otto", "müller", "ruth", "jan", "max"} & words
    assert all(word == word.lower() for word in words)
