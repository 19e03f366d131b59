"""The game's records as frozen values, stored by `gm.store`.

All instants are aware datetimes in UTC. Ids are whole numbers given by the store; 0 means "not stored yet".
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from operator import itemgetter

from msgspec import Struct, field

MASTER = "GM"
"""`Seat.power` of a game master."""
LEAGUE = "league"
"""The key in `Game.settings` of the league that a game belongs to."""


class Person(Struct, frozen=True):
    """A player, game master or observer.

    `addresses` are lower case; letters go to the first. `zone` is an IANA name. `language` is a code like "de", "" if
    the person has chosen none. `openings`: they asked for a letter when a game looks for players.
    """

    id: int
    name: str
    addresses: tuple[str, ...]
    zone: str = "UTC"
    language: str = ""
    openings: bool = False


class GameState(StrEnum):
    FORMING = "forming"
    RUNNING = "running"
    ENDED = "ended"


class Game(Struct, frozen=True):
    """A game. `snapshot` is the id of the present position's snapshot (0 while forming).

    `phase` is the open phase's code, kept here for look-ups. `opened_at` is when it began, `due_at` when it is due
    (None: no deadline). `settings` are the game master's choices by key; `gm.game.model.settings` explains the keys.
    `reminded` is the snapshot whose phase has had its reminders for the present deadline, `held` the one whose late
    powers have been announced.

    `paused_at`: the clock has stood still since then, until `paused_until` (None: until the game master resumes it).
    `locked`: the open phase takes no more orders. `forbearance`: the game master's NMR policies for single powers in
    this phase, as "France=wait".
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
    """A power's seat in a game, a game master's (`power` = MASTER) or an observer's.

    `generation` counts renewals of the reply address. `dummy`: no player is sought for it, and no phase waits for it.
    `open`: its player has missed orders again and again, and a substitute may take it.
    """

    id: int
    game: int
    power: str
    person: int | None = None
    generation: int = 1
    dummy: bool = False
    open: bool = False


class ApplicantState(StrEnum):
    ASKED = "asked"
    APPROVED = "approved"


class Applicant(Struct, frozen=True):
    """A person who wants to play in a game; removed when they get a power.

    `wish` are the preferred powers, as `gm.language.commands.players.preferences` reads them; `power` the empty seat
    of a running game that they ask for, "" for any.
    """

    game: int
    person: int
    state: ApplicantState
    at: datetime
    wish: str = ""
    power: str = ""


class SheetLine(Struct, frozen=True):
    """One line of a sheet as canonical text. `forced`: written by the game master; later lines do
    not replace it. `lent`: the power whose player writes this order (`gm.game.model.proxy_loans`).
    """

    slot: tuple[str, str]
    text: str
    forced: bool = False
    lent: str = ""

    @property
    def province(self) -> str:
        from gm.judge.model.orders import slot_province  # `gm deliver` stores letters without the judge

        return slot_province(self.slot)


class Sheet(Struct, frozen=True):
    """The orders of an author for a power and phase. Every change adds a version; older ones stay.

    `open_questions` are unclear lines that the author has not answered yet. `preliminary`: it is a draft.
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
    """The position after a resolved phase, with its events and the orders that led to it.

    `previous` is the snapshot that was resolved; `replaces` the one this corrects (overrule) or 0.
    `resolved` is the phase that was resolved ("" for the start), `phase` the one now open. `position`, `events` and
    `book` are documents of `gm.language.formats.stored_values`, so that a restored game prints the same letters.
    `left_due_at`: the deadline that the game had until then, for a rollback to that phase.
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
    left_due_at: datetime | None = None


class InboxState(StrEnum):
    NEW = "new"
    DONE = "done"
    IGNORED = "ignored"
    SHUNTED = "shunted"
    HELD = "held"


