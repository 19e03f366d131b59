"""Views: frozen values for templates, already filtered for their reader. `gm.game` makes them.

Sentences come from the catalogue and may mark **strong** words. People's own words appear only in `QuotedWordsView` and
in fields that say so; they are escaped in HTML and quoted in text.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias
from urllib.parse import quote

from msgspec import Struct, field

REMARK_BESIDE = 70
"""Characters of a remark that fit beside its line."""


class ButtonView(Struct, frozen=True):
    """Opens a new letter to `address` in the reader's mail program, filled in with `body`."""

    label: str
    address: str
    subject: str
    body: str

    @property
    def href(self) -> str:
        body = _quoted(self.body.replace("\n", "\r\n"), "/()")
        return f"mailto:{_quoted(self.address, '@+')}?subject={_quoted(self.subject, '')}&body={body}"


def _quoted(text: str, safe: str) -> str:
    """As `urllib.parse.quote`, which looks at each letter by itself."""
    return text.translate(_quoted_letters(safe)) if text.isascii() else quote(text, safe=safe)


@lru_cache(maxsize=8)
def _quoted_letters(safe: str) -> dict[int, str]:
    return {code: quote(chr(code), safe=safe) for code in range(128)}


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

    @property
    def has_long_remark(self) -> bool:
        """Whether a remark is too long to stand beside its line."""
        return any(len(row.remark) > REMARK_BESIDE for row in self.rows)


class TableView(Struct, frozen=True):
    """Names and values (players, deadlines) that stay readable in a proportional font."""

    rows: tuple[tuple[str, str], ...]


class ComparisonView(Struct, frozen=True):
    """Old and new values side by side under `heads`; a row is (subject, old, new)."""

    heads: tuple[str, str]
    rows: tuple[tuple[str, str, str], ...]


class GridRowView(Struct, frozen=True):
    """`hue` is the number of the power's colour, 0 for none; `you`: the row is the reader's own."""

    cells: tuple[str, ...]
    hue: int = 0
    you: bool = False


class GridView(Struct, frozen=True):
    """A table with a heading for each column. The first `left` columns hold words, the others numbers."""

    heads: tuple[str, ...]
    rows: tuple[GridRowView, ...]
    left: int = 1


class QuotedWordsView(Struct, frozen=True):
    """A person's own words, as written."""

    text: str


class ChoicesView(Struct, frozen=True):
    """Ready answers as outlined buttons; the text part says the same in words."""

    buttons: tuple[ButtonView, ...]


Block: TypeAlias = (
    ParagraphView | BulletsView | RowsView | TableView | ComparisonView | GridView | QuotedWordsView | ChoicesView
)


class SectionView(Struct, frozen=True):
    """`aside` follows the title: whose section it is, or who alone may read it."""

    title: str
    blocks: tuple[Block, ...]
    aside: str = ""


class MapView(Struct, frozen=True):
    """A map attached as the file `name`; `alt` describes it. `inline`: the HTML shows it by its Content-ID `cid`.

    `crop` is the Content-ID of a part of it that small screens show, "" without one. `own`: it shows the reader's
    orders, below their sheet; nobody asked for it, so a letter without it says nothing.
    """

    name: str
    alt: str
    inline: bool = True
    cid: str = ""
    crop: str = ""
    own: bool = False


class LetterFrameView(Struct, frozen=True):
    """The parts of every letter. `lead` is one sentence: what is new, what to do, by when.

    `act`: the reader must do something; `ref` is the last line; `crumbs` name game, phase and power. `country` opens
    the text of a letter to a person who plays several powers. `map` and `chart` also have words for a
    picture that is not drawn in time (`gm.game.model.map_attachment`).
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
    chart: MapView | None = None


class OrderRowView(Struct, frozen=True):
    """`flags` is "" for a successful order; `word` is the outcome of any order, for the HTML part.

    `fate` is "good", "bad", or "idle" for a unit without an order.
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
    """The results of one phase. `after`: dislodgements and events of the variant."""

    title: str
    caption: str
    powers: tuple[PowerOrdersView, ...]
    after: tuple[SectionView, ...] = ()


class CentreRowView(Struct, frozen=True):
    """`centres` mark gains with "+"; `lost` lists losses. `change` is "+2", "-1" or "="."""

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
    """`first`: decrees and differences (version 2); `mine` concerns the reader; `machine` lines are for programs."""

    frame: LetterFrameView
    machine: tuple[str, ...]
    first: tuple[SectionView, ...] = ()
    mine: tuple[SectionView, ...] = ()
    legs: tuple[LegView, ...] = ()
    centres: CentresView | None = None
    ahead: tuple[SectionView, ...] = ()


class QuotedLineView(Struct, frozen=True):
    """A line of the writer's; `marks` are the columns at fault, in order and apart."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def caret(self) -> str:
        """The line of ^ below the text; "" without marks."""
        row = ""
        for start, end in self.marks:
            row = row.ljust(start) + "^" * (end - start)
        return row

    @property
    def parts(self) -> tuple[tuple[str, bool], ...]:
        """The text cut at its marks, with whether each part is marked."""
        cuts = [0, *(column for mark in self.marks for column in mark), len(self.text)]
        parts = ((self.text[start:end], bool(number % 2)) for number, (start, end) in enumerate(pairwise(cuts)))
        return tuple((text, marked) for text, marked in parts if text)


class LineErrorView(Struct, frozen=True):
    """Lines that are not taken, or not quite, for one reason."""

    number: int
    title: str
    quotes: tuple[QuotedLineView, ...]
    sentence: str
    suggestions: tuple[RowView, ...] = ()
    choices: tuple[ButtonView, ...] = ()


class AnswerView(Struct, frozen=True):
    """The answer to a player's letter, most important parts first, then `below` in small print."""

    frame: LetterFrameView
    deadline: str = ""
    notes: tuple[SectionView, ...] = ()
    faults: tuple[LineErrorView, ...] = ()
    proposals: tuple[SectionView, ...] = ()
    sheets: tuple[SectionView, ...] = ()
    inserts: tuple[SectionView, ...] = ()
    below: tuple[str, ...] = ()


class ChronicleView(Struct, frozen=True):
    """A finished game: `first` are the tables, above its pictures; `more` is below them."""

    frame: LetterFrameView
    first: tuple[SectionView, ...]
    more: tuple[SectionView, ...]


class LetterView(Struct, frozen=True):
    """Every other letter: sections in order, then `below` in small print."""

    frame: LetterFrameView
    sections: tuple[SectionView, ...] = ()
    below: tuple[str, ...] = ()


class PressView(Struct, frozen=True):
    """Press: `words` as written, `below` on how to answer."""

    frame: LetterFrameView
    words: str
    hue: int = 0
    below: tuple[SectionView, ...] = field(default=())


View: TypeAlias = ResultsView | AnswerView | ChronicleView | LetterView | PressView
