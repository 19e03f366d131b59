"""The game's records as frozen values, stored by `gm.store`.

All instants are aware datetimes in UTC. Ids are whole numbers given by the store; 0 means "not stored yet".
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

MASTER = "GM"
"""The name of a game master's seat, beside the names of powers."""


class Person(Struct, frozen=True):
    """`addresses` are lower case, the one letters go to first. `zone` is an IANA name. `language` is "de" and the like;
    "" for who has chosen none.
    """

    id: int
    name: str
    addresses: tuple[str, ...]
    zone: str = "UTC"
    language: str = ""


class GameState(StrEnum):
    FORMING = "forming"
    RUNNING = "running"
    ENDED = "ended"


class Game(Struct, frozen=True):
    """`snapshot` is the id of the present position's snapshot (0 while forming).

    `phase` is its phase name, kept here for look-ups. `opened_at` is when this phase began, `due_at` when it is due
    (None: no deadline). `settings` are the game master's choices by key (schedule, reminder, grace, press,
    the variant's own); what a key means stands in `gm.game.model.settings`. `reminded` is the snapshot whose phase
    has had
    its reminders, for the deadline that stands; `held` the one whose late powers have been told of.

    `paused_at`: no deadline runs since then, until `paused_until` (None: until the game master's word). `locked`: the
    open phase takes no more orders. `forbearance`: the game master's words for this phase on powers that write
    nothing, as "France=wait".
    """

    id: int
    name: str
    variant: str
    state: GameState = GameState.FORMING
    phase: str = ""
    snapshot: int = 0
    opened_at: datetime | None = None
    due_at: datetime | None = None
    settings: tuple[tuple[str, str], ...] = ()
    reminded: int = 0
    held: int = 0
    paused_at: datetime | None = None
    paused_until: datetime | None = None
    locked: bool = False
    forbearance: tuple[str, ...] = ()


class Seat(Struct, frozen=True):
    """A power of a game, or a game master's chair (`power` = MASTER). `generation` counts reply-address renewals.

    `dummy`: nobody is looked for to play it, and nobody waits for it.
    """

    id: int
    game: int
    power: str
    person: int | None = None
    generation: int = 1
    dummy: bool = False


class ApplicantState(StrEnum):
    ASKED = "asked"
    APPROVED = "approved"


class Applicant(Struct, frozen=True):
    """Somebody who wants to play in a game and has no power there yet; gone when he has one.

    `wish` are the powers he prefers, as `gm.language.commands.players.preferences` reads them; `power` the empty
    seat of a running
    game that he asks for, "" for any.
    """

    game: int
    person: int
    state: ApplicantState
    at: datetime
    wish: str = ""
    power: str = ""


class SheetLine(Struct, frozen=True):
    """One line of a sheet as canonical text. `forced`: the game master's, which later lines do not replace. `lent`: the
    power whose player writes the order that is to stand here (`gm.game.model.proxy_loans`).
    """

    slot: tuple[str, str]
    text: str
    forced: bool = False
    lent: str = ""


class Sheet(Struct, frozen=True):
    """What one author has on file for one power and phase; every change is a new version, older ones stay.

    `open_questions` are lines that were asked back and not answered yet, for the reminder. `preliminary`: its writer
    calls it a draft.
    """

    game: int
    phase: str
    snapshot: int
    author: str
    power: str
    version: int
    lines: tuple[SheetLine, ...] = ()
    ready: bool = False
    wait: bool = False
    open_questions: tuple[str, ...] = ()
    inbox: int = 0
    at: datetime | None = None
    preliminary: bool = False


class DecreeRecord(Struct, frozen=True):
    """An outcome the game master decreed, kept with the snapshot it changed."""

    unit: str
    outcome: str
    reason: str = ""