class InboxRow(Struct, frozen=True):
    """An incoming letter. `received_at` is our clock (or IMAP's INTERNALDATE), never the Date header.

    `envelope_to` are the addresses it was delivered to, where known. `tries` is raised before each attempt.
    `signature`: the fingerprint of the DKIM signature that proved its sender. `person`: who wrote it, where that is
    known, since it was first read.
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
    signature: str = ""
    person: int | None = None


class OutboxState(StrEnum):
    """`HELD`: its address cannot be reached. `RETURNED`: it was sent and bounced.

    `COLLECTED`: it waits for a digest; `DIGESTED`: the digest has brought it.
    """

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    EXPIRED = "expired"
    HELD = "held"
    RETURNED = "returned"
    COLLECTED = "collected"
    DIGESTED = "digested"


class LetterPart(Struct, frozen=True):
    """An attachment or inline part: MIME type, file name, content, and a Content-ID where the HTML refers to it."""

    mime: str
    name: str
    content: bytes
    cid: str = ""


EVERYBODY = ""
"""The audience of a picture that shows only public information."""


class Picture(Struct, frozen=True):
    """A map that letters wait for, unique on snapshot, audience and form (`gm.game.views.maps.Form`, as text).

    It is finished at `made_at`; `content` is its file, empty if it could not be drawn (`error`). `tries` counts the
    attempts to draw it; the last one has until `leased_until`.
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

    A reply to it is about its `game`, `seat`, and either its `phase` or its press `channel` ("France-Russia").
    `references` are message ids, oldest first, the last is In-Reply-To. `reply_to` is the seat's secret address.
    `picture` is the map it waits for until `picture_until` (0: none), attached as the file `picture_name`. Until then,
    text and HTML hold the words for both cases (`gm.game.model.map_attachment`).
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
    """An `OutLetter` and its state of delivery. `envelope_from` is VERP with an HMAC, or "" for the null sender.

    `leased_until`: a process is sending it. `pictured`: whether it goes with its picture. It is decided at the first
    attempt, so that a second one sends the same bytes (None: not decided yet).
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
    """The bounce `score` of an address at the instant `at`. `unreachable`: no letters are sent to it for now."""

    address: str
    score: float
    at: datetime
    unreachable: bool = False


class PressRow(Struct, frozen=True):
    """A press letter. `sender` is the seat that wrote it, `name` the name it is signed with ("": the seat's own).

    `to` are the names it is addressed to (powers or MASTER); `words` the text passed on. `turn` is the phase that paid
    `cost` for it, "" where press is free. `held_until`: it is passed on then (None: it was passed on). `opens`: when it
    was written, the game's settings said that the end opens it. `person` wrote it (0: not known).
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
    opens: bool = False
    person: int = 0

    @property
    def written_as(self) -> str:
        return self.name or self.sender


class Vote(Struct, frozen=True):
    """A power's vote to end the game: "draw", "concede" to `winners`, or "none". `or_end`: any other end, too.

    It was cast by the person who held the seat then, and ends when another takes the seat. `shown`: it was cast as a
    public vote. `lapsed` is the snapshot with which it lapsed; 0 while it stands.
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
    """An absence of a player in a game, from `begins` until `ends`. It belongs to the person, not to the power.

    `year` is the game year in which the player asked for it. `granted` is False while the game master has not agreed.
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
    """An act of a game master, never deleted. `text` is the command, `outcome` the result: a note that is rendered in
    each reader's language (`gm.game.model.letter_report.note_to_text`), or plain words.
    """

    game: int
    at: datetime
    person: int
    text: str
    outcome: str


INVITE = "invite"
"""The kind of the question that an invitation is."""
QUESTION_VALID_FOR = timedelta(days=30)
"""So long a question to an address can be answered."""


class Question(Struct, frozen=True):
    """A question to a sender about a held letter (an unproven sender, unclear press).

    `code` is the secret that the reply must contain; `inbox` the held letter; `kind` says what YES does.
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
    """Whether a letter's headers allow us to act on it."""

    ACT = "act"
    IGNORE = "ignore"


class Reference(Struct, frozen=True):
    """The fields of a `Ref:` line. `quoted`: it stands in words that the sender did not write."""

    fields: tuple[str, ...]
    quoted: bool = False


class Letter(Struct, frozen=True):
    """A parsed letter: the sender's own words, and counts of the other lines.

    `proven`: From was verified by our own mail server (dmarc=pass, our authserv-id), or by a signature of its domain,
    whose fingerprint is `signature`; `failed`: our server said dmarc=fail.
    `delivered_to` are all addresses found in the envelope, Delivered-To, X-Original-To, To and Cc, in that order.
    `lines` are (number in the body, words); `forwarded` are those of a letter that it forwards, `answered` the few
    quoted ones, with their marks, that own ones answer. `notes` are pairs: a quoted line with its mark, and the words
    written behind it.
    `refs` are the `Ref:` lines, the sender's own first; `ref` are the fields of the one that counts
    (`gm.game.identity.references`), () without one.
    `why` is the reason to ignore a letter ("bounce", "vacation reply", "mailing list", "our own letter" …).
    `refused` names a body we can't read ("encrypted", "too large", "no text"), "" otherwise.
    `language` is the code in Content-Language, "" without one or with several.
    `bounce_of` is the envelope address of ours that a delivery failure came to; `bounce_soft`: it is temporary.
    """

    sender: str
    sender_name: str
    delivered_to: tuple[str, ...]
    subject: str
    message_id: str
    answers: tuple[str, ...]
    lines: tuple[tuple[int, str], ...]
    ref: tuple[str, ...] = ()
    refs: tuple[Reference, ...] = ()
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
    signature: str = ""
    forwarded: tuple[tuple[int, str], ...] = ()
    language: str = ""
    answered: tuple[tuple[int, str], ...] = ()
    notes: tuple[tuple[int, str], ...] = ()

    @property
    def lines_with_quotes(self) -> tuple[tuple[int, str], ...]:
        """The sender's own lines, and between them those that they answer."""
        return tuple(sorted((*self.lines, *self.answered), key=itemgetter(0))) if self.answered else self.lines


class TextAttachment(Struct, frozen=True):
    """A text file attached to a letter."""

    name: str
    text: str


class AnsweredLetter(Struct, frozen=True):
    """What one of our letters, looked up by its Message-ID, was about."""

    game: int
    seat: int
    phase: str
    channel: str
    kind: str
    subject: str
    references: tuple[str, ...] = field(default=())
    cause: str = ""
    address: str = ""
