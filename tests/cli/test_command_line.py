"""The command line as a process: exit codes, one line for each error, never a traceback."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from support.paths import ROOT
from support.processes.command_line import LETTER, gm, one_line
from support.processes.warm_process import GM, run, run_cold
from support.stores.stored_databases import DATABASES, unpacked


def test_init_writes_valid_settings_and_keeps_old_ones(home: Path) -> None:
    assert (home / "gm.sqlite").exists()
    assert (home / "secret").stat().st_mode & 0o077 == 0
    one_line(gm("init", "--address", "a@b", "--master", "c@d", folder=home), "exists already", "--force")
    assert run_cold(GM, "migrate", folder=home).returncode == 0


def test_init_with_a_wrong_address_writes_nothing(tmp_path: Path) -> None:
    one_line(gm("init", "--address", "gm", "--master", "c@d", folder=tmp_path), "not an email address")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("file", "file: is a file: name a folder"),
        ("file/x", "file/x: cannot be written by user"),
        ("x" * 300, "File name too long"),
        ("new\udcff", "its name, or an answer, is not UTF-8 text"),
    ],
)
def test_init_in_a_folder_that_cannot_be_one(tmp_path: Path, folder: str, says: str) -> None:
    (tmp_path / "file").touch()
    words = ("--address", "gm@example.org", "--master", "ruth@example.org", "--folder", folder)
    one_line(run_cold(GM, "init", *words, folder=tmp_path), says)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_init_does_not_make_gm_its_own_game_master(tmp_path: Path) -> None:
    words = ("--address", "gm@example.org", "--master", "GM@example.org", "--folder", "new")
    one_line(gm("init", *words, folder=tmp_path), "is gm's own mailbox")
    assert not list(tmp_path.iterdir())


def test_init_leaves_a_file_beside_its_own_alone(tmp_path: Path) -> None:
    (tmp_path / "gm.toml.new").write_text("mine")
    assert gm("init", "--address", "gm@example.org", "--master", "a@b", folder=tmp_path).returncode == 0
    assert (tmp_path / "gm.toml.new").read_text() == "mine"


@pytest.mark.parametrize(
    "words",
    [("letters", "\udcff@x"), ("erase", "--yes", "\udcff"), ("shunted", "retry", "9" * 30), ("appoint", "x", "\udcff")],
)
def test_words_that_no_database_can_hold_are_wrong_usage(home: Path, words: tuple[str, ...]) -> None:
    ended = run_cold(GM, *words, folder=home)
    assert ended.returncode == 2
    assert b"Traceback" not in ended.stderr


def test_missing_settings_name_gm_init(tmp_path: Path) -> None:
    one_line(gm("serve", folder=tmp_path), "gm init")


def test_a_wrong_setting(home: Path) -> None:
    (home / "gm.toml").write_text('address = "gm@example.org"\nlisten = 7\n', encoding="utf-8")
    one_line(gm("serve", folder=home), "gm.toml", "listen")


def test_a_port_that_is_taken(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        one_line(gm("serve", folder=home, GM_LISTEN__PORT=str(taken.getsockname()[1])), "port")


def test_nothing_to_read_letters_from(home: Path) -> None:
    (home / "gm.toml").write_text('address = "gm@example.org"\n', encoding="utf-8")
    one_line(gm("serve", folder=home), "[imap]", "[listen]")


def test_a_file_that_is_no_database(home: Path) -> None:
    (home / "gm.sqlite").write_bytes(b"no database, only words\n" * 100)
    for leftover in ("gm.sqlite-wal", "gm.sqlite-shm"):
        (home / leftover).unlink(missing_ok=True)
    one_line(gm("tick", folder=home), "gm.sqlite")


def test_deliver_stores_a_letter_or_asks_to_retry(home: Path) -> None:
    assert gm("deliver", "gm@example.org", folder=home, stdin=LETTER).returncode == 0
    one_line(gm("deliver", folder=home, stdin=LETTER, GM_DATABASE="/nowhere/at/all/gm.sqlite"), code=75)
    (home / "gm.toml").write_text("address = ", encoding="utf-8")
    one_line(gm("deliver", folder=home, stdin=LETTER), "not valid TOML", code=75)


def test_check_accepts_ours_and_refuses_an_unknown_variant(tmp_path: Path) -> None:
    done = run_cold(GM, "check", folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert b"34 supply centres; 111 borders for armies, 141 for fleets" in done.stdout
    assert all(b": clean. " in line for line in done.stdout.splitlines()), "of ours there is nothing to remark"
    one_line(gm("check", "atlantis", folder=tmp_path), "atlantis", "standard")


def test_check_names_the_file_of_a_broken_variant(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "variant.toml").write_text("title = [", encoding="utf-8")
    one_line(gm("check", str(folder), folder=tmp_path), "variant.toml")


def test_adjudicate_the_readmes_example(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = json.loads(readme.split("```json\n")[1].split("```")[0])
    lines = json.dumps(example).encode() + b"\nnonsense\n" + json.dumps(example | {"id": 8}).encode() + b"\n"
    done = gm("adjudicate", folder=tmp_path, stdin=lines)
    assert done.returncode == 0, done.stderr.decode()
    first, wrong, third = (json.loads(line) for line in done.stdout.splitlines())
    assert first["id"] == 7
    results = {r["order"]: r for r in first["results"]}
    assert results["A Vie - Gal"]["outcome"] == "bounced"
    assert results["A Vie - Gal"]["by"] == ["A War"]
    assert results["A Bud H"]["given"] is False
    assert first["position"]["phase"] == "F1901M"
    assert "error" in wrong
    assert third["id"] == 8


@pytest.mark.parametrize("command", ["adjudicate", "read --variant standard --power France"])
@pytest.mark.parametrize(
    ("streams", "says"),
    [
        ("<&-", "standard input is closed"),
        (">&-", "standard output is closed"),
        ("> /dev/full", "standard output: No space left on device"),
    ],
)
def test_closed_or_full_streams_are_errors(tmp_path: Path, command: str, streams: str, says: str) -> None:
    line = f'exec "{sys.executable}" -m gm {command} {streams}'
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, input=b"{}\n", capture_output=True, timeout=120, check=False
    )
    one_line(done, says)


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "windows.jsonl").write_bytes(b'\xef\xbb\xbf{"id": 1}\r\n{"id": 2}\r\n')
    done = gm("adjudicate", "windows.jsonl", folder=tmp_path)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]


def test_read_prints_orders_and_problems(tmp_path: Path) -> None:
    body = b"From: a@b\r\nSubject: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    (tmp_path / "one.eml").write_bytes(body + b"A Mar - Bur\r\nA Par - Burgindy\r\nREADY\r\n\r\n> A Mar - Gas\r\n")
    (tmp_path / "two.eml").write_bytes(b"Auto-Submitted: auto-replied\r\n" + body + b"I am away\r\n")
    done = gm("read", "--variant", "standard", "--power", "france", "one.eml", "none.eml", "two.eml", folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    first, none, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["file"] == "one.eml"
    assert first["orders"] == ["A Mar - Bur"]
    assert first["commands"] == ["READY"]
    assert first["problems"][0]["line"] == 2
    assert "A Par - Bur" in first["problems"][0]["suggestions"]
    assert first["ignored"]["quoted_lines"] == 1
    assert first["verdict"] == "act"
    assert none["file"] == "none.eml"
    assert "error" in none
    assert second["verdict"] == "ignore"
    assert second["why"]
    one_line(
        gm("read", "--variant", "standard", "--power", "Atlantis", "one.eml", folder=tmp_path), "Atlantis", "France"
    )


def test_read_takes_a_position_and_a_phase(tmp_path: Path) -> None:
    position = {
        "variant": "standard",
        "phase": "F1901R",
        "units": {"France": ["A Pic"], "Germany": ["A Bur"]},
        "centers": {"France": ["Par"]},
        "dislodged": {"France": [{"unit": "A Bur", "by": "A Bur", "retreats": ["Gas", "Par"]}]},
    }
    (tmp_path / "p.json").write_text(json.dumps(position), encoding="utf-8")
    done = gm(
        *("read", "--variant", "standard", "--power", "France", "--position", "p.json"),
        folder=tmp_path,
        stdin=b"From: a@b\r\n\r\nBur - Gas\r\n",
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["orders"] == ["A Bur - Gas"]


@pytest.mark.parametrize("position", ["none.json", ".", "bytes.json", "list.json"])
def test_an_unreadable_position_is_an_error(tmp_path: Path, position: str) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    (tmp_path / "list.json").write_text("[]")
    words = ("read", "--variant", "standard", "--power", "France", "--position", position)
    one_line(gm(*words, folder=tmp_path, stdin=LETTER))


def test_demo_refuses_a_file_as_folder(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("mine")
    one_line(gm("demo", "--folder", "here", folder=tmp_path), "here", "--folder")
    assert (tmp_path / "here").read_text() == "mine"


@pytest.mark.parametrize("secret", ["", "k7f3"])
def test_a_truncated_secret_is_refused(home: Path, secret: str) -> None:
    """With an empty one anybody could make every reply address."""
    (home / "secret").write_text(secret)
    one_line(gm("tick", folder=home), "secret", "too short")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ('database = ""', "database"),
        ('database = "none/gm.sqlite"', "no folder {here}/none"),
        ('variants = ["none"]', "no folder {here}/none"),
        (f'[imap]\nhost = "{"a" * 300}"\nuser = "gm"\npassword = "x"', "is not found"),
    ],
)
def test_wrong_paths_and_hosts_are_errors(tmp_path: Path, settings: str, says: str) -> None:
    (tmp_path / "gm.toml").write_text(f'address = "gm@example.org"\n{settings}\n')
    gm("migrate", folder=tmp_path)
    one_line(gm("tick", folder=tmp_path), says.format(here=tmp_path))


BESIDE_THE_SERVER = (
    ("tick",), ("doctor", "--wait", "0"), ("backup", "b.gz"), ("erase", "--yes", "a@b"), ("shunted", "list"),
    ("publish", "site"), ("map", "--game", "x"), ("deliver",),
)  # fmt: skip

AS_NOBODY = f"import os; os.geteuid() or (os.setgid(65534), os.setuid(65534)); {GM}"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user may look into, as pytest's are not."""
    with tempfile.TemporaryDirectory(prefix="gm-test-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_no_letter_bounces_where_settings_cannot_be_read(open_folder: Path) -> None:
    """Postfix runs the alias as nobody, and `gm init` writes a file that only root can read."""
    settings = open_folder / "gm.toml"
    settings.write_text('address = "gm@example.org"\n')
    settings.chmod(0o000)
    for words in (("-c", str(settings)), ()):
        run_as_nobody = run(AS_NOBODY, *words, "deliver", folder=open_folder, stdin=LETTER)
        one_line(run_as_nobody, "gm.toml: cannot be read by user ", "chown", "chmod 644", code=75)
    one_line(run(AS_NOBODY, "-c", str(settings), "serve", folder=open_folder), "cannot be read by user ", code=1)


@pytest.mark.parametrize("words", [*BESIDE_THE_SERVER, ("serve",), ("migrate",), ("restore", "b.gz"), ("healthy",)])
@pytest.mark.parametrize("state", ["missing", "unreadable", "broken"])
def test_every_command_says_what_is_wrong_with_its_settings(
    open_folder: Path, words: tuple[str, ...], state: str
) -> None:
    settings = open_folder / "gm.toml"
    if state != "missing":
        settings.write_text('address = "gm@example.org' if state == "broken" else 'address = "gm@example.org"\n')
        settings.chmod(0o644 if state == "broken" else 0o000)
    ended = run(AS_NOBODY, "-c", str(settings), *words, folder=open_folder, stdin=LETTER)
    one_line(ended, f"gm: {settings}: ", code=75 if words == ("deliver",) else 1)
    assert {path.name for path in open_folder.iterdir()} <= {"gm.toml"}


@pytest.mark.parametrize(
    "words",
    [("-c", "none.toml", "deliver"), ("deliver", "--colour"), ("--confg", "gm.toml", "deliver"), ("deliver", "-q")],
)
def test_no_letter_bounces_for_a_wrong_command(home: Path, words: tuple[str, ...]) -> None:
    assert gm(*words, folder=home, stdin=LETTER).returncode == 75


@pytest.mark.parametrize("address", ["-x@example.org", "-h@example.org", "--help@example.org", "--@example.org"])
def test_an_address_that_begins_with_a_hyphen_is_no_option(home: Path, address: str) -> None:
    run = gm("deliver", "gm@example.org", address, folder=home, stdin=LETTER)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    with closing(sqlite3.connect(home / "gm.sqlite")) as database:
        assert database.execute("SELECT envelope_to FROM inbox").fetchall()[0][0].count(address) == 1


def test_a_letter_that_is_none_is_refused_for_good(home: Path) -> None:
    assert gm("deliver", folder=home).returncode == 65


@pytest.mark.parametrize("words", BESIDE_THE_SERVER)
def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "gm.toml").write_text('address = "gm@example.org"\n[relay]\nport = 1\n')
    ended = gm(*words, folder=tmp_path, stdin=LETTER)
    assert ended.returncode in (1, 75)
    assert f"database {tmp_path}/gm.sqlite: there is no such file" in (ended.stdout + ended.stderr).decode()
    assert [path.name for path in tmp_path.iterdir()] == ["gm.toml"]


