"""Renders views as letters with templates/text/<kind>.j2 and templates/html/<kind>.j2.

Templates only lay out: views are already chosen, worded and filtered for the reader. A misspelt field raises; what a
player wrote is escaped in HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping
from functools import cached_property, lru_cache
from pathlib import Path
from types import BuiltinMethodType, CodeType, MethodType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.compiler import CodeGenerator, Frame, optimizeconst
from jinja2.nodes import Getattr
from jinja2.runtime import BlockReference, Context, Macro
from markupsafe import Markup, escape
from msgspec import Struct

from gm.judge.model.variant import Translation, Variant
from gm.language.i18n.catalogue import FALLBACK, Catalogue, languages, load
from gm.language.i18n.localized_variant import local_names
from gm.language.rendering import plain_text
from gm.language.rendering.views import RowView, View

MOST_KEPT = 64
PARTS_KEPT = 256
STYLES = "html/_styles.j2"
STYLE = re.compile(r"\{\{ css\.(\w+) \}\}")
ASKING_NOTHING = frozenset({Macro, BlockReference, MethodType, BuiltinMethodType})
"""Types of what our templates call: none asks for the context."""
SPECIAL = re.compile("[^ !#-%(-;=?-~\n]")
"""What HTML needs escaped, or what may be unprintable."""
LETTERS = ("text/", "html/")
"""How the names of letters' templates begin."""
KINDS = ("welcome", "results", "answer", "reminder", "press", "question", "notice", "chronicle", "plain")


class Rendered(Struct, frozen=True):
    subject: str
    text: str
    html: str


class LetterTemplates:
    """The templates and sentences of one folder, loaded once; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = self._folder = folder
        self._catalogues: dict[str, Catalogue] = {}
        self.languages = languages(folder / "sentences")
        self._naming: dict[tuple[str, Translation | None], Catalogue] = {}
        self._environment = environment(folder)
        self._templates: dict[str, Template] = {}

    def catalogue(self, language: str = FALLBACK, variant: Variant | None = None) -> Catalogue:
        """`variant` gives the names of provinces and powers. Unknown languages mean English."""
        language = language if language in self.languages else FALLBACK
        named = variant.translations.get(language) if variant is not None else None
        catalogue = self._naming.get((language, named))
        if catalogue is None:
            plain = self._plain(language)
            catalogue = plain if variant is None or named is None else plain.naming(local_names(variant, language))
            if len(self._naming) >= MOST_KEPT:
                self._naming.clear()
            self._naming[language, named] = catalogue
        return catalogue

    def _plain(self, language: str) -> Catalogue:
        catalogue = self._catalogues.get(language)
        if catalogue is None:
            catalogue = self._catalogues[language] = load(self._folder / "sentences", language)
        return catalogue

    def render(self, kind: str, view: View, language: str = FALLBACK) -> Rendered:
        """`kind` is one of KINDS. Raises jinja2's errors for a template that does not fit its view."""
        fields = {"v": view, "frame": view.frame, "say": self.catalogue(language).say, "language": language}
        text = self._render_part("text", kind, fields)
        text = f"{view.frame.country}\n\n{text}" if view.frame.country else text
        html = self._render_part("html", kind, fields)
        return Rendered(plain_text.header(view.frame.subject), plain_text.finish(text), html)

    def _render_part(self, part: str, kind: str, fields: Mapping[str, object]) -> str:
        """Passes the shared macros as `blocks`, because importing them in each template is slower."""
        return self._template(f"{part}/{kind}.j2").render(fields, blocks=self._template(f"{part}/_blocks.j2").module)

    def _template(self, name: str) -> Template:
        """Copies the template's globals into one dict, which is faster than jinja2's chain of two."""
        template = self._templates.get(name)
        if template is None:
            template = self._templates[name] = self._environment.get_template(name)
            template.globals = dict(template.globals)
        return template

    def help(self, topic: str, language: str = FALLBACK, **fields: object) -> str | None:
        """The help page on a topic, filled in; None if there is none."""
        for name in (language, FALLBACK):
            if topic.isalpha() and (self._folder / "help" / name / f"{topic}.j2").is_file():
                return self._environment.get_template(f"help/{name}/{topic}.j2").render(fields)
        return None

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(sorted(file.stem for file in (self._folder / "help" / FALLBACK).glob("*.j2")))


