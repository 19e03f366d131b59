"""`gm backup` and `gm restore` as processes: what they never overwrite, pipes, damaged databases, and no half work."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.processes.command_line import LETTER, gm, one_line
from support.processes.warm_process import GM, run
from support.stores.stored_databases import DATABASES, unpacked

from gm.store.schema_version import newest

OWN = ("gm.sqlite", "gm.sqlite-wal", "gm.sqlite-shm", "gm.sqlite-journal", "gm.sqlite.lock", "secret")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def letters(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM inbox").fetchone()
    return int(count)


@pytest.fixture
def saved(home: Path) -> Path:
    """With a letter in the database, and a backup of it."""
    assert gm("deliver", folder=home, stdin=LETTER).returncode == 0
    assert gm("backup", "b.gz", folder=home).returncode == 0
    return home


# ---- what a backup does not overwrite


@pytest.mark.parametrize("name", OWN)
def test_no_file_of_gm_becomes_a_backup(home: Path, name: str) -> None:
    """Whether it is there or not, and by a link to it too."""
    (home / "link").symlink_to(home / name)
    before = contents(home)
    for path in (name, "link"):
        one_line(gm("backup", path, folder=home), f"{path}: is a file that gm works with")
    assert contents(home) == before


@pytest.mark.parametrize("name", ["gm.toml", "thesis.txt", "photos.gz", "b.gz.part", "here"])
def test_no_other_file_is_overwritten(home: Path, name: str) -> None:
    (home / "thesis.txt").write_text("years of work")
    (home / "photos.gz").write_bytes(gzip.compress(b'{"photos": 7}\n'))
    (home / "b.gz.part").write_text("somebody's")
    (home / "here").symlink_to("thesis.txt")
    before = contents(home)
    one_line(gm("backup", name, folder=home), f"{name}: is there already, and is no backup of gm's")
    assert contents(home) == before
    assert gm("backup", "b.gz", folder=home).returncode == 0
    assert contents(home).keys() == before.keys() | {"b.gz"}, "b.gz.part is not a draft of ours"


def test_an_earlier_backup_or_an_empty_file_is_replaced(saved: Path) -> None:
    (saved / "empty.gz").touch()
    (saved / "latest.gz").symlink_to("b.gz")
    before = (saved / "b.gz").read_bytes()
    gm("deliver", folder=saved, stdin=LETTER.replace(b"a@b", b"c@d"))
    rows = gzip.decompress(before).splitlines()[-1]
    for name in ("empty.gz", "latest.gz"):
        assert gm("backup", name, folder=saved).returncode == 0
        assert gzip.decompress((saved / name).read_bytes()).splitlines()[-1] != rows
    assert (saved / "latest.gz").is_symlink(), "the link is followed"


@pytest.mark.parametrize(
    ("path", "fault"), [("/dev/full", "is a device"), ("/dev/null", "is a device"), (".", "folder")]
)
def test_devices_and_folders_stay_what_they_are(home: Path, path: str, fault: str) -> None:
    one_line(gm("backup", path, folder=home), fault)
    assert Path("/dev/full").is_char_device()


# ---- pipes


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_a_backup_goes_through_a_pipe_into_another_database(saved: Path, tmp_path: Path, name: str) -> None:
    other = saved / "other"
    other.mkdir()
    shutil.copy(saved / "gm.toml", other)
    text = (other / "gm.toml").read_text().replace(str(saved / "gm.sqlite"), str(other / "gm.sqlite"))
    (other / "gm.toml").write_text(text)
    pipe = (
        "import subprocess, sys; gm = [sys.executable, '-m', 'gm']\n"
        f"out = subprocess.Popen([*gm, '-c', {str(saved / 'gm.toml')!r}, 'backup', {name!r}], stdout=subprocess.PIPE)\n"
        f"sys.exit(subprocess.call([*gm, '-c', {str(other / 'gm.toml')!r}, 'restore', '-'], stdin=out.stdout))\n"
    )
    done = run(pipe, folder=saved)
    assert done.returncode == 0, done.stderr.decode()
    assert f"Written: {name}. It holds all secrets".encode() in done.stderr
    assert letters(other / "gm.sqlite") == 1
    assert (other / "secret").read_bytes() == (saved / "secret").read_bytes()
    assert not (saved / "-").exists()


def test_a_backup_goes_into_what_the_shell_opens(saved: Path) -> None:
    done = gm("backup", "-", folder=saved)
    (saved / "c.gz").write_bytes(done.stdout)
    assert gm("restore", "--force", "c.gz", folder=saved).returncode == 0


def test_a_pipe_that_nobody_reads_is_a_failure(home: Path) -> None:
    closed = "import os; reader, writer = os.pipe(); os.dup2(writer, 1); os.close(reader); os.close(writer)"
    one_line(run(f"{closed}; {GM}", "backup", "-", folder=home), "-: cannot be written (Broken pipe)")


def test_standard_output_that_is_closed_or_full(home: Path) -> None:
    closed = run(f"import sys; sys.stdout = None; {GM}", "backup", "-", folder=home)
    assert closed.stderr.startswith(b"gm: standard output is closed: name a file\n")
    full = "import os; os.dup2(os.open('/dev/full', os.O_WRONLY), 1)"
    one_line(run(f"{full}; {GM}", "backup", "-", folder=home), "-: cannot be written (No space left on device)")


# ---- restoring over what is of no use


def cut_open(path: Path) -> None:
    """Overwrites its middle pages."""
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (path.stat().st_size - 8192))


def overwrite(path: Path) -> None:
    path.write_bytes(b"Dear game master, " * 1000)


def of_newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


@pytest.mark.parametrize("spoil", [cut_open, overwrite, of_newer])
def test_a_database_of_no_use_is_moved_aside_by_force(saved: Path, spoil: Callable[[Path], None]) -> None:
    database = saved / "gm.sqlite"
    spoil(database)
    spoilt = database.read_bytes()
    one_line(gm("restore", "b.gz", folder=saved), "--force moves it aside and fills a new one")
    assert database.read_bytes() == spoilt
    for number in (1, 2):
        done = gm("restore", "--force", "b.gz", folder=saved)
        assert done.returncode == 0, done.stderr.decode()
        assert f"is kept: {database}.old-{number}".encode() in done.stdout
        assert Path(f"{database}.old-{number}").read_bytes() == spoilt
        assert letters(database) == 1
        database.write_bytes(spoilt)


def test_a_damaged_database_says_the_way_out(saved: Path) -> None:
    cut_open(saved / "gm.sqlite")
    one_line(gm("serve", folder=saved), "is damaged", "gm restore --force")


def test_a_log_of_a_lost_database_does_not_get_into_the_new_one(saved: Path) -> None:
    """SQLite would take its pages for those of the new file."""
    with closing(sqlite3.connect(saved / "gm.sqlite")) as connection:
        connection.execute("INSERT INTO mailbox (account, polled_until) VALUES ('imap', '2026-01-01')")
        connection.commit()
        log = (saved / "gm.sqlite-wal").read_bytes()
    for name in ("gm.sqlite", "gm.sqlite-wal", "gm.sqlite-shm"):
        (saved / name).unlink(missing_ok=True)
    (saved / "gm.sqlite-wal").write_bytes(log)
    assert gm("restore", "b.gz", folder=saved).returncode == 0
    assert (saved / "gm.sqlite.old-1-wal").read_bytes() == log
    assert letters(saved / "gm.sqlite") == 1


def test_another_secret_is_kept(saved: Path) -> None:
    (saved / "secret").write_text("another secret that is not ours\n")
    done = gm("restore", "--force", "b.gz", folder=saved)
    assert f"The secret that was there is kept: {saved}/secret.old-1".encode() in done.stdout
    assert "another" in (saved / "secret.old-1").read_text()
    assert gm("backup", "c.gz", folder=saved).returncode == 0
    assert not (saved / "secret.old-2").exists()


# ---- a restore that fails


def test_a_restore_that_fails_leaves_nothing(saved: Path, tmp_path: Path) -> None:
    whole = (saved / "b.gz").read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    newer = lines[0].replace(f'"{newest()}"'.encode(), b'"9999"')
    rows = int(lines[-1].partition(b":")[2].strip(b"}\n"))
    broken = {
        "cut gzip": whole[:-30],
        "flipped": whole[:200] + bytes(255 - byte for byte in whole[200:300]) + whole[300:],
        "no gzip": b"hello",
        "no head": gzip.compress(b"[1]\n"),
        "cut": gzip.compress(b"".join(lines[:-1])),
        "newer": gzip.compress(newer + b"".join(lines[1:])),
        "no JSON": gzip.compress(b"".join(lines[:-1]) + b"[}\n" + b'{"rows":%d}\n' % (rows + 1)),
        "other table": gzip.compress(b"".join(lines[:-1]) + b'{"table":"mine","columns":[]}\n' + lines[-1]),
    }
    folder = saved / "empty"
    folder.mkdir()
    (folder / "gm.toml").write_text('address = "gm@example.org"\nmasters = ["ruth@example.org"]\n')
    before = contents(saved)
    for name, content in broken.items():
        (tmp_path / "broken.gz").write_bytes(content)
        one_line(gm("restore", "../broken.gz", folder=folder), "broken.gz: ")
        made = {"gm.sqlite.lock"} if name in {"no JSON", "other table"} else set()
        assert {path.name for path in folder.iterdir()} == {"gm.toml"} | made, name
        one_line(gm("restore", "--force", "broken.gz", folder=saved), "broken.gz: ")
        (folder / "gm.sqlite.lock").unlink(missing_ok=True)
        changing = {"gm.sqlite.lock": b"", "broken.gz": b""}
        assert contents(saved) | changing == before | changing, name


def test_a_refused_restore_leaves_an_older_database_as_it_is(saved: Path) -> None:
    """It is not migrated on the way."""
    for path in saved.glob("gm.sqlite*"):
        path.unlink()
    database = unpacked(DATABASES[0], saved)
    tables = "SELECT name, sql, (SELECT version_num FROM alembic_version) FROM sqlite_master ORDER BY name"
    with closing(sqlite3.connect(database)) as connection:
        before = connection.execute(tables).fetchall()
        one_line(gm("restore", "b.gz", folder=saved), "is not empty; --force")
        assert connection.execute(tables).fetchall() == before
    assert gm("restore", "--force", "b.gz", folder=saved).returncode == 0
    assert letters(saved / "gm.sqlite") == 1
