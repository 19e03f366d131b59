"""Nothing of an erased person is left, in whatever form it was stored, and the games go on."""

from __future__ import annotations

import html
import json
import textwrap
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import select
from support.stores.migrated_database import migrate
from support.stores.stored_databases import DATABASES, upgraded

from gm.game.model.conduct_records import Conduct, Deed
from gm.game.model.records import (
    Game,
    GmAct,
    InboxRow,
    InboxState,
    LetterPart,
    OutboxState,
    OutLetter,
    Person,
    PressRow,
    Question,
    Seat,
)
from gm.store.database import Database
from gm.store.maintenance import StoreMaintenance
from gm.store.schema import tables as t
from gm.store.schema.column_types import PartsColumn, StringsColumn, TextColumn
from gm.store.upkeep.erasure import WORDS, Erasure

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
NAME = "Anna-Maria O'Neill <Bee> Łuk"
ADDRESS = "anna-maria.oneill@players.example"
FORMER, WORK = "anna.old@former.example", "am@work.example"
TRACES = ("neill", "anna", "łuk", "players.example", "former.example", "work.example", "\\u0141uk")
NO_WORDS = {
    *("address", "account", "author", "channel", "choice", "code", "content_key", "decrees", "draw_votes", "folded"),
    *(
        "facts",
        "title",
        "forbearance",
        "form",
        "from_address",
        "from_name",
        "key",
        "kind",
        "language",
        "lines",
        "message_id",
        "muted",
    ),
    *("name", "phase", "picture_name", "position", "events", "book", "power", "references", "reply_to", "resolved"),
    *(
        "sender",
        "signature",
        "to",
        "turn",
        "value",
        "variant",
        "winners",
        "wish",
        "word",
        "zone",
        "automatic",
        "audience",
    ),
    *("envelope_from", "envelope_to"),
}
"""Columns of text that name no person, belong to the game, or are removed with the person's rows."""


@pytest.fixture
def database(tmp_path: Path):
    with closing(Database(tmp_path / "gm.sqlite")) as database:
        database._clock = lambda: AT
        migrate(database)
        yield database


def letter(address: str, number: int, text: str, game: int, seat: int = 0, **more) -> OutLetter:  # type: ignore[no-untyped-def]
    return OutLetter(
        f"inbox:{number}", "answer", address, "somebody", "gm", "gm@x", "gm@x", f"about {NAME}", text,
        html.escape(text), f"{number}@x", ("first@x", f"<{number}>"[1:-1]), game=game, seat=seat, **more,
    )  # fmt: skip