class _FastCode(CodeGenerator):
    """In letters reads the fields of views as Python does, and not as keys of dictionaries. Only for speed."""

    @optimizeconst
    def visit_Getattr(self, node: Getattr, frame: Frame) -> None:  # noqa: N802  # the name jinja2 looks for
        if not (self.name or "").startswith(LETTERS):
            super().visit_Getattr(node, frame)
            return
        self.write("getattr(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r})")


class _FastContext(Context):
    """Calls macros, blocks and methods without looking for what other callables may ask for. Only for speed."""

    def call(self, called: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
        if type(called) not in ASKING_NOTHING:
            return super().call(called, *args, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        if not isinstance(called, Macro):
            return called(*args, **named)
        takes_more = called.caller or called.catch_kwargs or called.catch_varargs
        if takes_more or named or len(args) != called._argument_count:
            return called(self.eval_ctx, *args, **named)
        written = called._func(*args)
        return Markup(written) if self.eval_ctx.autoescape else written


class _FastTemplate(Template):
    """Writes escaped values as plain strings: they are joined at once. Only for speed.

    Values become printable where they are escaped: most of a letter's HTML is the template's own.
    """

    @classmethod
    def from_code(
        cls,
        environment: Environment,
        code: CodeType,
        globals: MutableMapping[str, Any],  # noqa: A002
        uptodate: Callable[[], bool] | None = None,
    ) -> Template:
        made = super().from_code(environment, code, globals, uptodate)
        made.root_render_func.__globals__["escape"] = _escaped
        return made


def _escaped(value: object) -> str:
    if type(value) is str:
        return escape(plain_text.printable(value)) if SPECIAL.search(value) else value
    return value if type(value) is Markup else escape(value)


class _StyledEnvironment(Environment):
    """Writes the styles of `html/_styles.j2` into templates before they are compiled: letters then cost less."""

    code_generator_class = _FastCode
    context_class = _FastContext
    template_class = _FastTemplate

    @cached_property
    def _styles(self) -> dict[str, str]:
        styles: dict[str, str] = self.get_template(STYLES).module.css  # type: ignore[attr-defined]
        return styles

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        source = super().preprocess(source, name, filename)
        return source if name == STYLES else STYLE.sub(lambda style: self._styles[style[1]], source)


@lru_cache(maxsize=4)
def environment(folder: Path) -> Environment:
    """The jinja2 environment of letters and pages; HTML templates escape values.

    One for each folder, only for speed: a template is compiled once.
    """
    environment = _StyledEnvironment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.startswith(("html/", "site/")),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "wrap": plain_text.wrap,
        "bullets": plain_text.bullets,
        "rows": _rows,
        "pairs": plain_text.rows,
        "compared": lambda block: plain_text.compared(block.heads, block.rows),
        "grid": lambda block: plain_text.grid(block.heads, [row.cells for row in block.rows], block.left),
        "quoted": plain_text.quoted,
        "guarded": plain_text.guarded,
        "plain": plain_text.unmarked,
        "strong": _strong,
        "kind": lambda block: type(block).__name__,
        "once": _once(environment),
    }
    return environment


def _once(environment: Environment) -> Callable[[object, str], str]:
    """Filter for a part that several letters share, the macro `part` of a file: {{ rows | once("html/_orders.j2") }}.

    The last ones are kept: the letters about one turn are rendered one after the other.
    """

    @lru_cache(maxsize=PARTS_KEPT)
    def render(view: object, name: str) -> str:
        rendered: str = environment.get_template(name).module.part(view)  # type: ignore[attr-defined]
        return rendered

    return render


def _rows(rows: tuple[RowView, ...]) -> str:
    return plain_text.rows([(row.code, row.remark) for row in rows])


@lru_cache(maxsize=plain_text.SENTENCES_KEPT, typed=True)
def _strong(text: str) -> Markup:
    parts = plain_text.strong_parts(plain_text.printable(text))
    pieces = (Markup("<b>{}</b>").format(words) if bold else escape(words) for words, bold in parts)
    return Markup("").join(pieces)
