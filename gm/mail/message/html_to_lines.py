"""Turns HTML into lines of text, by selectolax (Lexbor): quotes are marked as "> ", struck words as ~~ ~~.

Signatures are left out and counted.

The walk is a loop, not a recursion. HTML too expensive for Lexbor (`gm.mail.message.html_cost`) is read without a tree.
"""

from __future__ import annotations

import html
import re
from collections.abc import Set

from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gm.mail import limits
from gm.mail.message.charset import normalize_text
from gm.mail.message.html_cost import is_costly, remove_hidden
from gm.mail.message.mail_program_words import names

DEEPEST_QUOTE = 5
DATA_URI = re.compile(r"data:[^\s\"'<>]+")
STRUCK = re.compile(r"<(/?)(?:s|strike)(?=[\s>/])", re.IGNORECASE)
FORMATTING = re.compile(r"</?(?:b|i|u|a|font|em|strong|code|big|small|tt|nobr)(?:\s[^<>]{0,4000})?>", re.IGNORECASE)
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
LINE_THROUGH = "line-through"
STRUCK_STYLE = re.compile(r"text-decoration[^;:]{0,20}:[^;]{0,60}line-through", re.IGNORECASE)
STRUCK_RULE = re.compile(r"\.([\w-]{1,60})\s{0,9}\{[^{}]{0,999}line-through", re.IGNORECASE)
"""A rule of a style sheet that strikes out the elements of a class."""
STRUCK_ON = re.compile(r"~~( *)~~")
"""Where a struck stretch goes on in the next text node."""
HIDDEN = re.compile(r"(display\s*:\s*none|mso-hide\s*:\s*all)", re.IGNORECASE)
OUTLOOK_RULE = re.compile(r"border:\s*none;\s*border-top:\s*solid #[0-9a-f]{6} 1\.0pt", re.IGNORECASE)
BLANKS = re.compile(r"[ \t\n\r\f]+")

