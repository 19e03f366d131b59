"""The tables. Columns bear the names of the fields of `gm.game.model.records`, so that a row becomes its record by
name.

Nothing is deleted, except that an address, a setting, an absence or a reader's wishes may be replaced. No secret stands
in any table: reply addresses are computed by HMAC (`gm.game.model.reply_addresses`). A migration in
migrations/versions goes with every
change here.
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
)

from gm.game.model.observer_records import Mail
from gm.game.model.records import EntryState, GameState, InboxState, OutboxState
from gm.store.column_types import Choice, Decrees, Instant, Lines, OneOf, Parts, Strings, Words

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
    Column("name", Words, nullable=False),
    Column("zone", Words, nullable=False),
    Column("language", Words, nullable=False),
)

address = Table(
    "address",
    metadata,
    Column("address", Words, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
)

game = Table(
    "game",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Words, nullable=False),
    Column("folded", Words, nullable=False, unique=True),  # the name for comparing, case aside
    Column("variant", Words, nullable=False),
    Column("state", Choice(GameState), nullable=False),
    Column("phase", Words, nullable=False),
    Column("snapshot", Integer, nullable=False),
    Column("opened_at", Instant),
    Column("due_at", Instant),
    Column("reminded", Integer, nullable=False),
    Column("held", Integer, nullable=False),
    Column("paused_at", Instant),
    Column("paused_until", Instant),
    Column("locked", Boolean, nullable=False),
    Column("forbearance", Strings, nullable=False),
    Column("look_at", Instant, nullable=False),  # when the clock is to look at it
    Index("ix_game_due", "state", "due_at"),
    Index("ix_game_look", "state", "look_at"),
)

setting = Table(
    "setting",
    metadata,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("key", Words, primary_key=True),
    Column("value", Words, nullable=False),
    Column("position", Integer, nullable=False),
)

seat = Table(
    "seat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("power", Words, nullable=False),
    Column("person", ForeignKey("person.id"), index=True),
    Column("generation", Integer, nullable=False),
    Column("dummy", Boolean, nullable=False),
)

entry = Table(
    "entry",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("state", Choice(EntryState), nullable=False),
    Column("at", Instant, nullable=False),
    Column("wish", Words, nullable=False),
    Column("power", Words, nullable=False),
    UniqueConstraint("game", "person"),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("previous", Integer, nullable=False),
    Column("replaces", Integer, nullable=False),
    Column("resolved", Words, nullable=False),
    Column("phase", Words, nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", Instant, nullable=False),
    Column("position", Words, nullable=False),
    Column("events", Words, nullable=False),
    Column("book", Words, nullable=False),
    Column("decrees", Decrees, nullable=False),
)

sheet = Table(
    "sheet",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False),
    Column("snapshot", Integer, nullable=False),
    Column("author", Words, nullable=False),
    Column("power", Words, nullable=False),
    Column("version", Integer, nullable=False),
    Column("phase", Words, nullable=False),
    Column("lines", Lines, nullable=False),
    Column("ready", Boolean, nullable=False),
    Column("wait", Boolean, nullable=False),
    Column("open_questions", Strings, nullable=False),
    Column("inbox", Integer, nullable=False),
    Column("at", Instant),
    Column("preliminary", Boolean, nullable=False),
    UniqueConstraint("game", "snapshot", "author", "power", "version"),
)

press = Table(
    "press",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("phase", Words, nullable=False),
    Column("sender", Words, nullable=False),
    Column("to", Strings, nullable=False),
    Column("words", Words, nullable=False),
    Column("at", Instant, nullable=False),
    Column("inbox", Integer, nullable=False),
    Column("name", Words, nullable=False),
    Column("turn", Words, nullable=False),
    Column("cost", Integer, nullable=False),
    Column("held_until", Instant),
)

vote = Table(
    "vote",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("power", Words, nullable=False),
    Column("person", Integer, nullable=False),
    Column("choice", Words, nullable=False),
    Column("at", Instant, nullable=False),
    Column("winners", Strings, nullable=False),
    Column("or_end", Boolean, nullable=False),
    Column("shown", Boolean, nullable=False),
    Column("lapsed", Integer, nullable=False),
)

question = Table(
    "question",
    metadata,
    Column("code", Words, primary_key=True),
    Column("kind", Words, nullable=False),
    Column("game", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("inbox", Integer, nullable=False),
    Column("payload", Words, nullable=False),
    Column("at", Instant, nullable=False),
    Column("answered", Boolean, nullable=False),
)

absence = Table(
    "absence",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("person", Integer, nullable=False, index=True),
    Column("power", Words, nullable=False),
    Column("begins", Instant, nullable=False),
    Column("ends", Instant, nullable=False),
    Column("year", Integer, nullable=False),
    Column("granted", Boolean, nullable=False),
    Column("at", Instant, nullable=False),
)

pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True),  # there is one row
    Column("felt_at", Instant, nullable=False),
)

gm_log = Table(
    "gm_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("at", Instant, nullable=False),
    Column("person", Integer, nullable=False),
    Column("text", Words, nullable=False),
    Column("outcome", Words, nullable=False),
)

inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", Words, nullable=False),
    Column("content_key", Words, nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("raw", LargeBinary, nullable=False),
    Column("envelope_from", Words, nullable=False),
    Column("envelope_to", Strings, nullable=False),
    Column("state", Choice(InboxState), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("error", Words, nullable=False),
    UniqueConstraint("account", "content_key"),
    Index("ix_inbox_unread", "state", "received_at", "id"),
)

mailbox = Table(
    "mailbox",
    metadata,
    Column("account", Words, primary_key=True),
    Column("polled_until", Instant, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("cause", Words, nullable=False),
    Column("kind", Words, nullable=False),
    Column("address", Words, nullable=False),
    Column("to_name", Words, nullable=False),
    Column("from_name", Words, nullable=False),
    Column("from_address", Words, nullable=False),
    Column("reply_to", Words, nullable=False),
    Column("subject", Words, nullable=False),
    Column("text", Words, nullable=False),
    Column("html", Words, nullable=False),
    Column("message_id", OneOf, unique=True),
    Column("references", Strings, nullable=False),
    Column("automatic", Words, nullable=False),
    Column("parts", Parts, nullable=False),
    Column("game", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("phase", Words, nullable=False),
    Column("channel", Words, nullable=False),
    Column("not_before", Instant),
    Column("leased_until", Instant),
    Column("expires_at", Instant),
    Column("queued_at", Instant, nullable=False),
    Column("envelope_from", Words, nullable=False),
    Column("state", Choice(OutboxState), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("last_error", Words, nullable=False),
    Column("sent_at", Instant),
    Column("picture", Integer, nullable=False),
    Column("picture_name", Words, nullable=False),
    Column("picture_until", Instant),
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
    Column("address", Words, primary_key=True),
    Column("score", Float, nullable=False),
    Column("at", Instant, nullable=False),
    Column("unreachable", Boolean, nullable=False),
)

wishes = Table(
    "wishes",
    metadata,
    Column("seat", ForeignKey("seat.id"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("mail", Choice(Mail), nullable=False),
    Column("muted", Strings, nullable=False),
    Column("name", Words, nullable=False),
)

diary = Table(
    "diary",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("seat", ForeignKey("seat.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("power", Words, nullable=False),
    Column("phase", Words, nullable=False),
    Column("at", Instant, nullable=False),
    Column("words", Words, nullable=False),
    Column("opens", Boolean, nullable=False),
)

picture = Table(
    "picture",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("snapshot", Integer, nullable=False),
    Column("audience", Words, nullable=False),
    Column("form", Words, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("leased_until", Instant),
    Column("tries", Integer, nullable=False),
    Column("made_at", Instant),
    Column("content", LargeBinary, nullable=False),
    Column("error", Words, nullable=False),
    UniqueConstraint("snapshot", "audience", "form"),
    Index("ix_picture_next", "made_at", "id"),
)

erratum = Table(
    "erratum",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("snapshot", Integer, nullable=False),
    Column("resolved", Words, nullable=False),
    Column("text", Words, nullable=False),
    Column("at", Instant, nullable=False),
)

poll = Table(
    "poll",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.id"), nullable=False, index=True),
    Column("number", Integer, nullable=False),
    Column("text", Words, nullable=False),
    Column("options", Strings, nullable=False),
    Column("secret", Boolean, nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("closed_at", Instant),
)

poll_vote = Table(
    "poll_vote",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("poll", ForeignKey("poll.id"), nullable=False, index=True),
    Column("power", Words, nullable=False),
    Column("person", Integer, nullable=False),
    Column("choice", Words, nullable=False),
    Column("at", Instant, nullable=False),
)
