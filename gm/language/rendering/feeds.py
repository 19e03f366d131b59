"""Atom feeds (RFC 4287) of public events."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from xml.etree import ElementTree as Xml

from markupsafe import Markup
from msgspec import Struct

NAMESPACE = "http://www.w3.org/2005/Atom"
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""When a feed without entries was updated."""
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""


class FeedEntry(Struct, frozen=True):
    """`id` is a URI that never changes; `kind` a category for programs. `link` and `picture` are addresses, or ""."""

    id: str
    kind: str
    at: datetime
    title: str
    text: str
    link: str = ""
    picture: str = ""


class Feed(Struct, frozen=True):
    """`own` is the address of the feed itself, `page` of the page that shows the same.

    `base` leads from the feed to where relative addresses begin.
    """

    id: str
    title: str
    own: str
    page: str
    author: str
    language: str
    entries: tuple[FeedEntry, ...]
    base: str = ""


def atom(feed: Feed) -> bytes:
    root = Xml.Element("feed", {"xmlns": NAMESPACE, "xml:lang": feed.language})
    if feed.base:
        root.set("xml:base", feed.base)
    updated = max((entry.at for entry in feed.entries), default=NEVER)
    _texts(root, (("id", feed.id), ("title", feed.title), ("updated", instant(updated))))
    _texts(Xml.SubElement(root, "author"), (("name", feed.author),))
    Xml.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": feed.own})
    Xml.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": feed.page})
    for entry in feed.entries:
        _entry(Xml.SubElement(root, "entry"), entry)
    Xml.indent(root, space="")
    content: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _entry(element: Xml.Element, entry: FeedEntry) -> None:
    at = instant(entry.at)
    _texts(element, (("id", entry.id), ("title", entry.title), ("updated", at), ("published", at)))
    Xml.SubElement(element, "category", {"term": entry.kind})
    if entry.link:
        Xml.SubElement(element, "link", {"rel": "alternate", "type": "text/html", "href": entry.link})
    picture = Markup('<p><img src="{}" alt=""></p>').format(entry.picture) if entry.picture else ""
    content = Xml.SubElement(element, "content", {"type": "html"})
    content.text = NOT_XML.sub("", Markup("<p>{}</p>").format(entry.text) + picture)


def _texts(element: Xml.Element, texts: Iterable[tuple[str, str]]) -> None:
    for name, text in texts:
        Xml.SubElement(element, name).text = NOT_XML.sub("", text)


def instant(moment: datetime) -> str:
    """RFC 3339, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