class Snapshot(Struct, frozen=True):
    """One resolved walk: the position it ended at, what happened, and what was on file for it.

    `previous` is the snapshot that was resolved; `replaces` the one this corrects (overrule) or 0.
    `resolved` is the phase that was resolved ("" for the start), `phase` the one now open. `position`, `events` and
    `book` are documents of `gm.language.formats.stored_values`, so that a restored game prints the same letters.
    """

    id: int
    game: int
    previous: int
    replaces: int
    resolved: str
    phase: str
    version: int
    at: datetime
    position: str
    events: str
    book: str
    decrees: tuple[DecreeRecord, ...] = ()


class InboxState(StrEnum):
    NEW = "new"
    DONE = "done"
    IGNORED = "ignored"
    SHUNTED = "shunted"
    HELD = "held"


class InboxRow(Struct, frozen=True):
    """A letter as it came. `received_at` is our clock (or IMAP's INTERNALDATE), never the Date header.

    `envelope_to` are the addresses it was delivered to, where known. `tries` was raised before each attempt.
    """

    id: int
    account: str
    content_key: str
    received_at: datetime
    raw: bytes
    envelope_from: str = ""
    envelope_to: tuple[str, ...] = ()
    state: InboxState = InboxState.NEW
    tries: int = 0
    error: str = ""


class OutboxState(StrEnum):
    """`HELD`: kept back, because its address cannot be reached. `RETURNED`: it was sent, and came back."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    EXPIRED = "expired"
    HELD = "held"
    RETURNED = "returned"


class LetterPart(Struct, frozen=True):
    """An attachment or inline part: MIME type, file name, content, and a Content-ID where the HTML refers to it."""

    mime: str
    name: str
    content: bytes
    cid: str = ""


EVERYBODY = ""
"""The audience of a picture that shows nothing but what is public."""


class Picture(Struct, frozen=True):
    """A map that letters wait for. One for each snapshot, audience and form (`gm.game.views.maps.Form`, as text).

    `made_at`: it is settled, and `content` its file; empty where it could not be drawn (`error`). `tries` counts those
    who took it in hand, the last of them until `leased_until`.
    """

    id: int
    snapshot: int
    audience: str
    form: str
    asked_at: datetime
    leased_until: datetime | None = None
    tries: int = 0
    made_at: datetime | None = None
    content: bytes = b""
    error: str = ""


class OutLetter(Struct, frozen=True):
    """One letter to one person. Unique on (cause, kind, address); `message_id` is an HMAC of them, without <>.

    `thread` is what a reply to it answers: game, seat, and either a phase or a press channel ("France-Russia").
    `references` are message ids, oldest first, the last is In-Reply-To. `reply_to` is the seat's secret address.
    `picture` is the map it waits for until `picture_until`, to go out as the file `picture_name` (0: it has none);
    until that is decided, text and HTML hold the words for either case (`gm.game.model.map_attachment`).
    """

    cause: str
    kind: str
    address: str
    to_name: str
    from_name: str
    from_address: str
    reply_to: str
    subject: str
    text: str
    html: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()
    automatic: str = "auto-generated"
    parts: tuple[LetterPart, ...] = ()
    game: int = 0
    seat: int = 0
    phase: str = ""
    channel: str = ""
    not_before: datetime | None = None
    expires_at: datetime | None = None
    picture: int = 0
    picture_name: str = ""
    picture_until: datetime | None = None


class OutboxRow(Struct, frozen=True):
    """An OutLetter with its fate. `envelope_from` is VERP with an HMAC, or "" for the null sender.

    `leased_until`: somebody has it in hand, being sent. `pictured`: whether it goes with its picture, decided when it
    was first handed over and kept, so that a second attempt sends the same bytes (None: not decided yet).
    """

    id: int
    letter: OutLetter
    queued_at: datetime
    envelope_from: str = ""
    leased_until: datetime | None = None
    state: OutboxState = OutboxState.QUEUED
    tries: int = 0
    last_error: str = ""
    sent_at: datetime | None = None
    pictured: bool | None = None


class BounceRecord(Struct, frozen=True):
    """How letters to an address come back: its `score` as it was `at`. `unreachable`: none is sent to it for now."""

    address: str
    score: float
    at: datetime
    unreachable: bool = False


class PressRow(Struct, frozen=True):
    """A press letter as written. `sender` is the seat that wrote it, `name` what it goes out as ("": its own name).

    `to` are the names it is addressed to (powers or MASTER); `words` the text passed on. `turn` is the phase that paid
    `cost` for it, "" where letters are free. `held_until`: not passed on yet, and then it is.
    """

    id: int
    game: int
    phase: str
    sender: str
    to: tuple[str, ...]
    words: str
    at: datetime
    inbox: int = 0
    name: str = ""
    turn: str = ""
    cost: int = 0
    held_until: datetime | None = None

    @property
    def written_as(self) -> str:
        return self.name or self.sender


class Vote(Struct, frozen=True):
    """How a power wants the game to end: "draw", "concede" to `winners`, or "none". `or_end`: or in any way at all.

    It is the word of the person who held the seat then, and lapses when another does. `shown`: it was cast for all to
    see. `lapsed`: the snapshot with which it lapsed; 0: it stands.
    """

    game: int
    power: str
    person: int
    choice: str
    at: datetime
    winners: tuple[str, ...] = ()
    or_end: bool = False
    shown: bool = False
    lapsed: int = 0


class Absence(Struct, frozen=True):
    """A player of a game is away from `begins` on, back at `ends`. It is his, not his power's: it leaves with him.

    `year` is the year of the game in which he asked for it. `granted` False: the game master has been asked.
    """

    id: int
    game: int
    person: int
    power: str
    begins: datetime
    ends: datetime
    year: int
    granted: bool
    at: datetime


class GmAct(Struct, frozen=True):
    """One act of a game master, never deleted. `text` is what he wrote, `outcome` what we did: a note that is told in
    each reader's language (`gm.game.model.letter_report.note_to_text`), or words.
    """

    game: int
    at: datetime
    person: int
    text: str
    outcome: str


class Question(Struct, frozen=True):
    """Something we asked back and hold until it is answered (a letter from an unproven sender, unclear press).

    `code` is the secret in the question's reply; `inbox` the letter held; `kind` says what YES does.
    """

    code: str
    kind: str
    game: int
    seat: int
    inbox: int
    payload: str
    at: datetime
    answered: bool = False


class SenderVerdict(StrEnum):
    """What a letter's headers say about its sender: may we act on it, and was From proven."""

    ACT = "act"
    IGNORE = "ignore"


