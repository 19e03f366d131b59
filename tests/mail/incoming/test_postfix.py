"""Behind a real Postfix with the lines of deploy/postfix: nothing lost, nothing bounced, unknown addresses refused."""

from __future__ import annotations

import smtplib
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.mail.mail_samples import REPLY, opened, simple, until
from support.mail.postfix import Postfix
from support.mail.smtp_sink import Sink
from support.stores.migrated_database import migrate

from gm.config import Config, ListenConfig
from gm.game.intake import inbox as intake
from gm.game.model.records import InboxRow, InboxState
from gm.mail.incoming.pipe import deliver
from gm.mail.incoming.received import Received
from gm.mail.incoming.smtp_server import SmtpServer
from gm.server.wiring import Application, assemble

DOMAIN = "games.example.org"
MASTER = "ruth@amsel.example"


@dataclass
class Site:
    """gm behind Postfix, on one machine; `outside` gets what Postfix would send to anybody else."""

    app: Application
    postfix: Postfix
    outside: Sink
    file: Path

    def __post_init__(self) -> None:
        migrate(self.app)
        self.say("create", f"gm@{DOMAIN}", body="CREATE ostend\nSEAT France: Luc <luc@players.test>\nSTART")
        while intake.read_some(self.app.services, self.app.database.transaction):
            pass

    def client(self) -> smtplib.SMTP:
        return smtplib.SMTP("127.0.0.1", self.postfix.port, timeout=60)

    def say(self, subject: str, *to: str, body: str = "SHOW", size: int = 0) -> None:
        """Taken by Postfix, and by gm."""
        results = "mx.games.example.org; dmarc=pass header.from=amsel.example"
        raw = simple(body, subject, From=MASTER, Message_ID=f"<{subject}@x>", Authentication_Results=results)
        with self.client() as smtp:
            assert smtp.sendmail(MASTER, list(to), raw + (b"x" * 70 + b"\r\n") * (size // 72)) == {}
        until(lambda: self.kept(subject))

    def kept(self, subject: str) -> list[InboxRow]:
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as beside:
            rows = beside.execute("SELECT id FROM inbox WHERE instr(raw, ?)", (f"Subject: {subject}".encode(),))
            ids = [row[0] for row in rows]
        with self.app.database.transaction() as store:
            return [store.inbox.get(number) for number in ids]

    def seat_address(self) -> str:
        with self.app.database.transaction() as store:
            game = store.games.by_name("ostend")
            assert game
            france = next(seat for seat in store.games.seats(game.id) if seat.power == "France")
            return self.app.services.post.reply_address("ostend", france)

    def at_rest(self) -> None:
        """Postfix holds nothing, and has sent nothing to anybody but us."""
        until(lambda: self.postfix.queued == 0)
        assert "status=bounced" not in self.postfix.log
        assert self.outside.taken == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    file = tmp_path_factory.mktemp("gm") / "gm.sqlite"
    options = Config(
        address=f"gm@{DOMAIN}",
        addresses="domain",
        database=str(file),
        authserv_id="mx.games.example.org",
        masters=(MASTER,),
        max_letter_bytes=100_000,
        map_wait_seconds=0,
    )
    with ExitStack() as stack:
        app = assemble(options)
        stack.callback(app.database.close)
        server = SmtpServer(ListenConfig(port=0, protocol="lmtp"), app.accept, app.is_known, options.max_letter_bytes)
        server.start()
        stack.callback(server.stop)
        outside = stack.enter_context(Sink())
        postfix = stack.enter_context(Postfix(server.port, outside.port))
        yield Site(app, postfix, outside, file)


def test_unknown_addresses_are_refused_while_their_sender_has_the_letter(site: Site) -> None:
    def offered(address: str) -> int:
        with site.client() as smtp:
            smtp.ehlo_or_helo_if_needed()
            smtp.mail("luc@players.test")
            code = smtp.rcpt(address)[0]
            smtp.rset()
        return code

    known = (f"gm@{DOMAIN}", f"ostend@{DOMAIN}", site.seat_address(), f"gm+bounce.abc@{DOMAIN}")
    unknown = (f"ostned@{DOMAIN}", f"nobody+france.{'a' * 26}@{DOMAIN}", "ann@elsewhere.example")
    with ThreadPoolExecutor(len(known) + len(unknown)) as clients:  # Postfix takes a second or two to ask gm about each
        answers = list(clients.map(offered, (*known, *unknown)))
    assert answers[: len(known)] == [250] * 4
    assert {*answers[len(known) :]} <= {550, 554}
    site.at_rest()


def test_a_letter_to_two_addresses_has_a_reply_for_each_and_is_kept_once(site: Site) -> None:
    site.say("two", f"gm@{DOMAIN}", site.seat_address())
    site.at_rest()
    (row,) = site.kept("two")
    assert set(row.envelope_to) == {f"gm@{DOMAIN}", site.seat_address()}
    assert row.envelope_from == MASTER
    assert site.postfix.log.count("(250 2.0.0 Kept)") >= 2


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """The database is another's."""
    with closing(sqlite3.connect(file, isolation_level=None)) as beside:
        beside.execute("BEGIN IMMEDIATE")
        yield
        beside.execute("ROLLBACK")


def test_while_the_database_is_away_postfix_keeps_the_letter(site: Site) -> None:
    site.say("before", f"gm@{DOMAIN}")  # from now on Postfix knows the address
    with locked(site.file):
        with site.client() as smtp:
            raw = simple(subject="patience", Message_ID="<patience@x>")
            smtp.sendmail("luc@players.test", [f"gm@{DOMAIN}"], raw)
        until(lambda: "451 4.3.0" in site.postfix.log)
        assert site.postfix.queued == 1
    until(lambda: site.kept("patience"))
    site.at_rest()
    assert len(site.kept("patience")) == 1


def test_while_gm_is_away_postfix_refuses_for_now(site: Site) -> None:
    """An address Postfix has not asked for yet: the sender's server keeps the letter."""
    with locked(site.file), site.client() as smtp:
        smtp.ehlo_or_helo_if_needed()
        smtp.mail("luc@players.test")
        assert smtp.rcpt(f"ostend+never-asked@{DOMAIN}")[0] == 450
        smtp.rset()


def test_an_unreadable_letter_causes_no_bounce(site: Site) -> None:
    """Too large for gm, not for Postfix: kept without its body, and answered by gm itself."""
    site.say("large", f"gm@{DOMAIN}", size=1_000_000)
    site.at_rest()
    (row,) = site.kept("large")
    assert site.app.services.open_letter(row).refused == "too large"
    assert row.state is InboxState.NEW


STAND_IN = """#!/bin/sh
# The first letter is put off, as when the database is away; others are written down.
if mkdir {made}/first 2>/dev/null; then exit 75; fi
echo "$@" > {made}/words
cat > {made}/raw.new && mv {made}/raw.new {made}/raw
"""


@pytest.mark.parametrize(("sender", "why"), [("ann@players.test", ""), ("", "bounce")])
def test_the_pipe_gets_the_envelope_and_75_keeps_the_letter(sender: str, why: str) -> None:
    """What `gm deliver` is given: a stand-in for the program writes it down."""
    with Sink() as outside, Postfix(9, outside.port, piped="gm@example.org") as postfix:
        made = postfix.base / "made"
        made.mkdir()
        made.chmod(0o777)
        postfix.program.write_text(STAND_IN.format(made=made))
        postfix.program.chmod(0o755)
        with smtplib.SMTP("127.0.0.1", postfix.port, timeout=60) as smtp:
            smtp.sendmail(sender, [REPLY], simple())
        until((made / "raw").exists)
        until(lambda: postfix.queued == 0)
        words, raw = (made / "words").read_text().split(), (made / "raw").read_bytes()
    assert words[-2:] == ["deliver", REPLY]
    letters: list[Received] = []
    assert deliver(raw, {}, words[-1:], letters.append) == 0
    letter = opened(letters[0].raw, letters[0].envelope_from, letters[0].envelope_to)
    assert (letter.sender, letter.delivered_to[0], letter.why) == ("ann@players.test", REPLY, why)
    assert outside.taken == []
