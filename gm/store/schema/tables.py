"""The tables: a column for each field of a record (`gm.game.model`), so that rows become records by name.

Rows are not deleted, except that an address, a setting, an absence or mail choices may be replaced. No table holds a
secret: reply addresses are computed by HMAC (`gm.game.model.reply_addresses`). Each change here or of a record needs a
migration in migrations/versions.
"""

from __future__ import annotations

from datetime import datetime
from types import NoneType, UnionType
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import FieldInfo, fields
from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    false,
    true,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from gm.game.model.conduct_records import Conduct
from gm.game.model.observer_records import Digest, MailChoices, NotebookEntry
from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.game.model.public_events import Announced, PublicEvent
from gm.game.model.records import (
    Absence,
    Applicant,
    BounceRecord,
    DecreeRecord,
    Game,
    GmAct,
    InboxRow,
    LetterPart,
    OutboxRow,
    OutLetter,
    Person,
    Picture,
    PressRow,
    Question,
    Seat,
    Sheet,
    SheetLine,
    Snapshot,
    Vote,
)
from gm.game.model.statement_records import EndStatement, StatementRound
from gm.store.schema.column_types import (
    ChoiceColumn,
    DecreesColumn,
    InstantColumn,
    PartsColumn,
    RenderedColumn,
    SheetLinesColumn,
    StringsColumn,
    TextColumn,
    UniqueTextColumn,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
COLUMN_TYPES: dict[Any, type[TypeEngine[Any]]] = {
    bool: Boolean,
    bytes: LargeBinary,
    datetime: InstantColumn,
    float: Float,
    int: Integer,
    str: TextColumn,
    tuple[str, ...]: StringsColumn,
    tuple[DecreeRecord, ...]: DecreesColumn,
    tuple[LetterPart, ...]: PartsColumn,
    tuple[SheetLine, ...]: SheetLinesColumn,
}


def _table(name: str, *parts: type[Struct] | SchemaItem, without: str = "") -> Table:
    """The table of records: a column for each of their fields, but for `without`. A column among the `parts` stands for
    the field of its name. A table without another primary key has the key `id`.
    """
    columns: dict[str, Column[Any]] = {}
    for part in parts:
        if isinstance(part, Column):
            columns[part.name] = part
        elif isinstance(part, type):
            columns |= {field.name: _column(field) for field in fields(part) if field.name != without}
    if not any(column.primary_key for column in columns.values()):
        columns["id"] = Column("id", Integer, primary_key=True)
    return Table(
        name, metadata, *columns.values(), *(part for part in parts if isinstance(part, Index | UniqueConstraint))
    )


def _column(field: FieldInfo) -> Column[Any]:
    """A field of a type that COLUMN_TYPES has, or of a StrEnum; "… | None" is nullable."""
    kinds = set(get_args(field.type)) if isinstance(field.type, UnionType) else {field.type}
    (kind,) = kinds - {NoneType}
    stored = COLUMN_TYPES.get(kind) or ChoiceColumn(kind)
    return Column(field.name, stored, nullable=NoneType in kinds)


def _of(table: str, *, index: bool = True, nullable: bool = False, key: bool = False) -> Column[Any]:
    """The number of a row of another table, in the column of that table's name."""
    return Column(table, ForeignKey(f"{table}.id"), nullable=nullable, index=index and not key, primary_key=key)


person = _table(
    "person", Person, Column("openings", Boolean, nullable=False, server_default=false()), without="addresses"
)

address = _table(
    "address",
    Column("address", TextColumn, primary_key=True),
    _of("person"),
    Column("position", Integer, nullable=False),
)

known_as = _table(  # former names and addresses
    "known_as",
    _of("person", key=True),
    Column("word", TextColumn, primary_key=True),
)

game = _table(
    "game",
    Game,
    Column("folded", TextColumn, nullable=False, unique=True),  # the name for comparing, case aside
    Column("look_at", InstantColumn, nullable=False),  # when the clock is to look at it
    Column("news", Boolean, nullable=False, server_default=true()),  # what anybody may know of it may have changed
    Index("ix_game_due", "state", "due_at"),
    Index("ix_game_look", "state", "look_at"),
    Index("ix_game_news", "news"),
    without="settings",
)

setting = _table(
    "setting",
    _of("game", key=True),
    Column("key", TextColumn, primary_key=True),
    Column("value", TextColumn, nullable=False),
    Column("position", Integer, nullable=False),
)

seat = _table(
    "seat",
    Seat,
    _of("game"),
    _of("person", nullable=True),
    Column("open", Boolean, nullable=False, server_default=false()),
)

entry = _table("entry", Applicant, _of("game", index=False), _of("person"), UniqueConstraint("game", "person"))

snapshot = _table("snapshot", Snapshot, _of("game"))

sheet = _table(
    "sheet",
    Sheet,
    _of("game", index=False),
    UniqueConstraint("game", "snapshot", "author", "power", "version"),
)

conduct = _table("conduct", Conduct, _of("person"), _of("game"))

press = _table(
    "press",
    PressRow,
    _of("game"),
    Column("person", Integer, nullable=False, server_default="0"),
    Column("opens", Boolean, nullable=False, server_default=false()),
)

vote = _table("vote", Vote, _of("game"))

question = _table("question", Question, Column("code", TextColumn, primary_key=True))

absence = _table("absence", Absence, _of("game"), Column("person", Integer, nullable=False, index=True))

pulse = _table("pulse", Column("felt_at", InstantColumn, nullable=False))  # there is one row

gm_log = _table("gm_log", GmAct, _of("game"))

inbox = _table(
    "inbox",
    InboxRow,
    Column("person", Integer, index=True),  # who wrote it, where that is known
    UniqueConstraint("account", "content_key"),
    Index("ix_inbox_unread", "state", "received_at", "id"),
    Index("ix_inbox_signature", "signature"),
)

mailbox = _table(
    "mailbox",
    Column("account", TextColumn, primary_key=True),
    Column("polled_until", InstantColumn, nullable=False),
)

outbox = _table(
    "outbox",
    OutLetter,
    OutboxRow,
    Column("message_id", UniqueTextColumn, unique=True),
    Column("html", RenderedColumn, nullable=False),
    UniqueConstraint("cause", "kind", "address"),
    Index("ix_outbox_next", "state", "id"),
    Index("ix_outbox_ahead", "address", "game", "state", "id"),
    Index("ix_outbox_seat", "seat", "channel", "phase"),
    Index("ix_outbox_answers", "address", "queued_at"),
    Index("ix_outbox_envelope_from", "envelope_from"),
    without="letter",
)

bounced = _table("bounced", BounceRecord, Column("address", TextColumn, primary_key=True))

wishes = _table(
    "wishes",
    MailChoices,
    _of("seat", key=True),
    _of("person", key=True),
    Column("digest", ChoiceColumn(Digest), nullable=False, server_default=Digest.NONE.value),
    Column("order_maps", Boolean, nullable=False, server_default=true()),
)

diary = _table("diary", NotebookEntry, _of("game"), _of("seat", index=False), _of("person", index=False))

statement = _table("statement", EndStatement, _of("game"), _of("seat", index=False), _of("person", index=False))

statement_round = _table(
    "statement_round",
    StatementRound,
    _of("game", key=True),
    Index("ix_statement_round_due", "closed_at", "ends_at"),
)

picture = _table(
    "picture",
    Picture,
    UniqueConstraint("snapshot", "audience", "form"),
    Index("ix_picture_next", "made_at", "id"),
)

erratum = _table("erratum", Erratum, _of("game"))

poll = _table("poll", Poll, _of("game"))

poll_vote = _table("poll_vote", PollVote, _of("poll"))

announced = _table("announced", Announced, _of("game", key=True))

public_event = _table("public_event", PublicEvent, _of("game"), Index("ix_public_event_waiting", "waiting", "id"))
