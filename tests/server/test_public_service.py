"""`gm serve` with [site] and [notify]: a game is created by letter, and the public hears of it."""

from __future__ import annotations

import smtplib
import time
from contextlib import closing
from pathlib import Path

from support.dialogue import AUTHSERV, load
from support.mail.dovecot import free_port
from support.paths import DIALOGUES
from support.stores.migrated_database import migrate
from support.web.webhook_doubles import receiver, running

from gm.config import Config, ListenConfig, NotifyConfig, RelayConfig, SiteConfig, load_section
from gm.game.model.public_events import PublicEvent
from gm.server.service import Service
from gm.server.wiring import Application, assemble

GUARD = 120
HEAD = f"""From: Ruth Amsel <ruth@example.org>\r
To: gm@gm.example\r
Subject: A new game\r
Message-ID: <1@mail.example>\r
Authentication-Results: {AUTHSERV}; dmarc=pass header.from=example.org\r
\r
"""


def events(app: Application) -> tuple[PublicEvent, ...]:
    with app.database.look() as store:
        return store.events.recent(9)


def test_the_server_tells_the_public_by_itself(tmp_path: Path) -> None:
    (letter,) = [block.lines for block in load(DIALOGUES / "started.part") if block.mark == ">>"]
    words = "\r\n".join(letter[letter.index("") :])
    where = tmp_path / "site"
    with running(receiver) as service:
        settings = Config(
            address="gm@gm.example",
            database=str(tmp_path / "gm.sqlite"),
            masters=("ruth@example.org",),
            authserv_id=AUTHSERV,
            tick_seconds=0.2,
            listen=ListenConfig(port=0, protocol="smtp", relays=("127.0.0.1",)),
            relay=RelayConfig(port=free_port()),  # nobody takes letters: the public hears all the same
            site=SiteConfig(folder=str(where), url="https://games.example"),
            notify=load_section(NotifyConfig, {"url": service.url, "secret": "a long random text"}),
        )
        app = assemble(settings)
        migrate(app)
        with closing(app.database), Service(app) as server:
            with smtplib.SMTP("127.0.0.1", server.port, timeout=30) as client:
                client.sendmail("ruth@example.org", ["gm@gm.example"], (HEAD + words + "\r\n").encode())
            assert service.came.acquire(timeout=GUARD)
            page = where / "games/ostend.html"
            assert page.exists(), "the event came after its page"
            end = time.monotonic() + GUARD
            while any(event.waiting for event in events(app)) and time.monotonic() < end:
                time.sleep(0.05)
            assert [event.last_error for event in events(app) if not event.waiting] == [""]
    document = service.taken[0].document()
    assert (document["event"], document["page"]) == ("started", "https://games.example/games/ostend.html")
    assert "og:image" in page.read_text(encoding="utf-8")
