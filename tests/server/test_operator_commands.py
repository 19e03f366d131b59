"""Backups, letters set aside, thinning and forgetting, on both databases; `gm doctor` and the commands as processes."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from sqlalchemy import select
from structlog.testing import capture_logs
from support.mail.dovecot import free_port
from support.processes import warm_process
from support.processes.warm_process import GM
from support.standard_game import Letterbox
from support.stores.migrated_database import migrate
from support.stores.postgresql import ready_postgresql

from gm.config import Config, RelayConfig
from gm.errors import GmError
from gm.game.clock import clock
from gm.game.intake import inbox
from gm.game.model.observer_records import MailChoice, MailChoices, NotebookEntry
from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.game.model.records import (
    Absence,
    Applicant,
    ApplicantState,
    DecreeRecord,
    Game,
    GmAct,
    InboxRow,
    InboxState,
    LetterPart,
    OutboxRow,
    OutLetter,
    Person,
    Question,
    Seat,
    Sheet,
    SheetLine,
    Snapshot,
)
from gm.mail.incoming.received import Received
from gm.server.faults import DISK_LEAST, find_faults
from gm.server.operators import people
from gm.server.operators.doctor import examine_installation
from gm.server.operators.init import basic_answers, initialise
from gm.server.wiring import Application, assemble
from gm.store.database import Database
from gm.store.maintenance import StoreMaintenance
from gm.store.queries.statistics import StoreFigures
from gm.store.schema import tables as t
from gm.store.upkeep.erasure import Erasure

AT = datetime(2026, 3, 13, 12, 0, tzinfo=UTC)
PICTURE = LetterPart("image/png", "map.png", b"\x89PNG\x00", "map")
KINDS = ("sqlite", "postgresql")
ERASED = Erasure((("ostend", "France"),))
Start = Callable[..., subprocess.CompletedProcess[bytes]]


def database(kind: str, folder: Path, name: str = "gm") -> Database:
    made = Database(ready_postgresql() if kind == "postgresql" else folder / f"{name}.sqlite", clock=lambda: AT)
    migrate(made)
    return made


def fill(here: Database) -> None:
    """A little of everything, with what is hard to write as text."""
    with here.transaction() as store:
        ann = store.people.add(Person(0, "Ann “Ä” Müller", ("ann@example.org", "ann@work.example"), "Europe/Berlin"))
        bob = store.people.add(Person(0, "Bob", ("bob@example.org",)))
        game = store.games.add(Game(0, "ostend", "standard", due_at=AT, settings=(("moves", "48 h"),)))
        seat = store.games.add_seat(Seat(0, game.id, "France", ann.id))
        store.observers.save_mail_choices(
            MailChoices(seat.id, ann.id, MailChoice.RESULTS, ("Italy",), "Ann the Watcher")
        )
        whose = (game.id, seat.id, ann.id)
        store.observers.add_notebook_entry(
            NotebookEntry(0, *whose, 1, "France", "S1901M", AT, "Ann's own words", opens=False)
        )
        store.games.add_seat(Seat(0, game.id, "Italy", bob.id))
        store.games.save_applicant(Applicant(game.id, ann.id, ApplicantState.ASKED, AT, "France"))
        store.games.save_applicant(Applicant(game.id, bob.id, ApplicantState.APPROVED, AT))
        store.turns.add_question(Question("code", "register", 0, 0, 0, '{"address": "ann@example.org"}', AT))
        for person, power in ((ann.id, "France"), (bob.id, "Italy")):
            store.absences.add(Absence(0, game.id, person, power, AT, AT + timedelta(days=9), 1901, True, AT))
        store.heartbeat.note(AT)
        snapshot = Snapshot(
            0, game.id, 0, 0, "", "S1901M", 1, AT, "{}", "[]", "{}", (DecreeRecord("A Par", "void", "so"),)
        )
        kept = store.turns.add_snapshot(snapshot)
        line = SheetLine(("unit", "A Par"), "A Par - Bur", forced=True)
        store.turns.add_sheet(Sheet(game.id, "S1901M", kept.id, "France", "France", 1, (line,), open_questions=("ä",)))
        store.turns.log(GmAct(game.id, AT, bob.id, "SEAT France: Ann “Ä” Müller <ANN@example.org>", "seated"))
        store.polls.add_erratum(Erratum(game.id, kept.id, "S1901M", "Ann “Ä” Müller was right.", AT))
        poll = Poll(0, game.id, 1, "Does ann@example.org stay?", ("ja", "Ann “Ä” Müller goes"), True, AT, AT, None)
        store.polls.add_poll_vote(PollVote(store.polls.add_poll(poll).id, "France", ann.id, "ja", AT))
        for number, (who, state) in enumerate((("ann", "done"), ("bob", "done"), ("ann", "shunted"), ("bob", "new"))):
            raw = f"From: {who.title()} <{who}@EXAMPLE.org>\r\n\r\nhello \x00\xff".encode("latin-1")
            row, _ = store.inbox.accept(InboxRow(0, "lmtp", f"key {number}", AT, raw, f"{who}@example.org"))
            store.inbox.close(
                row.id, InboxState(state), "Traceback …\nValueError: so it was" if state == "shunted" else ""
            )
        for number, who in enumerate(("ann", "bob")):
            letter = OutLetter(
                "inbox:1", "answer", f"{who}@example.org", who, "gm", "gm@x", "gm@x", "Re: ö", "ok", "<p>ok</p>",
                f"{number}@x", ("one@x",), parts=(PICTURE,), game=game.id,
            )  # fmt: skip
            store.outbox.add(letter, AT)


def everything(here: Database) -> dict[str, list[tuple[object, ...]]]:
    with here.write_connection() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table)).all()), key=repr)
            for table in t.metadata.sorted_tables
        }


@pytest.mark.parametrize("into", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_restores_everything_on_either_database(kind: str, into: str, tmp_path: Path) -> None:
    here, there = database(kind, tmp_path, "here"), database(into, tmp_path, "there")
    fill(here)
    path = tmp_path / "all.gz"
    StoreMaintenance(here).back_up(path, "1.0", "sesame, sesame, sesame")
    assert path.stat().st_mode & 0o777 == 0o600
    rows, secret = StoreMaintenance(there).restore(path)
    assert secret == "sesame, sesame, sesame"
    assert everything(there) == everything(here)
    assert rows == sum(len(table) for table in everything(here).values())
    with there.transaction() as store:  # new rows get numbers of their own
        assert store.people.add(Person(0, "Cleo", ("cleo@example.org",))).id not in {1, 2}
        assert store.inbox.accept(InboxRow(0, "lmtp", "key 9", AT, b""))[1]
    here.close()
    there.close()


def test_a_backup_is_taken_while_others_write(tmp_path: Path) -> None:
    here = database("sqlite", tmp_path)
    fill(here)
    beside = Database(tmp_path / "gm.sqlite", alone=False)
    with here.transaction() as store:
        store.inbox.accept(InboxRow(0, "lmtp", "in the midst", AT, b""))
        StoreMaintenance(beside).back_up(tmp_path / "all.gz", "1.0", None)
    there = database("sqlite", tmp_path, "there")
    StoreMaintenance(there).restore(tmp_path / "all.gz")
    assert len(everything(there)["inbox"]) == 4
    for opened in (here, beside, there):
        opened.close()


@pytest.mark.parametrize("damage", ["empty", "no gzip", "other", "cut", "cut gzip"])
def test_restoring_a_broken_or_wrong_file_changes_nothing(damage: str, tmp_path: Path) -> None:
    here = database("sqlite", tmp_path)
    fill(here)
    path = tmp_path / "all.gz"
    StoreMaintenance(here).back_up(path, "1.0", None)
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    broken = {
        "empty": b"",
        "no gzip": b"hello",
        "other": gzip.compress(b"[1]\n"),
        "cut": gzip.compress(b"".join(lines[:-4])),
        "cut gzip": path.read_bytes()[:-30],
    }
    path.write_bytes(broken[damage])
    there = database("sqlite", tmp_path, "there")
    with pytest.raises(GmError) as refused:
        StoreMaintenance(there).restore(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not any(everything(there).values())
    here.close()
    there.close()


def test_a_database_with_games_in_it_is_not_written_over(tmp_path: Path) -> None:
    here, there = database("sqlite", tmp_path), database("sqlite", tmp_path, "there")
    fill(here)
    StoreMaintenance(here).back_up(tmp_path / "all.gz", "1.0", None)
    with there.transaction() as store:
        store.people.add(Person(0, "Zoe", ("zoe@example.org",)))
    with pytest.raises(GmError, match="not empty; --force"):
        StoreMaintenance(there).restore(tmp_path / "all.gz")
    StoreMaintenance(there).restore(tmp_path / "all.gz", force=True)
    assert everything(there) == everything(here)
    here.close()
    there.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_person_forgotten_is_nowhere_and_the_game_goes_on(kind: str, tmp_path: Path) -> None:
    here = database(kind, tmp_path)
    fill(here)
    before = everything(here)
    assert StoreMaintenance(here).erase("nobody@example.org") is None
    assert everything(here) == before
    assert StoreMaintenance(here).erase("Ann@Work.example") == ERASED
    after = everything(here)
    assert "ann" not in repr(list(after.values())).lower()
    assert "müller" not in repr(after).lower()
    assert after["sheet"] == before["sheet"]
    assert after["snapshot"] == before["snapshot"]
    assert "bob@example.org" in repr(after)
    with here.transaction() as store:
        assert [absence.power for absence in store.absences.of(1)] == ["Italy"]
        france, italy = store.games.seats(1)
        assert (france.person, france.generation) == (None, 2)
        assert (italy.person, italy.generation) == (2, 1)
    here.close()


@pytest.mark.parametrize("state", ["held", "new", "shunted"])
@pytest.mark.parametrize("kind", KINDS)
def test_held_letters_of_an_erased_person_are_deleted_and_no_others(kind: str, state: str, tmp_path: Path) -> None:
    """A held letter that he could still confirm, and others' that only name him: those may be orders."""
    here = database(kind, tmp_path)
    fill(here)
    raws = {
        "his": b"From: Ann\r\n <Ann@example.org>\r\nTo: gm@x\r\n\r\nA Par - Bur\r\n",
        "by envelope": b"From: x@y.example\r\n\r\nA Par - Bur\r\n",
        "bob's": b"From: Bob <bob@example.org>\r\nCc: ann@example.org\r\n\r\nFrom: ann@example.org\r\nA Ven - Tri\r\n",
        "joann's": b"From: Joann <joann@example.org>\r\n\r\nA Ven - Tri\r\n",
    }
    with here.transaction() as store:
        rows = {}
        for name, raw in raws.items():
            sender = "ANN@example.org" if name == "by envelope" else ""
            rows[name] = store.inbox.accept(InboxRow(0, "lmtp", name, AT, raw, sender))[0].id
            store.inbox.close(rows[name], InboxState(state), "Traceback: ann@example.org")
    StoreMaintenance(here).erase("ann@example.org")
    with here.transaction() as store:
        for name in ("his", "by envelope"):
            row = store.inbox.get(rows[name])
            assert (row.state, row.raw, row.error, row.envelope_from) == (InboxState.IGNORED, b"", "erased", "")
        for name in ("bob's", "joann's"):
            row = store.inbox.get(rows[name])
            assert (row.state, row.raw) == (InboxState(state), raws[name])
    here.close()


