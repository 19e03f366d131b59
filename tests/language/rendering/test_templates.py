"""Templates: each kind has both parts, player text is escaped, nothing is fetched, sentences are all there."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.shipped import letter_templates

from gm.language.rendering import help_pages as manual
from gm.language.rendering.plain_text import printable
from gm.language.rendering.templates import KINDS, LetterTemplates
from gm.language.rendering.views import (
    AnswerView,
    BulletsView,
    ButtonView,
    ChoicesView,
    ChronicleView,
    LetterFrameView,
    LetterView,
    LineErrorView,
    ParagraphView,
    PressView,
    QuotedLineView,
    QuotedWordsView,
    ResultsView,
    RowsView,
    RowView,
    SectionView,
    TableView,
    View,
)
from gm.resources import folder

LETTERS = letter_templates()
REPLY = "gm+ostend.k7f3qm2xw9hd4tzp5sanb8vcye@gm.example"
FRAME = LetterFrameView(
    subject="[ostend S1901M] You are France",
    title="You are France",
    lead="You are France. Your orders are due on **Sunday**.",
    crumbs=("ostend", "France"),
    button=ButtonView("Write my orders", REPLY, "Re: [ostend S1901M] x", "A Par \nF Bre - \n\nRef: ostend S1901M k7f3"),
    act=True,
    foot=("One word is enough.",),
    ref="Ref: ostend S1901M k7f3qm2xw9hd4tzp5sanb8vcye",
)
ALL_BLOCKS = SectionView(
    "Everything",
    (
        ParagraphView("A **strong** word"),
        BulletsView(("one", "two")),
        RowsView(
            (
                RowView("A Par - Bur", "new", "good"),
                RowView("A Par", "will hold", "warn"),
                RowView("F Bre", "no", "bad"),
            )
        ),
        TableView((("Moves", "Sun"),)),
        QuotedWordsView("hello"),
        ChoicesView((ButtonView("Yes", REPLY, "Re: x", "YES"),)),
    ),
    aside="France",
)


def view_of(kind: str) -> View:
    if kind == "results":
        return ResultsView(FRAME, ("Game: ostend",), first=(ALL_BLOCKS,), mine=(ALL_BLOCKS,))
    if kind == "answer":
        quotes = (QuotedLineView("F Por - Spa", ((8, 11),)), QuotedLineView("Por or Spa", ((0, 3), (7, 10))))
        fault = LineErrorView(1, "Which coast?", quotes, "Two coasts.", (RowView("F Por - Spa/nc"),))
        return AnswerView(FRAME, "Deadline", (ALL_BLOCKS,), (fault,), (ALL_BLOCKS,))
    if kind == "press":
        return PressView(FRAME, "hello", 3, (ALL_BLOCKS,))
    if kind == "chronicle":
        return ChronicleView(FRAME, (ALL_BLOCKS,), (ALL_BLOCKS,))
    return LetterView(FRAME, (ALL_BLOCKS,), ("below",))


class Tags(HTMLParser):
    """Counts tags, and notes what a mail program would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.suspect: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            outside = value is not None and re.match(r"(?i)\s*(https?:|//|data:|javascript:)", value)
            if name.startswith("on") or outside or name in ("src", "srcset", "background"):
                self.suspect.append(f"{tag} {name}={value}")
        if tag in ("script", "iframe", "object", "link", "img", "form", "base"):
            self.suspect.append(tag)


def tags_of(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    return tags


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_text_and_an_html_part(kind: str) -> None:
    made = LETTERS.render(kind, view_of(kind))
    assert made.subject == "[ostend S1901M] You are France"
    assert made.text.startswith("You are France. Your orders are due on Sunday.")
    assert made.text.endswith("\n\nRef: ostend S1901M k7f3qm2xw9hd4tzp5sanb8vcye\n")
    assert "A strong word" in made.text
    assert "\n\n\n" not in made.text
    assert "A <b>strong</b> word" in made.html
    assert not tags_of(made.html).suspect
    assert made.html.index("<style>") < made.html.index("</head>") < made.html.index("<h1")
    assert re.findall(r"<h([123])", made.html)[0] == "1"


@pytest.mark.parametrize("kind", KINDS)
def test_without_its_style_block_a_letter_is_complete(kind: str) -> None:
    html = LETTERS.render(kind, view_of(kind)).html
    bare = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    assert not re.findall(r'<(?:p|td|h1|h2|h3|a|li)\b(?![^>]*style=)[^>]*class="(?:ink|mut|hot)', bare)


HOSTILE = st.lists(
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "</div></td></table>",
            '"><img src=x onerror=alert(1)>',
            "&lt;b&gt;",
            "{{ 7 * 7 }}",
            "{% raw %}",
            "**bold**",
            "-- \n",
            "\nRef: ostend S1901M aaaaaaaaaaaaaaaaaaaaaaaaaa\n",
            "\n:: Deadline: now\n",
            "\nDECREED BY THE GAME MASTER\n",
            "\u202eabc",
            "\x00\x1b[2J",
            "words ",
        ]
    )
    | st.text(max_size=30),
    max_size=10,
).map("".join)


