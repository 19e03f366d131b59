"""The tables. Columns are named after the fields of `gm.game.model.records`, so that rows become records by name.

Rows are not deleted, except that an address, a setting, an absence or mail choices may be replaced. No table holds a
secret: reply addresses are computed by HMAC (`gm.game.model.reply_addresses`). Each change here needs a migration in
migrations/versions.
"""

from __future__ import annotations

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

from gm.game.model.conduct_records import Deed
from gm.game.model.observer_records import Digest, MailChoice
from gm.game.model.public_events import PublicEventKind
from gm.game.model.records import ApplicantState, GameState, InboxState, OutboxState
from gm.store.column_types import (
    ChoiceColumn,
    DecreesColumn,
    InstantColumn,
    PartsColumn,
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

person = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", TextColumn, nullable=False),
    Column("zone", TextColumn, nullable=False),
    Column("language", TextColumn, nullable=False),
    Column("openings", Boolean, nullable=False, server_default=false()),
)

address = Table(
    "address",
    metadata,
    Column("address", TextColumn, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
)

known_as = Table(  # former names and addresses
    "known_as",
    metadata,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("word", TextColumn, primary_key=True),
)

game = Table(
    "game",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", TextColumn, nullable=False),
    Column("folded", TextColumn, nullable=False, unique=True),  # the name for comparing, case aside
    Column("variant", TextColumn, nullable=False),
    Column("state", ChoiceColumn(GameState), nullable=False),
    Column("phase", TextColumn, nullable=False),
    Column("snapshot", Integer, nullable=False),
    Column("opened_at", InstantColumn),
    Column("due_at", InstantColumn),
    Column("reminded", Integer, nullable=False),
    Column("held", Integer, nullable=False),
    Column("paused_at", InstantColumn),
    Column("paused_until", InstantColumn),
    Column("locked", Boolean, nullable=False),
    Column("forbearance", StringsColumn, nullable=False),
    Column("look_at", InstantColumn, nullable=False),  # when the clock is to look at it
    Column("news", Boolean, nullable=False, server_default=true()),  # what anybody may know of it may have changed
    Index("ix_game_due", "state", "due_at"),
    Index("ix_game_look", "state", "look_at"),
    Index("ix_game_news", "news"),
)

setting = Table(
    "setting",
    metadata,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("key", TextColumn, primary_key=True),
    Column("value", TextColumn, nullable=False),
    Column("position", Integer, nullable=False),
)

seat = Table(
    "seat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("power", TextColumn, nullable=False),
    Column("person", ForeignKey("person.id"), index=True),
    Column("generation", Integer, nullable=False),
    Column("dummy", Boolean, nullable=False),
    Column("open", Boolean, nullable=False, server_default=false()),
)

entry = Table(
    "entry",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("state", ChoiceColumn(ApplicantState), nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("wish", TextColumn, nullable=False),
    Column("power", TextColumn, nullable=False),
    UniqueConstraint("game", "person"),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("previous", Integer, nullable=False),
    Column("replaces", Integer, nullable=False),
    Column("resolved", TextColumn, nullable=False),
    Column("phase", TextColumn, nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("position", TextColumn, nullable=False),
    Column("events", TextColumn, nullable=False),
    Column("book", TextColumn, nullable=False),
    Column("decrees", DecreesColumn, nullable=False),
)

sheet = Table(
    "sheet",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False),
    Column("snapshot", Integer, nullable=False),
    Column("author", TextColumn, nullable=False),
    Column("power", TextColumn, nullable=False),
    Column("version", Integer, nullable=False),
    Column("phase", TextColumn, nullable=False),
    Column("lines", SheetLinesColumn, nullable=False),
    Column("ready", Boolean, nullable=False),
    Column("wait", Boolean, nullable=False),
    Column("open_questions", StringsColumn, nullable=False),
    Column("inbox", Integer, nullable=False),
    Column("at", InstantColumn),
    Column("preliminary", Boolean, nullable=False),
    UniqueConstraint("game", "snapshot", "author", "power", "version"),
)

conduct = Table(
    "conduct",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("power", TextColumn, nullable=False),
    Column("phase", TextColumn, nullable=False),
    Column("deed", ChoiceColumn(Deed), nullable=False),
    Column("at", InstantColumn, nullable=False),
)

press = Table(
    "press",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("phase", TextColumn, nullable=False),
    Column("sender", TextColumn, nullable=False),
    Column("to", StringsColumn, nullable=False),
    Column("words", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("inbox", Integer, nullable=False),
    Column("name", TextColumn, nullable=False),
    Column("turn", TextColumn, nullable=False),
    Column("cost", Integer, nullable=False),
    Column("held_until", InstantColumn),
    Column("person", Integer, nullable=False, server_default="0"),
    Column("opens", Boolean, nullable=False, server_default=false()),
)

vote = Table(
    "vote",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("power", TextColumn, nullable=False),
    Column("person", Integer, nullable=False),
    Column("choice", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("winners", StringsColumn, nullable=False),
    Column("or_end", Boolean, nullable=False),
    Column("shown", Boolean, nullable=False),
    Column("lapsed", Integer, nullable=False),
)

question = Table(
    "question",
    metadata,
    Column("code", TextColumn, primary_key=True),
    Column("kind", TextColumn, nullable=False),
    Column("game", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("inbox", Integer, nullable=False),
    Column("payload", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("answered", Boolean, nullable=False),
)

absence = Table(
    "absence",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("person", Integer, nullable=False, index=True),
    Column("power", TextColumn, nullable=False),
    Column("begins", InstantColumn, nullable=False),
    Column("ends", InstantColumn, nullable=False),
    Column("year", Integer, nullable=False),
    Column("granted", Boolean, nullable=False),
    Column("at", InstantColumn, nullable=False),
)

pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True),  # there is one row
    Column("felt_at", InstantColumn, nullable=False),
)

gm_log = Table(
    "gm_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("at", InstantColumn, nullable=False),
    Column("person", Integer, nullable=False),
    Column("text", TextColumn, nullable=False),
    Column("outcome", TextColumn, nullable=False),
)

inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", TextColumn, nullable=False),
    Column("content_key", TextColumn, nullable=False),
    Column("received_at", InstantColumn, nullable=False),
    Column("raw", LargeBinary, nullable=False),
    Column("envelope_from", TextColumn, nullable=False),
    Column("envelope_to", StringsColumn, nullable=False),
    Column("state", ChoiceColumn(InboxState), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("error", TextColumn, nullable=False),
    Column("signature", TextColumn, nullable=False),
    Column("person", Integer, index=True),  # who wrote it, where that is known
    UniqueConstraint("account", "content_key"),
    Index("ix_inbox_unread", "state", "received_at", "id"),
    Index("ix_inbox_signature", "signature"),
)

mailbox = Table(
    "mailbox",
    metadata,
    Column("account", TextColumn, primary_key=True),
    Column("polled_until", InstantColumn, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("cause", TextColumn, nullable=False),
    Column("kind", TextColumn, nullable=False),
    Column("address", TextColumn, nullable=False),
    Column("to_name", TextColumn, nullable=False),
    Column("from_name", TextColumn, nullable=False),
    Column("from_address", TextColumn, nullable=False),
    Column("reply_to", TextColumn, nullable=False),
    Column("subject", TextColumn, nullable=False),
    Column("text", TextColumn, nullable=False),
    Column("html", TextColumn, nullable=False),
    Column("message_id", UniqueTextColumn, unique=True),
    Column("references", StringsColumn, nullable=False),
    Column("automatic", TextColumn, nullable=False),
    Column("parts", PartsColumn, nullable=False),
    Column("game", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("phase", TextColumn, nullable=False),
    Column("channel", TextColumn, nullable=False),
    Column("not_before", InstantColumn),
    Column("leased_until", InstantColumn),
    Column("expires_at", InstantColumn),
    Column("queued_at", InstantColumn, nullable=False),
    Column("envelope_from", TextColumn, nullable=False),
    Column("state", ChoiceColumn(OutboxState), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("last_error", TextColumn, nullable=False),
    Column("sent_at", InstantColumn),
    Column("picture", Integer, nullable=False),
    Column("picture_name", TextColumn, nullable=False),
    Column("picture_until", InstantColumn),
    Column("pictured", Boolean),
    UniqueConstraint("cause", "kind", "address"),
    Index("ix_outbox_next", "state", "id"),
    Index("ix_outbox_ahead", "address", "game", "state", "id"),
    Index("ix_outbox_seat", "seat", "channel", "phase"),
    Index("ix_outbox_answers", "address", "queued_at"),
    Index("ix_outbox_envelope_from", "envelope_from"),
)

bounced = Table(
    "bounced",
    metadata,
    Column("address", TextColumn, primary_key=True),
    Column("score", Float, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("unreachable", Boolean, nullable=False),
)

wishes = Table(
    "wishes",
    metadata,
    Column("seat", ForeignKey("seat.id"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("mail", ChoiceColumn(MailChoice), nullable=False),
    Column("muted", StringsColumn, nullable=False),
    Column("name", TextColumn, nullable=False),
    Column("digest", ChoiceColumn(Digest), nullable=False, server_default=Digest.NONE.value),
    Column("order_maps", Boolean, nullable=False, server_default=true()),
)

diary = Table(
    "diary",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("seat", ForeignKey("seat.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("power", TextColumn, nullable=False),
    Column("phase", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("words", TextColumn, nullable=False),
    Column("opens", Boolean, nullable=False),
)

statement = Table(
    "statement",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("seat", ForeignKey("seat.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("power", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("words", TextColumn, nullable=False),
)

statement_round = Table(
    "statement_round",
    metadata,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("snapshot", Integer, nullable=False),
    Column("ends_at", InstantColumn, nullable=False),
    Column("closed_at", InstantColumn),
    Index("ix_statement_round_due", "closed_at", "ends_at"),
)

picture = Table(
    "picture",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("snapshot", Integer, nullable=False),
    Column("audience", TextColumn, nullable=False),
    Column("form", TextColumn, nullable=False),
    Column("asked_at", InstantColumn, nullable=False),
    Column("leased_until", InstantColumn),
    Column("tries", Integer, nullable=False),
    Column("made_at", InstantColumn),
    Column("content", LargeBinary, nullable=False),
    Column("error", TextColumn, nullable=False),
    UniqueConstraint("snapshot", "audience", "form"),
    Index("ix_picture_next", "made_at", "id"),
)

erratum = Table(
    "erratum",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("snapshot", Integer, nullable=False),
    Column("resolved", TextColumn, nullable=False),
    Column("text", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
)

poll = Table(
    "poll",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("number", Integer, nullable=False),
    Column("text", TextColumn, nullable=False),
    Column("options", StringsColumn, nullable=False),
    Column("secret", Boolean, nullable=False),
    Column("opened_at", InstantColumn, nullable=False),
    Column("ends_at", InstantColumn, nullable=False),
    Column("closed_at", InstantColumn),
)

poll_vote = Table(
    "poll_vote",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("poll", ForeignKey("poll.id"), nullable=False, index=True),
    Column("power", TextColumn, nullable=False),
    Column("person", Integer, nullable=False),
    Column("choice", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
)

announced = Table(  # what anybody knows of a game
    "announced",
    metadata,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("facts", TextColumn, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("published", Integer, nullable=False),  # the revision that the site shows
)

public_event = Table(
    "public_event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("kind", ChoiceColumn(PublicEventKind), nullable=False),
    Column("phase", TextColumn, nullable=False),
    Column("at", InstantColumn, nullable=False),
    Column("due_at", InstantColumn),
    Column("title", TextColumn, nullable=False),
    Column("text", TextColumn, nullable=False),
    Column("waiting", Boolean, nullable=False),  # the webhook has not taken it yet
    Column("not_before", InstantColumn),
    Column("tries", Integer, nullable=False),
    Column("last_error", TextColumn, nullable=False),
    Index("ix_public_event_waiting", "waiting", "id"),
)
