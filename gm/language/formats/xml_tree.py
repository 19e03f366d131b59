"""Reads XML of strangers into plain elements, with expat: no document types, no entities, bounded depth and number."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from msgspec import Struct, field

from gm.language.formats.saved_game import UnreadGameError

MOST_ELEMENTS = 200_000
DEEPEST = 300


class XmlElement(Struct):
    """An element. Its text is left out unless it is a leaf's."""

    tag: str
    attributes: dict[str, str]
    children: list[XmlElement] = field(default_factory=list)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def all(self, tag: str) -> Iterator[XmlElement]:
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> XmlElement:
        """The first child of that name; an empty element if there is none."""
        return next(self.all(tag), XmlElement(tag, {}))


def parse_xml(text: str) -> XmlElement:
    """The root element. Raises UnreadGameError."""
    builder = _Builder()
    parser = expat.ParserCreate(encoding="utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.characters
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(text.strip().encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise UnreadGameError("not-xml", why=str(error)) from None
    if builder.root is None:
        raise UnreadGameError("not-xml", why="no element")
    return builder.root


def _refuse(*_: object) -> None:
    raise UnreadGameError("xml-entities")


class _Builder:
    def __init__(self) -> None:
        self.root: XmlElement | None = None
        self.open: list[XmlElement] = []
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST_ELEMENTS or len(self.open) >= DEEPEST:
            raise UnreadGameError("too-much")
        element = XmlElement(tag, attributes)
        if self.open:
            self.open[-1].children.append(element)
        elif self.root is None:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def characters(self, data: str) -> None:
        if self.open and not self.open[-1].children and len(self.open[-1].text) < 1_000:
            self.open[-1].text += data
