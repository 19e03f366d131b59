"""Views to letters: templates/text/<kind>.j2 and templates/html/<kind>.j2, filled with sentences of the catalogue.

Templates lay out and never decide: all they are given is already chosen, worded and filtered for the reader. A field
that a template misspells raises; what a player wrote reaches the HTML part escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape
from msgspec import Struct

from gm.judge.model.variant import Translation, Variant
from gm.language.i18n.catalogue import FALLBACK, Catalogue, languages, load
from gm.language.i18n.localized_variant import shown
from gm.language.rendering import plain_text as layout
from gm.language.rendering.views import RowView, View

MOST_KEPT = 64
PARTS_KEPT = 256
KINDS = ("welcome", "results", "answer", "reminder", "press", "question", "notice", "plain")


class Rendered(Struct, frozen=True):
    subject: str
    text: str
    html: str


class LetterTemplates:
    """All templates and sentences of one folder, loaded once; safe to share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._catalogues: dict[str, Catalogue] = {}
        self.languages = languages(folder / "sentences")
        self._naming: dict[tuple[str, Translation | None], Catalogue] = {}
        self._environment = environment(folder)
        self._templates: dict[str, Template] = {}

    def catalogue(self, language: str = FALLBACK, variant: Variant | None = None) -> Catalogue:
        """`variant`: whose names for provinces and powers it uses. Unknown languages give English."""
        language = language if language in self.languages else FALLBACK
        named = variant.translations.get(language) if variant is not None else None
        found = self._naming.get((language, named))
        if found is None:
            plain = self._plain(language)
            found = plain if variant is None or named is None else plain.naming(shown(variant, language))
            if len(self._naming) >= MOST_KEPT:
                self._naming.clear()
            self._naming[language, named] = found
        return found

    def _plain(self, language: str) -> Catalogue:
        found = self._catalogues.get(language)
        if found is None:
            found = self._catalogues[language] = load(self._folder / "sentences", language)
        return found

    def render(self, kind: str, view: View, language: str = FALLBACK) -> Rendered:
        """`kind` is one of KINDS; jinja2's own errors for a template that does not fit its view."""
        fields = {"v": view, "frame": view.frame, "say": self.catalogue(language).say, "language": language}
        text = self._laid_out("text", kind, fields)
        text = f"{view.frame.country}\n\n{text}" if view.frame.country else text
        html = self._laid_out("html", kind, fields)
        return Rendered(layout.header(view.frame.subject), layout.finish(text), layout.printable(html))

    def _laid_out(self, part: str, kind: str, fields: Mapping[str, object]) -> str:
        """`blocks` is what all templates of a part lay out alike; one that imports it has it looked for each time."""
        return self._template(f"{part}/{kind}.j2").render(fields, blocks=self._template(f"{part}/_blocks.j2").module)

    def _template(self, name: str) -> Template:
        """With its globals in one mapping, where a letter finds them faster than in jinja2's chain of two."""
        found = self._templates.get(name)
        if found is None:
            found = self._templates[name] = self._environment.get_template(name)
            found.globals = dict(found.globals)
        return found

    def help(self, topic: str, language: str = FALLBACK, **fields: object) -> str | None:
        """The manual's page on a topic, filled in; None where there is no such page."""
        for name in (language, FALLBACK):
            if topic.isalpha() and (self._folder / "help" / name / f"{topic}.j2").is_file():
                return self._environment.get_template(f"help/{name}/{topic}.j2").render(fields)
        return None

    @property
    def topics(self) -> tuple[str, ...]:
        """The pages of the manual, by name."""
        return tuple(sorted(file.stem for file in (self._folder / "help" / FALLBACK).glob("*.j2")))


def environment(folder: Path) -> Environment:
    """How templates are read, those of pages too. HTML escapes what it is given."""
    found = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.startswith(("html/", "site/")),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.filters |= {
        "wrap": layout.wrap,
        "bullets": layout.bullets,
        "rows": _rows,
        "pairs": layout.rows,
        "compared": lambda block: layout.compared(block.heads, block.rows),
        "quoted": layout.quoted,
        "guarded": layout.guarded,
        "plain": layout.plain,
        "strong": _strong,
        "kind": lambda block: type(block).__name__,
        "once": _once(found),
    }
    return found


def _once(environment: Environment) -> Callable[[object, str], str]:
    """What is the same in letters to several readers ({{ view | once("html/_orders.j2") }}) is laid out once."""

    @lru_cache(maxsize=PARTS_KEPT)
    def laid_out(view: object, name: str) -> str:
        said = environment.get_template(name).render(v=view)
        return Markup(said) if name.startswith("html/") else said

    return laid_out


def _rows(rows: tuple[RowView, ...]) -> str:
    return layout.rows([(row.code, row.remark) for row in rows])


@lru_cache(maxsize=layout.SENTENCES_KEPT, typed=True)
def _strong(text: str) -> Markup:
    pieces = (Markup("<b>{}</b>").format(words) if bold else escape(words) for words, bold in layout.strong_parts(text))
    return Markup("").join(pieces)