def test_a_database_without_tables_says_what_fills_it(home: Path) -> None:
    (home / "gm.sqlite").unlink()
    (home / "gm.sqlite").touch()
    one_line(gm("backup", "b.gz", folder=home), "is empty", "gm restore", "gm migrate")


def test_a_lost_secret_is_not_replaced_in_silence(home: Path) -> None:
    gm("deliver", folder=home, stdin=LETTER)
    gm("tick", folder=home)
    secret = (home / "secret").read_text()
    gm("backup", "b.gz", folder=home)
    (home / "secret").unlink()
    for words in (("tick",), ("serve",), ("backup", "c.gz")):
        one_line(gm(*words, folder=home), "secret is missing", "gm restore", "umask 077")
    assert b"secret is missing" in gm("doctor", "--wait", "0", folder=home).stdout
    assert not (home / "secret").exists()
    assert gm("restore", "--force", "b.gz", folder=home).returncode == 0
    assert (home / "secret").read_text() == secret


def test_a_backup_needs_no_password_of_the_mailbox(home: Path) -> None:
    with (home / "gm.toml").open("a") as settings:
        settings.write('[imap]\nhost = "imap.example.org"\nuser = "gm"\n')
    assert gm("backup", "b.gz", folder=home).returncode == 0
    assert gm("deliver", folder=home, stdin=LETTER).returncode == 0
    for words in (("tick",), ("doctor",), ("serve",)):
        one_line(gm(*words, folder=home), "imap: give either password or token_command", "GM_IMAP__PASSWORD")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_what_root_makes_belongs_to_the_owner_of_the_folder(open_folder: Path) -> None:
    os.chown(open_folder, 65534, 65534)
    (open_folder / "gm.toml").write_text('address = "gm@example.org"\nmasters = ["you@example.net"]\n')
    assert gm("migrate", folder=open_folder).returncode == 0
    assert gm("tick", folder=open_folder).returncode == 0
    made = {path.name: path.stat().st_uid for path in open_folder.iterdir() if path.name != "gm.toml"}
    assert made == dict.fromkeys(("gm.sqlite", "gm.sqlite.lock", "secret"), 65534)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has files that others cannot write")