def run(folder: Path, *words: str, start: Start = warm_process.run) -> subprocess.CompletedProcess[str]:
    done = start(GM, "-c", str(folder / "gm.toml"), *words)
    output, errors = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(words, done.returncode, output, errors)


def run_cold(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(folder, *words, start=warm_process.run_cold)


def test_the_operators_commands(tmp_path: Path) -> None:
    run(tmp_path, "init", "--address", "gm@example.org", "--master", "m@example.org", "--folder", str(tmp_path))
    here = Database(tmp_path / "gm.sqlite")
    fill(here)
    here.close()
    assert "ValueError: so it was" in run_cold(tmp_path, "shunted", "list").stdout
    assert "From: Ann" in run(tmp_path, "shunted", "show", "3").stdout
    assert run(tmp_path, "shunted", "show", "1").stderr == (
        "gm: letter 1 was not set aside; `gm shunted list` shows those that were\n"
    )
    assert run(tmp_path, "shunted", "retry").stdout == "1 letters will be processed again.\n"
    assert "No letter was set aside" in run(tmp_path, "shunted", "list").stderr
    secret = (tmp_path / "secret").read_text(encoding="ascii")
    assert run_cold(tmp_path, "backup", str(tmp_path / "all.gz")).returncode == 0
    assert (
        "Forgotten: ann@example.org. Seats are vacant in: ostend."
        in run_cold(tmp_path, "erase", "--yes", "ann@example.org").stdout
    )
    (tmp_path / "secret").write_text("another secret that is not ours\n", encoding="ascii")
    assert "is not empty" in run(tmp_path, "restore", str(tmp_path / "all.gz")).stderr
    restored = run_cold(tmp_path, "restore", "--force", str(tmp_path / "all.gz"))
    assert restored.returncode == 0, restored.stderr
    assert (tmp_path / "secret").read_text(encoding="ascii") == secret
    for words in (("backup", "/nowhere/all.gz"), ("restore", "/nowhere/all.gz"), ("erase", "--yes", "x@y")):
        failed = run(tmp_path, *words)
        assert (failed.returncode, len(failed.stderr.splitlines())) == (1, 1), failed


def test_the_doctor_says_what_is_wrong(tmp_path: Path) -> None:
    list(initialise(tmp_path, basic_answers("gm@example.org", "m@example.org", "UTC")))
    config = tmp_path / "gm.toml"
    text = config.read_text(encoding="utf-8").replace("port = 25", "port = 1").replace("# dkim = false", "dkim = false")
    config.write_text(text, encoding="utf-8")
    examined = run(tmp_path, "doctor")
    assert examined.returncode == 1
    assert [line.split()[1] for line in examined.stdout.splitlines() if line.startswith("WRONG")] == ["relay"]
    assert "database" in examined.stdout
    (tmp_path / "gm.sqlite").write_bytes(b"no database at all" * 100)
    examined = run(tmp_path, "doctor")
    assert "WRONG database" in examined.stdout
    assert "Traceback" not in examined.stdout + examined.stderr


def test_the_doctor_sees_a_clock_that_was_put_back(tmp_path: Path) -> None:
    list(initialise(tmp_path, basic_answers("gm@example.org", "m@example.org", "UTC")))
    with closing(Database(tmp_path / "gm.sqlite")) as here, here.transaction() as store:
        store.heartbeat.note(datetime.now(UTC) + timedelta(days=10))
    assert "WRONG clock" in run(tmp_path, "doctor", "--wait", "0").stdout


@pytest.mark.parametrize(
    ("free", "good", "words"),
    [
        (0, False, "0 MB are left"),
        (DISK_LEAST - 1, False, "199 MB are left"),
        (DISK_LEAST, True, "200 MB are left"),
        (None, False, "cannot be examined (Input/output error)"),
    ],
)
def test_the_doctor_and_the_alarms_see_a_full_disk(
    free: int | None, good: bool, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database("sqlite", tmp_path).close()
    settings = Config(
        address="gm@example.org", database=str(tmp_path / "gm.sqlite"), relay=RelayConfig(port=free_port())
    )

    def usage(folder: Path) -> SimpleNamespace:
        assert folder == tmp_path
        if free is None:
            raise OSError(5, "Input/output error")
        return SimpleNamespace(free=free)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    findings = {finding.what: finding for finding in examine_installation(settings)}
    assert (findings["disk"].good, words in findings["disk"].text) == (good, True), findings["disk"]
    assert ("free some space" in findings["disk"].text) is (free is not None and not good)
    assert findings["database"].good
    assert "nobody gets alarms" in findings["alarms"].text
    raised = [fault.kind for fault in find_faults(StoreFigures(), settings)]
    assert raised == ([] if good or free is None else ["disk"])


@pytest.mark.parametrize(
    ("command", "good", "words"),
    [
        ("/no/such/cmd --now", False, "there is no program /no/such/cmd"),
        ("unclosed 'quote", False, "No closing quotation"),
        ("LANG=C cat >> /tmp/alarms", True, "to try it: echo a test | LANG=C cat"),
    ],
)
def test_the_doctor_looks_for_the_alarm_command(command: str, good: bool, words: str, tmp_path: Path) -> None:
    database("sqlite", tmp_path).close()
    settings = Config(
        address="gm@example.org",
        masters=("you@example.net",),
        database=str(tmp_path / "gm.sqlite"),
        relay=RelayConfig(port=free_port()),
        alarm_command=command,
    )
    findings = {finding.what: finding for finding in examine_installation(settings)}
    assert findings["alarms"].good is good
    assert words in findings["alarms"].text


def test_the_letters_of_an_address_are_listed(tmp_path: Path) -> None:
    here = database("sqlite", tmp_path)
    fill(here)
    with here.transaction() as store:
        raw = b"From: Carol <carol@example.net>\r\n\r\nA Par - Bur"
        row, _ = store.inbox.accept(InboxRow(0, "lmtp", "key", AT, raw, "list@elsewhere.example"))
        store.inbox.close(row.id, InboxState.HELD, "From is not proven")
        first = store.outbox.all()[0].letter
        store.outbox.add(replace(first, cause="x", message_id="x@x", address="carol@example.net"), AT)
    traces = StoreMaintenance(here).letters_of("Carol@example.net")
    assert [(trace.number, trace.received, trace.state, trace.why) for trace in traces] == [
        (row.id, True, "held", "From is not proven"),
        (3, False, "queued", ""),
    ]
    assert (traces[1].game, traces[1].kind) == ("ostend", "answer")
    ours = StoreMaintenance(here).letters_of("ann@example.org")
    assert [(trace.received, trace.state, trace.why) for trace in ours] == [
        (True, "done", ""), (True, "shunted", "ValueError: so it was"), (False, "queued", ""),
    ]  # fmt: skip
    assert StoreMaintenance(here).letters_of("nobody@example.net") == ()
    here.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Application]:
    """A game with its master Ruth, and Ann as France."""
    settings = Config(
        address="gm@example.org", masters=("ruth@example.org",), database=str(tmp_path / "gm.sqlite"), dkim=False,
        authserv_id="mx",
    )  # fmt: skip
    app = assemble(settings)
    migrate(app)
    with app.database.transaction() as store:
        ruth, ann = (
            store.people.add(Person(0, name, (f"{name.lower()}@example.org",), "UTC")) for name in ("Ruth", "Ann")
        )
    for number, words in enumerate(("CREATE ostend", "SEAT France: Ann <ann@example.org>")):
        app.accept(Received(from_ruth(str(number), words), app.database.now(), "pipe"))
        while inbox.read_some(app.services, app.database.transaction):
            pass
    with app.database.transaction() as store:
        game = store.games.by_name("ostend")
        assert game is not None
        assert {seat.power for seat in store.games.seats(game.id) if seat.person == ann.id} == {"France"}
        assert {seat.power for seat in store.games.seats(game.id) if seat.person == ruth.id} == {"GM"}
    yield app
    app.database.close()


def from_ruth(name: str, words: str) -> bytes:
    return (
        f"Authentication-Results: mx; dmarc=pass header.from=example.org\r\nFrom: ruth@example.org\r\n"
        f"To: gm@example.org\r\nMessage-ID: <{name}@x>\r\nSubject: ostend\r\n\r\n{words}\r\n"
    ).encode()


def letters_to(app: Application, address: str) -> list[str]:
    with app.database.transaction() as store:
        return [row.letter.text for row in store.outbox.all() if row.letter.address == address]


def test_the_game_masters_are_told_that_a_seat_is_empty(running: Application) -> None:
    before = len(letters_to(running, "ruth@example.org"))
    erased = StoreMaintenance(running.database).erase("ann@example.org")
    assert erased is not None
    people.tell_masters(running.services, running.database.transaction, erased)
    (letter,) = letters_to(running, "ruth@example.org")[before:]
    assert "Nobody plays France now." in letter


def test_a_game_whose_master_is_gone_gets_one(running: Application) -> None:
    with pytest.raises(GmError, match="has a seat in ostend already"):
        people.appoint_master(running.services, running.database.transaction, "ostend", "ann@example.org")
    with pytest.raises(GmError, match="no game kiel"):
        people.appoint_master(running.services, running.database.transaction, "kiel", "eve@example.org")
    erased = StoreMaintenance(running.database).erase("ruth@example.org")
    assert erased is not None
    assert "gm appoint" in " ".join(people.describe_rest(erased))
    people.tell_masters(running.services, running.database.transaction, erased)
    people.appoint_master(running.services, running.database.transaction, "ostend", "Eve@example.org")
    (letter,) = letters_to(running, "eve@example.org")
    assert "ostend" in letter
    assert any("another game master" in letter for letter in letters_to(running, "ann@example.org"))
    with running.database.transaction() as store:
        game, eve = store.games.by_name("ostend"), store.people.by_address("eve@example.org")
        assert game is not None
        assert eve is not None
        assert [seat.person for seat in store.games.seats(game.id) if seat.power == "GM"] == [eve.id]


def test_a_running_game_gets_another_master_and_its_players_are_told() -> None:
    box = Letterbox()
    box.fall_resolved(AT)
    people.appoint_master(box.services, box.store.transaction, "ostend", "eve@example.org")
    letters = {row.letter.address: row.letter for row in box.store.outbox.all()}
    assert letters["eve@example.org"].seat not in {seat.id for seat in box.seats.values()}
    assert "The game has another game master: eve." in " ".join(letters["france@example.org"].text.split())
    assert len(letters) == len(box.seats) + 1


def test_each_letter_leaves_lines_in_the_log_and_none_of_its_words(running: Application) -> None:
    with capture_logs() as logs:
        running.accept(Received(from_ruth("x7", "HELP\n\nsecret plans"), running.database.now(), "pipe"))
        while inbox.read_some(running.services, running.database.transaction):
            pass
        sent = Mailbag()
        while clock.send(running.database.transaction, sent, running.services):
            pass
    assert [entry["letter"] for entry in logs if entry["event"] == "letter sent"] == [row.id for row in sent.rows]
    (read,) = (entry for entry in logs if entry["event"] == "letter read")
    assert (read["message_id"], read["state"]) == ("x7", "done")
    assert read["letter"] in [entry.get("answers") for entry in logs if entry["event"] == "letter sent"]
    assert [word for word in ("ruth", "plans", "HELP", "@") if word in repr(logs)] == []


class Mailbag:
    def __init__(self) -> None:
        self.rows: list[OutboxRow] = []

    def send(self, row: OutboxRow) -> None:
        self.rows.append(row)

    def close(self) -> None:
        """Nothing to close."""
