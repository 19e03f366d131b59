"""What a letter holds, as frozen values already filtered for their reader: `gm.game` makes them, templates lay out.

Sentences come from the catalogue and may mark **strong** words. Words of persons stand only in `Words` and in fields
that say so; they are escaped in HTML and quoted in text.
"""

from __future__ import annotations

from typing import TypeAlias
from urllib.parse import quote

from msgspec import Struct, field


class ButtonView(Struct, frozen=True):
    """Opens a new letter to `address` in the reader's mail program, filled in with `body`."""

    label: str
    address: str
    subject: str
    body: str

    @property
    def href(self) -> str:
        body = quote(self.body.replace("\n", "\r\n"), safe="/()")
        return f"mailto:{quote(self.address, safe='@+')}?subject={quote(self.subject, safe='')}&body={body}"


class ParagraphView(Struct, frozen=True):
    text: str


class BulletsView(Struct, frozen=True):
    items: tuple[str, ...]


class RowView(Struct, frozen=True):
    """A line to copy or on file, with a remark. `tone`: "" plain, "good", "bad" or "warn" (HTML colours them)."""

    code: str
    remark: str = ""
    tone: str = ""


class RowsView(Struct, frozen=True):
    rows: tuple[RowView, ...]


class TableView(Struct, frozen=True):
    """Names and what belongs to them (who plays, deadlines): a proportional font may part the columns."""

    rows: tuple[tuple[str, str], ...]


class ComparisonView(Struct, frozen=True):
    """What was and what is, side by side under `heads`; a row is (what it is about, was, is)."""

    heads: tuple[str, str]
    rows: tuple[tuple[str, str, str], ...]


class QuotedWordsView(Struct, frozen=True):
    """A person's own words, as written."""

    text: str


class ChoicesView(Struct, frozen=True):
    """Ready answers as outlined buttons; a text part has said the same in words."""

    buttons: tuple[ButtonView, ...]


Block: TypeAlias = ParagraphView | BulletsView | RowsView | TableView | ComparisonView | QuotedWordsView | ChoicesView


class SectionView(Struct, frozen=True):
    """`aside` is said beside the title: whose it is, or who alone may read it."""

    title: str
    blocks: tuple[Block, ...]
    aside: str = ""


class MapView(Struct, frozen=True):
    """A map that comes with the letter as the file `name`; `alt` says in words what it shows.

    `inline`: the HTML shows it, by its Content-ID `cid`; else it is only attached.
    """

    name: str
    alt: str
    inline: bool = True
    cid: str = ""


class LetterFrameView(Struct, frozen=True):
    """What every letter has. `lead` is the one sentence that could stand alone: what is new, what to do, by when.

    `act`: the reader must do something; `ref` is the last line; `crumbs` say where we are (game, phase, power).
    `country` opens the plain text of a letter to somebody who plays several. `map`: with words for the case that it was
    not drawn in time, too (`gm.game.model.map_attachment`).
    """

    subject: str
    title: str
    lead: str
    crumbs: tuple[str, ...] = ()
    button: ButtonView | None = None
    act: bool = False
    foot: tuple[str, ...] = ()
    ref: str = ""
    country: str = ""
    map: MapView | None = None


class OrderRowView(Struct, frozen=True):
    """`flags` is "" for an order that did what it should; `word` says how any order ended, for the HTML part.

    `fate` is "good", "bad", or "idle" for what nobody ordered.
    """

    order: str
    word: str
    flags: str = ""
    reason: str = ""
    changed: str = ""
    fate: str = "good"


class PowerOrdersView(Struct, frozen=True):
    power: str
    orders: tuple[OrderRowView, ...]
    hue: int = 0
    you: str = ""


class LegView(Struct, frozen=True):
    """The results of one phase. `after` are sentences about what followed: dislodgements, events of the variant."""

    title: str
    caption: str
    powers: tuple[PowerOrdersView, ...]
    after: tuple[SectionView, ...] = ()


class CentreRowView(Struct, frozen=True):
    """`centres` mark what was won with "+"; `lost` stand apart. `change` is "+2", "-1" or "="."""

    power: str
    count: int
    change: str
    summary: str
    centres: tuple[str, ...]
    lost: str = ""
    units: str = ""
    hue: int = 0
    you: bool = False


class CentresView(Struct, frozen=True):
    title: str
    caption: str
    heads: tuple[str, str, str]
    rows: tuple[CentreRowView, ...]


class ResultsView(Struct, frozen=True):
    """`first` are decrees and differences (version 2), `mine` concerns the reader, `machine` lines are for programs."""

    frame: LetterFrameView
    machine: tuple[str, ...]
    first: tuple[SectionView, ...] = ()
    mine: tuple[SectionView, ...] = ()
    legs: tuple[LegView, ...] = ()
    centres: CentresView | None = None
    ahead: tuple[SectionView, ...] = ()


class LineErrorView(Struct, frozen=True):
    """A line not obeyed, numbered. `text` are the player's words, `start` and `end` the columns at fault in them."""

    number: int
    title: str
    text: str
    start: int
    end: int
    sentence: str
    suggestions: tuple[RowView, ...] = ()
    choices: tuple[ButtonView, ...] = ()

    @property
    def caret(self) -> str:
        return " " * self.start + "^" * (self.end - self.start)

    @property
    def parts(self) -> tuple[str, str, str]:
        return self.text[: self.start], self.text[self.start : self.end], self.text[self.end :]


class AnswerView(Struct, frozen=True):
    """The answer to a player's letter, in the order in which he wants to know."""

    frame: LetterFrameView
    deadline: str = ""
    notes: tuple[SectionView, ...] = ()
    faults: tuple[LineErrorView, ...] = ()
    sheets: tuple[SectionView, ...] = ()
    advice: tuple[SectionView, ...] = ()
    read: tuple[SectionView, ...] = ()
    inserts: tuple[SectionView, ...] = ()


class LetterView(Struct, frozen=True):
    """Every other letter: sections in order, `below` in small print after them."""

    frame: LetterFrameView
    sections: tuple[SectionView, ...] = ()
    below: tuple[str, ...] = ()


class PressView(Struct, frozen=True):
    """A player's letter passed on: `words` as written, `below` on how to answer."""

    frame: LetterFrameView
    words: str
    hue: int = 0
    below: tuple[SectionView, ...] = field(default=())


View: TypeAlias = ResultsView | AnswerView | LetterView | PressView