def test_a_lock_file_of_somebody_else_is_named(open_folder: Path) -> None:
    os.chown(open_folder, 65534, 65534)
    (open_folder / "gm.toml").write_text('address = "gm@example.org"\nmasters = ["you@example.net"]\n')
    assert gm("migrate", folder=open_folder).returncode == 0
    os.chown(open_folder / "gm.sqlite.lock", 0, 0)
    one_line(run(AS_NOBODY, "migrate", folder=open_folder), "gm.sqlite.lock cannot be written by user ", "chown")


def test_a_letter_is_found_and_its_writer_erased(home: Path) -> None:
    """Luc never registered: his letter, and the answer to him, are found by his address."""
    assert gm("deliver", folder=home, stdin=LETTER).returncode == 0
    ticked = gm("tick", folder=home, GM_RELAY__PORT="1")
    one_line(ticked, "cannot be reached")  # and no line for each letter: cron would send it on
    listed = gm("letters", "luc@example.org", folder=home).stdout.decode().splitlines()
    assert ["from them" in line for line in listed] == [True, False]
    assert ["done" in line or "held" in line for line in listed] == [True, False]
    erased = gm("erase", "--yes", "luc@example.org", folder=home)
    assert erased.stdout.startswith(b"Forgotten: luc@example.org."), erased.stderr
    one_line(gm("letters", "luc@example.org", folder=home), "no letter from luc@example.org has come")
    one_line(gm("erase", "--yes", "luc@example.org", folder=home), "nobody with the address luc@example.org")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has files that others cannot write")