class Letter(Struct, frozen=True):
    """A letter opened: the sender's own words, and how much else there was.

    `proven`: From was verified by our own mail server (dmarc=pass, our authserv-id); `failed`: it said dmarc=fail.
    `delivered_to` are all addresses found in the envelope, Delivered-To, X-Original-To, To and Cc, in that order.
    `lines` are (number in the body, words); `ref` the fields of a `Ref:` line, "" where none stands.
    `why` tells why a letter is to be ignored ("bounce", "vacation reply", "mailing list", "our own letter" …).
    `refused` names a body we can't read ("encrypted", "too large", "no text"), "" otherwise.
    `bounce_of` is the envelope address of ours that a delivery failure came to; `bounce_soft`: it may work again.
    """

    sender: str
    sender_name: str
    delivered_to: tuple[str, ...]
    subject: str
    message_id: str
    answers: tuple[str, ...]
    lines: tuple[tuple[int, str], ...]
    ref: tuple[str, ...] = ()
    quoted_lines: int = 0
    signature_lines: int = 0
    other_ignored: tuple[tuple[str, int], ...] = ()
    proven: bool = False
    failed: bool = False
    verdict: SenderVerdict = SenderVerdict.ACT
    why: str = ""
    refused: str = ""
    bounce_of: str = ""
    bounce_soft: bool = False


class TextAttachment(Struct, frozen=True):
    """A file of text that came with a letter."""

    name: str
    text: str


class AnsweredLetter(Struct, frozen=True):
    """What a letter of ours, found by its message id, was about. `cause` is the row's."""

    game: int
    seat: int
    phase: str
    channel: str
    kind: str
    subject: str
    references: tuple[str, ...] = field(default=())
    cause: str = ""