def fill(database: Database) -> None:
    wrapped = "\n".join(textwrap.wrap(f"This player of the game is {NAME}, who writes from {ADDRESS} now.", 22))
    quoted = f"> {NAME.replace(' ', chr(10) + '> ')} wrote"
    with database.transaction() as store:
        anna = store.people.add(Person(0, "Anna Before", (FORMER,)))
        anna = replace(anna, name=NAME, addresses=(ADDRESS,))
        store.people.save(anna)
        bob = store.people.add(Person(0, "Bob", ("bob@example.org",)))
        cleo = store.people.add(Person(0, "Cleo", ("cleo@example.org",)))
        ostend, kiel = (store.games.add(Game(0, name, "standard")) for name in ("ostend", "kiel"))
        france = store.games.add_seat(Seat(0, ostend.id, "France", anna.id))
        store.games.add_seat(Seat(0, ostend.id, "Italy", bob.id))
        store.games.add_seat(Seat(0, kiel.id, "Italy", cleo.id))
        store.conduct.note(Conduct(anna.id, ostend.id, "France", "S1901M", Deed.MISSED, AT))
        store.turns.log(GmAct(ostend.id, AT, bob.id, wrapped, json.dumps(["x", {"name": NAME}])))
        store.turns.log(GmAct(ostend.id, AT, bob.id, quoted, f"{FORMER} left"))
        store.turns.add_press(PressRow(0, ostend.id, "S1901M", "Italy", ("France",), wrapped, AT))
        store.turns.add_question(Question("code", "register", 0, 0, 0, json.dumps({"name": NAME, "a": FORMER}), AT))
        rows = (
            ("ours", f"From: A <{ADDRESS}>\r\nMessage-ID: <1.anna@players.example>\r\n\r\nA Par - Bur", anna.id),
            ("former", f"From: {FORMER}\r\n\r\nhello", None),
            ("work", f"From: {WORK}\r\nMessage-ID: <2@work.example>\r\n\r\nREADY", anna.id),
            ("bob's", f"From: bob@example.org\r\nIn-Reply-To: <1.anna@players.example>\r\n\r\n{quoted}", bob.id),
            ("cleo's", "From: cleo@example.org\r\n\r\nof another game", cleo.id),
        )
        for key, raw, writer in rows:
            row, _ = store.inbox.accept(InboxRow(0, "lmtp", key, AT, raw.encode()))
            store.inbox.close(row.id, InboxState.DONE, writer=writer)
        sent = [
            letter(ADDRESS, 1, wrapped, ostend.id, france.id),
            letter(FORMER, 2, wrapped, ostend.id, france.id),
            letter("bob@example.org", 3, wrapped, ostend.id),
            letter("op@example.org", 4, f"{WORK} gets no more answers", 0),
            letter("cleo@example.org", 5, "of another game", kiel.id),
        ]
        ids = [replace(out_letter, references=("1.anna@players.example", "gm@x")) for out_letter in sent]
        for out_letter in ids:
            store.outbox.add(out_letter, AT)
        for row in (1, 2, 3, 4, 5):
            store.outbox.mark_sent(row, AT)
        waiting = letter("bob@example.org", 6, f"{wrapped}\n{quoted}", ostend.id)
        part = LetterPart("text/calendar", "a.ics", f"SUMMARY:{NAME}".encode())
        store.outbox.add(replace(waiting, parts=(part,), cause=f"undelivered:{ADDRESS}"), AT)
        store.outbox.add(replace(waiting, message_id="7@x", cause=f"undelivered:{FORMER}"), AT)


def everything(database: Database) -> str:
    with database.write_connection() as connection:
        rows = [tuple(row) for table in t.metadata.sorted_tables for row in connection.execute(select(table))]
    return repr(rows).lower()


def test_nothing_is_left_in_any_form(database: Database, tmp_path: Path) -> None:
    fill(database)
    assert all(trace in everything(database) for trace in TRACES[:5])
    assert StoreMaintenance(database).erase(ADDRESS) == Erasure((("ostend", "France"),))
    left = everything(database)
    assert [trace for trace in TRACES if trace in left] == []
    files = b"".join(path.read_bytes() for path in tmp_path.glob("gm.sqlite*")).lower()
    assert [trace for trace in TRACES if trace.encode() in files] == []


def test_others_stay_as_they_are(database: Database) -> None:
    fill(database)
    StoreMaintenance(database).erase(ADDRESS)
    left = everything(database)
    assert "of another game" in left
    assert all(address in left for address in ("bob@example.org", "cleo@example.org", "op@example.org"))
    with database.transaction() as store:
        states = [row.state for row in store.outbox.all()]
        assert states == [OutboxState.SENT] * 5 + [OutboxState.QUEUED] * 2
        waiting = store.outbox.all()[-1].letter
        assert "This player of the" in waiting.text
        assert "erased" in waiting.text


def test_a_former_address_leads_to_the_person_until_somebody_else_has_it(database: Database) -> None:
    fill(database)
    assert StoreMaintenance(database).erase(FORMER) == Erasure((("ostend", "France"),))
    assert StoreMaintenance(database).erase(FORMER) is None
    with database.transaction() as store:
        first = store.people.add(Person(0, "Dora Dean", ("shared@example.org",)))
        store.people.save(replace(first, addresses=("dora@example.org",)))
        store.people.add(Person(0, "Emil", ("shared@example.org",)))
    StoreMaintenance(database).erase("dora@example.org")
    assert "shared@example.org" in everything(database)