@pytest.mark.parametrize("closed", ["gm.sqlite", "gm.sqlite-wal", "."])
def test_what_a_user_may_not_write_is_named(open_folder: Path, closed: str) -> None:
    """The pipe as nobody, and a database of root's."""
    (open_folder / "gm.toml").write_text('address = "gm@example.org"\nmasters = ["you@example.net"]\n')
    assert gm("migrate", folder=open_folder).returncode == 0
    open_folder.chmod(0o755 if closed == "." else 0o777)
    with ExitStack() as opened:
        connection = opened.enter_context(closing(sqlite3.connect(open_folder / "gm.sqlite")))
        connection.execute("SELECT count(*) FROM inbox").fetchone()
        if closed == ".":  # its end leaves no log, and nobody can make one
            connection.close()
        for path in open_folder.iterdir():
            path.chmod(0o600 if path.name == closed else 0o666)
        ended = run(AS_NOBODY, "deliver", folder=open_folder, stdin=LETTER)
    named = open_folder if closed == "." else open_folder / closed
    one_line(ended, f"user nobody may not read and write {named}, which belongs to root: ", code=75)


def of_version(number: str, home: Path) -> None:
    with closing(sqlite3.connect(home / "gm.sqlite")) as connection, connection:
        connection.execute(f"UPDATE alembic_version SET version_num = '{number}'")


def letters_in(home: Path) -> int:
    with closing(sqlite3.connect(home / "gm.sqlite")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM inbox").fetchone()
    return int(count)


def test_a_letter_waits_where_the_database_is_of_a_newer_version(home: Path) -> None:
    of_version("9999", home)
    ended = run_cold(GM, "deliver", folder=home, stdin=LETTER)
    one_line(ended, "newer gm (its tables are of 9999)", code=75)
    assert letters_in(home) == 0


def test_a_letter_is_taken_by_an_older_version_if_there_is_room_for_all_of_it(home: Path) -> None:
    """It is migrated with the others."""
    of_version("0001", home)
    assert gm("deliver", folder=home, stdin=LETTER).returncode == 0
    assert letters_in(home) == 1
    for path in home.glob("gm.sqlite*"):
        path.unlink()
    unpacked(DATABASES[0], home)
    one_line(gm("deliver", folder=home, stdin=LETTER), "is of an older version: run `gm migrate`", code=75)
    assert gm("migrate", folder=home).returncode == 0
    assert gm("deliver", folder=home, stdin=LETTER).returncode == 0