DROPPED = {
    *("script", "style", "title", "head", "template", "noscript", "object", "svg", "math", "select", "textarea"),
}
BLOCKS = {
    *("address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "figure", "footer"),
    *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section"),
    *("table", "tbody", "thead", "tfoot", "tr", "ul", "caption", "body"),
}
PARAGRAPHS = {"p", "h1", "h2", "h3", "h4", "h5", "h6"}
QUOTES = names("html", "quotes")
REST_IS_QUOTE = names("html", "rest_is_quote")
SIGNATURES = names("html", "signatures")
NO_MARKS: Set[str] = frozenset()


class HtmlLines(Struct):
    """The lines out so far, and the state of the walk."""

    lines: list[str] = field(default_factory=list)
    signature_lines: int = 0
    now: list[str] = field(default_factory=list)
    quote: int = 0
    all_quote: bool = False
    mute: int = 0
    signature: int = 0
    verbatim: int = 0
    deleted: int = 0
    struck: frozenset[str] = frozenset()
    """Classes whose text is struck out."""

    def add_text(self, text: str) -> None:
        if self.mute:
            return
        if self.verbatim:
            first, *others = text.split("\n")
            self._add(first)
            for line in others:
                self.end_line()
                self._add(line)
        else:
            self._add(BLANKS.sub(" ", text))

    def _add(self, text: str) -> None:
        self.now.append(f"~~{text}~~" if self.deleted and text.strip() else text)

    def end_line(self, force: bool = False) -> None:
        """Ends the current line; an empty one counts only when <br> forces it."""
        text = ""
        if self.now:
            text = STRUCK_ON.sub(r"\1", "".join(self.now))
            text = text if self.verbatim else BLANKS.sub(" ", text).strip(" ")
            self.now.clear()
        if self.mute or not (text or force or self.verbatim):
            return
        if self.signature and not self.quote and not self.all_quote:
            self.signature_lines += bool(text.strip())
            return
        depth = min(self.quote + self.all_quote, DEEPEST_QUOTE)
        self.lines.append(f"{'>' * depth} {text}" if depth else text)

    def add_blank_line(self) -> None:
        if self.lines and self.lines[-1].strip("> ") and not self.mute:
            self.end_line(force=True)


def html_to_lines(source: str) -> tuple[list[str], int]:
    """(lines, number of signature lines left out). Takes linear time."""
    source = DATA_URI.sub("", source)[: limits.TEXT]
    clean = STRUCK.sub(r"<\1del", remove_hidden(source))
    struck: frozenset[str] = frozenset()
    if LINE_THROUGH in source.lower():
        struck = frozenset(name.lower().removeprefix("x_") for name in STRUCK_RULE.findall(source))
    else:
        clean = FORMATTING.sub("", clean)
    if is_costly(clean):
        return _lines_without_tree(clean), 0
    out = HtmlLines(struck=struck)
    root = LexborHTMLParser(clean).body
    if root is not None:
        _walk(root, out)
    return [normalize_text(line.replace("\xa0", " ")).rstrip() for line in out.lines], out.signature_lines


def _lines_without_tree(source: str) -> list[str]:
    """Every tag ends a line."""
    text = html.unescape(TAG.sub("\n", source).replace("\xa0", " "))
    return [normalize_text(line).strip() for line in text.split("\n") if line.strip()]


def _walk(root: LexborNode, out: HtmlLines) -> None:
    node: LexborNode | None = root
    marks: list[tuple[int, int, int, int, int]] = []
    while node is not None:
        if node.is_text_node:
            out.add_text(node.text_content or "")
            child = None
        else:
            marks.append((out.quote, out.mute, out.signature, out.verbatim, out.deleted))
            child = _enter(node, out)
        if child is not None:
            node = child
            continue
        while node is not None:
            if not node.is_text_node:
                _leave(node, out)
                out.quote, out.mute, out.signature, out.verbatim, out.deleted = marks.pop()
            if node.mem_id == root.mem_id:
                return
            if node.next is not None:
                node = node.next
                break
            node = node.parent


def _enter(node: LexborNode, out: HtmlLines) -> LexborNode | None:
    """Updates the state; returns the first child, None when the content is not read."""
    tag = node.tag or ""
    if tag in DROPPED or not node.is_element_node:
        return None
    attributes = node.attributes
    marks = _marks(attributes)
    style = attributes.get("style") or ""
    out.deleted += tag == "del" or bool(marks & out.struck or (style and STRUCK_STYLE.search(style[:1000])))
    if tag in BLOCKS:
        out.end_line()
    if marks & REST_IS_QUOTE or (style and tag == "div" and OUTLOOK_RULE.search(style[:300])):
        out.end_line()
        out.all_quote = True
    if tag == "blockquote" or marks & QUOTES or (attributes.get("name") == "quote"):
        out.end_line()
        out.quote += 1
    if marks & SIGNATURES:
        out.end_line()
        out.signature += 1
    out.verbatim += tag == "pre"
    if style and HIDDEN.search(style[:1000]):
        out.mute += 1
    if tag == "br":
        out.end_line(force=True)
    elif tag in ("td", "th"):
        out.now.append(" ")
    elif tag == "li":
        out.now.append("- ")
    return node.child


def _leave(node: LexborNode, out: HtmlLines) -> None:
    tag = node.tag or ""
    if not node.is_element_node or tag in DROPPED:
        return
    if tag in BLOCKS or _marks(node.attributes) & (QUOTES | SIGNATURES):
        out.end_line()
    if tag in PARAGRAPHS:
        out.add_blank_line()


def _marks(attributes: dict[str, str | None]) -> Set[str]:
    """id, name and classes, lower case."""
    if not attributes:
        return NO_MARKS
    text = " ".join(attributes.get(key) or "" for key in ("id", "class", "name", "data-marker"))[:500].lower()
    return {word.removeprefix("x_") for word in text.split()} if text.strip() else set()