def test_a_name_of_one_word_is_no_other_word(database: Database) -> None:
    with database.transaction() as store:
        will = store.people.add(Person(0, "Will", ("w@example.org",)))
        game = store.games.add(Game(0, "ostend", "standard"))
        store.turns.log(GmAct(game.id, AT, will.id, "Will will move, says will", ""))
    StoreMaintenance(database).erase("w@example.org")
    assert "erased will move, says will" in everything(database)


SENTENCE = "I will help you. Will you, Will?"


def test_an_ordinary_word_stays_in_sentences_of_others(database: Database) -> None:
    """It goes where it stands as a name: alone, between quotes, before the address."""
    with database.transaction() as store:
        will = store.people.add(Person(0, "Will", ("w@example.org",)))
        game = store.games.add(Game(0, "ostend", "standard"))
        store.turns.add_press(PressRow(0, game.id, "S1901M", "Italy", ("France",), SENTENCE, AT))
        store.turns.log(GmAct(game.id, AT, will.id, "SEAT France: Will <w@example.org>", json.dumps({"name": "Will"})))
    maintenance = StoreMaintenance(database)
    tried = maintenance.erase("w@example.org", {"will", "you"}, try_only=True)
    assert tried == Erasure((), (), (("Will", 2),))
    assert "seat france: will <w@example.org>" in everything(database)
    assert maintenance.erase("w@example.org", {"will", "you"}) == tried
    left = everything(database)
    assert SENTENCE.lower() in left
    assert "seat france: erased <erased" in left
    assert '{"name": "erased"}' in left


def test_a_name_that_is_no_word_is_replaced_and_counted(database: Database) -> None:
    with database.transaction() as store:
        rolf = store.people.add(Person(0, "Rolf", ("r@example.org",)))
        game = store.games.add(Game(0, "ostend", "standard"))
        store.turns.log(GmAct(game.id, AT, rolf.id, "Rolf asks Rolf", ""))
    assert StoreMaintenance(database).erase("r@example.org", {"will"}) == Erasure((), (("Rolf", 2),))
    assert "erased asks erased" in everything(database)


def test_somebody_who_never_registered_is_erased(database: Database) -> None:
    fill(database)
    with database.transaction() as store:
        for key, sender in (("a stranger's", "Carol <carol@example.net>"), ("another's", "dan@example.net")):
            raw = f"From: {sender}\r\n\r\nhello, may I play?".encode()
            row, _ = store.inbox.accept(InboxRow(0, "lmtp", key, AT, raw))
            store.inbox.close(row.id, InboxState.DONE)
        store.outbox.add(letter("carol@example.net", 8, "Who are you, carol@example.net?", 0), AT)
        store.outbox.add(letter("dan@example.net", 9, "Who is dan@example.net?", 0), AT)
    assert StoreMaintenance(database).erase("nobody@example.net") is None
    assert StoreMaintenance(database).erase("Carol@example.net") == Erasure()
    left = everything(database)
    assert "carol" not in left
    assert all(
        trace in left for trace in ("dan@example.net\\r\\n\\r\\nhello", "who is dan@example.net", "of another game")
    )
    assert all(trace in left for trace in TRACES[:5])
    assert StoreMaintenance(database).erase("carol@example.net") is None


def test_every_column_of_text_is_searched_or_holds_no_words() -> None:
    texts = {
        column.name
        for table in t.metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, TextColumn | StringsColumn | PartsColumn)
    }
    assert texts - WORDS - NO_WORDS == set()
    assert set() == WORDS & NO_WORDS
    assert texts >= WORDS


@pytest.mark.parametrize("name", DATABASES)
def test_each_person_of_a_stored_game_can_be_erased(name: str, tmp_path: Path) -> None:
    with closing(Database(upgraded(name, tmp_path))) as database:
        with database.write_connection() as connection:
            people = connection.execute(
                select(t.person.c.name, t.address.c.address).join(t.address, t.address.c.person == t.person.c.id)
            ).all()
        for _, address in people[:4]:
            StoreMaintenance(database).erase(address)
        left = everything(database)
        for person, address in people[:4]:
            assert address.lower() not in left
            assert " " not in person or person.lower() not in left
