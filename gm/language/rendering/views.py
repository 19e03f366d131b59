"""What a letter holds, as frozen values already filtered for their reader: `gm.game` makes them, templates lay out.

Sentences come from the catalogue and may mark **strong** words. Words of persons stand only in `Words` and in fields
that say so; they are escaped in HTML and quoted in text.
"""

from __future__ import annotations

from typing import TypeAlias
from urllib.parse import quote

from msgspec import Struct, field


class Button(Struct, frozen=True):
    """Opens a new letter to `address` in the reader's mail program, filled in with `body`."""

    label: str
    address: str
    subject: str
    body: str

    @property
    def href(self) -> str:
        body = quote(self.body.replace("\n", "\r\n"), safe="/()")
        return f"mailto:{quote(self.address, safe='@+')}?subject={quote(self.subject, safe='')}&body={body}"


class Para(Struct, frozen=True):
    text: str


class Bullets(Struct, frozen=True):
    items: tuple[str, ...]


class Row(Struct, frozen=True):
    """A line to copy or on file, with a remark. `tone`: "" plain, "good", "bad" or "warn" (HTML colours them)."""

    code: str
    remark: str = ""
    tone: str = ""


class Rows(Struct, frozen=True):
    rows: tuple[Row, ...]


class Table(Struct, frozen=True):
    """Names and what belongs to them (who plays, deadlines): a proportional font may part the columns."""

    rows: tuple[tuple[str, str], ...]


class Compared(Struct, frozen=True):
    """What was and what is, side by side under `heads`; a row is (what it is about, was, is)."""

    heads: tuple[str, str]
    rows: tuple[tuple[str, str, str], ...]


class Words(Struct, frozen=True):
    """A person's own words, as written."""

    text: str


class Choices(Struct, frozen=True):
    """Ready answers as outlined buttons; a text part has said the same in words."""

    buttons: tuple[Button, ...]


Block: TypeAlias = Para | Bullets | Rows | Table | Compared | Words | Choices


class Section(Struct, frozen=True):
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


class Frame(Struct, frozen=True):
    """What every letter has. `lead` is the one sentence that could stand alone: what is new, what to do, by when.

    `act`: the reader must do something; `ref` is the last line; `crumbs` say where we are (game, phase, power).
    `country` opens the plain text of a letter to somebody who plays several. `map`: with words for the case that it was
    not drawn in time, too (`gm.game.model.map_attachment`).
    """

    subject: str
    title: str
    lead: str
    crumbs: tuple[str, ...] = ()
    button: Button | None = None
    act: bool = False
    foot: tuple[str, ...] = ()
    ref: str = ""
    country: str = ""
    map: MapView | None = None


class OrderRow(Struct, frozen=True):
    """`flags` is "" for an order that did what it should; `word` says how any order ended, for the HTML part.

    `fate` is "good", "bad", or "idle" for what nobody ordered.
    """

    order: str
    word: str
    flags: str = ""
    reason: str = ""
    changed: str = ""
    fate: str = "good"


class PowerOrders(Struct, frozen=True):
    power: str
    orders: tuple[OrderRow, ...]
    hue: int = 0
    you: str = ""


class LegView(Struct, frozen=True):
    """The results of one phase. `after` are sentences about what followed: dislodgements, events of the variant."""

    title: str
    caption: str
    powers: tuple[PowerOrders, ...]
    after: tuple[Section, ...] = ()


class CentreRow(Struct, frozen=True):
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
    rows: tuple[CentreRow, ...]


class ResultsView(Struct, frozen=True):
    """`first` are decrees and differences (version 2), `mine` concerns the reader, `machine` lines are for programs."""

    frame: Frame
    machine: tuple[str, ...]
    first: tuple[Section, ...] = ()
    mine: tuple[Section, ...] = ()
    legs: tuple[LegView, ...] = ()
    centres: CentresView | None = None
    ahead: tuple[Section, ...] = ()


class Fault(Struct, frozen=True):
    """A line not obeyed, numbered. `text` are the player's words, `start` and `end` the columns at fault in them."""

    number: int
    title: str
    text: str
    start: int
    end: int
    sentence: str
    suggestions: tuple[Row, ...] = ()
    choices: tuple[Button, ...] = ()

    @property
    def caret(self) -> str:
        return " " * self.start + "^" * (self.end - self.start)

    @property
    def parts(self) -> tuple[str, str, str]:
        return self.text[: self.start], self.text[self.start : self.end], self.text[self.end :]


class AnswerView(Struct, frozen=True):
    """The answer to a player's letter, in the order in which he wants to know."""

    frame: Frame
    deadline: str = ""
    notes: tuple[Section, ...] = ()
    faults: tuple[Fault, ...] = ()
    sheets: tuple[Section, ...] = ()
    advice: tuple[Section, ...] = ()
    read: tuple[Section, ...] = ()
    inserts: tuple[Section, ...] = ()


class LetterView(Struct, frozen=True):
    """Every other letter: sections in order, `below` in small print after them."""

    frame: Frame
    sections: tuple[Section, ...] = ()
    below: tuple[str, ...] = ()


class PressView(Struct, frozen=True):
    """A player's letter passed on: `words` as written, `below` on how to answer."""

    frame: Frame
    words: str
    hue: int = 0
    below: tuple[Section, ...] = field(default=())


View: TypeAlias = ResultsView | AnswerView | LetterView | PressView
