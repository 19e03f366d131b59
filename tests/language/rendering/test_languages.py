"""Every language says what English says: the same sentences with the same fields, the same pages of the manual."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from jinja2 import Environment, meta

from gm.language.i18n.catalogue import FALLBACK, Catalogue, entries, languages
from gm.resources import folder

SENTENCES = folder("templates") / "sentences"
PAGES = folder("templates") / "help"
OTHERS = tuple(language for language in languages() if language != FALLBACK)
MARKUP = r"::[a-z-]+|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<style.*?</style>|<[^>]*>|&[a-z#0-9]+;"
COUNTED = {"n", "one"}
"""Fields that a sentence which counts need not show: "one line" for "1 line"."""


def fields(entry: str | Mapping[str, str]) -> set[str]:
    named = set(Catalogue("xx", {"key": entry}).fields("key"))
    return named - COUNTED if isinstance(entry, dict) else named


def differences(language: str) -> list[str]:
    """One line for each sentence to write, strike or mend, with the file it belongs to."""
    lines: list[str] = []
    for file in sorted((SENTENCES / FALLBACK).glob("*.toml")):
        theirs = SENTENCES / language / file.name
        english, translated = entries(file), entries(theirs) if theirs.is_file() else {}
        where = f"templates/sentences/{language}/{file.name}"
        lines += [f"{where}: lacks {key} = {english[key]!r}" for key in english if key not in translated]
        lines += [f"{where}: has {key}, which English has not in that file" for key in translated if key not in english]
        for key in english.keys() & translated.keys():
            if fields(english[key]) != fields(translated[key]):
                needed = ", ".join(sorted(fields(english[key]) ^ fields(translated[key])))
                lines.append(f"{where}: {key} differs from English in the fields {needed}")
    known = {file.name for file in (SENTENCES / FALLBACK).glob("*.toml")}
    strange = [file.name for file in (SENTENCES / language).glob("*.toml") if file.name not in known]
    return [*lines, *(f"templates/sentences/{language}/{name}: no such file in English" for name in strange)]


def pages(language: str) -> dict[str, set[str]]:
    """Each page with the values that it uses."""
    environment = Environment()
    return {
        file.name: meta.find_undeclared_variables(environment.parse(file.read_text(encoding="utf-8")))
        for file in sorted((PAGES / language).glob("*.j2"))
    }


def test_there_is_a_second_language() -> None:
    assert "de" in OTHERS


@pytest.mark.parametrize("language", OTHERS)
def test_the_sentences_are_the_same(language: str) -> None:
    lines = differences(language)
    assert not lines, f"{len(lines)} sentences to look at:\n" + "\n".join(lines)


@pytest.mark.parametrize("language", OTHERS)
def test_the_manual_has_the_same_pages(language: str) -> None:
    english, translated = pages(FALLBACK), pages(language)
    wrong = [f"templates/help/{language}/{name} is to be written" for name in english.keys() - translated.keys()]
    wrong += [f"templates/help/{language}/{name} has no page in English" for name in translated.keys() - english.keys()]
    for name in english.keys() & translated.keys():
        if english[name] != translated[name]:
            wrong.append(
                f"templates/help/{language}/{name} uses other values: {sorted(english[name] ^ translated[name])}"
            )
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.parametrize("language", OTHERS)
def test_the_headings_of_a_page_are_as_many(language: str) -> None:
    """A section left out of a page, or lines for typing that are not there, is what a translation forgets."""
    for name in pages(FALLBACK):
        english = (PAGES / FALLBACK / name).read_text(encoding="utf-8")
        translated = (PAGES / language / name).read_text(encoding="utf-8")
        heads = [len(re.findall(r"(?m)^# ", page)) for page in (english, translated)]
        assert heads[0] == heads[1], f"templates/help/{language}/{name}: {heads[1]} headings, in English {heads[0]}"


def test_no_words_stand_in_the_templates_themselves() -> None:
    """What letters say comes from the sentences; a template that has words of its own would say them in English."""
    for file in sorted([*(folder("templates") / "text").glob("*.j2"), *(folder("templates") / "html").glob("*.j2")]):
        page = re.sub(MARKUP, " ", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        words = re.findall(r"[A-Za-z]{3,}", page)
        assert not words, f"{file.name}: {words[:5]}"