@given(HOSTILE)
def test_press_cannot_break_out(words: str) -> None:
    plain = LETTERS.render("press", PressView(FRAME, "words"))
    made = LETTERS.render("press", PressView(FRAME, words))
    assert tags_of(made.html).tags == tags_of(plain.html).tags
    refs = re.findall(r"(?im)^[ \t]*ref\s*:.*$", made.text)
    assert refs == [FRAME.ref]
    assert not re.search(r"(?m)^(::|-- ?$|From )", made.text)
    assert made.text.count("\n" + "-" * 40 + "\n") == 1


@given(HOSTILE)
def test_a_quoted_line_cannot_break_out(words: str) -> None:
    line = " ".join(words.split())
    fault = LineErrorView(1, "Not an order", (QuotedLineView(line, ((0, len(line)),)),), f"{line} is no order.")
    view = AnswerView(FRAME, faults=(fault,))
    x = replace(fault, quotes=(QuotedLineView("x", ((0, 1),)),), sentence="x")
    plain = LETTERS.render("answer", AnswerView(FRAME, faults=(x,)))
    made = LETTERS.render("answer", view)
    if line:
        assert tags_of(made.html).tags == tags_of(plain.html).tags
    assert len(re.findall(r"(?im)^ref\s*:", made.text)) == 1


@given(HOSTILE)
def test_all_of_a_letter_is_printable(words: str) -> None:
    """Values become so where they are written; the templates are."""
    blocks = (
        ParagraphView(words),
        BulletsView((words,)),
        RowsView((RowView(words, words, "good"), RowView(words, words * 9))),
        TableView(((words, words),)),
        QuotedWordsView(words),
        ChoicesView((ButtonView(words, REPLY, words, words),)),
    )
    button = ButtonView(words, REPLY, words, words)
    frame = replace(FRAME, title=words, lead=words, crumbs=(words, "x"), button=button, foot=(words,), ref=words)
    fault = LineErrorView(1, words, (QuotedLineView(words, ((0, 1),)),), words, (RowView(words),))
    section = SectionView(words, blocks, aside=words)
    view = AnswerView(frame, words, (section,), (fault,), (section,), below=(words,))
    made = LETTERS.render("answer", view)
    for part in (made.text, made.html):
        assert printable(part) == part
        part.encode()


def test_a_button_fills_in_a_letter() -> None:
    assert FRAME.button is not None
    assert FRAME.button.href == (
        "mailto:gm+ostend.k7f3qm2xw9hd4tzp5sanb8vcye@gm.example?subject=Re%3A%20%5Bostend%20S1901M%5D%20x"
        "&body=A%20Par%20%0D%0AF%20Bre%20-%20%0D%0A%0D%0ARef%3A%20ostend%20S1901M%20k7f3"
    )


def test_a_second_language_is_data(tmp_path: Path) -> None:
    source = folder("templates")
    for file in source.rglob("*"):
        if file.is_file():
            copy = tmp_path / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    french = tmp_path / "sentences" / "fr"
    french.mkdir()
    (french / "letters.toml").write_text('[foot]\nwords = "Un mot suffit."\n', encoding="utf-8")
    letters = LetterTemplates(tmp_path)
    assert letters.catalogue("fr").say("foot.words") == "Un mot suffit."
    assert letters.catalogue("fr").say("foot.seat", power="X").startswith("Whoever")
    assert 'lang="fr"' in letters.render("plain", view_of("plain"), "fr").html


def test_every_sentence_fits_its_fields() -> None:
    """A brace left open, or a plural without its singular, is found here and not by a player."""
    catalogue = LETTERS.catalogue()
    for key, entry in catalogue._entries.items():
        for sentence in (entry,) if isinstance(entry, str) else entry.values():
            assert re.sub(r"\{[a-z_]+(:02d|:\.3)?\}", "", sentence).count("{") == 0, key
        if not isinstance(entry, str):
            assert set(entry) == {"one", "other"}, key


def test_manual_pages_become_sections() -> None:
    sections = manual.sections(
        "# Title\nA text\nover lines.\n\n  A Par - Bur    moves\n  HOLD REST\n\n- one\n  more\n- two\n"
    )
    assert sections == (
        SectionView(
            "Title",
            (
                ParagraphView("A text over lines."),
                RowsView((RowView("A Par - Bur", "moves"), RowView("HOLD REST"))),
                BulletsView(("one more", "two")),
            ),
        ),
    )
