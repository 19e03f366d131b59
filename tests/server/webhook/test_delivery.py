"""The webhook: every service takes what it gets, nothing is lost, overtaken, sent elsewhere or waited for."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import socket
import textwrap
import threading
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs
from support.paths import ROOT
from support.stores.migrated_database import migrate
from support.stores.store_under_test import NOON, a_game
from support.web import webhook_doubles as doubles
from support.web.webhook_doubles import DISCORD, ROOM, TOKEN, Answer, Service, running

from gm.config import NotifyConfig, load_section
from gm.errors import ConfigError
from gm.game.model.public_events import PublicEvent, PublicEventKind
from gm.game.views.public.facts import UNLISTED
from gm.server.operators.public_checks import check_queue, check_webhook
from gm.server.webhook.delivery import RETRY, WebhookDelivery
from gm.store.database import Database

SECRET = "a long random text"
SITE = "https://games.example"
FORMS: dict[str, tuple[Any, str, dict[str, object]]] = {
    "json": (doubles.receiver, "/hooks/gm", {"secret": SECRET}),
    "ntfy": (doubles.ntfy, "/our-games", {"token": TOKEN}),
    "discord": (doubles.discord, DISCORD, {}),
    "matrix": (doubles.matrix, "", {"room": ROOM, "token": TOKEN}),
}


@dataclass
class Bench:
    """A database with a game and events, a service, and the webhook between them."""

    database: Database
    service: Service
    settings: NotifyConfig
    now: Any

    def event(self, title: str = "ostend: Spring 1901", **more: Any) -> PublicEvent:
        with self.database.transaction() as store:
            kind, phase = PublicEventKind.TURN, "S1901M"
            event = PublicEvent(0, 1, kind, phase, NOON, None, title, "France 4, *Turkey* 3 @everyone", waiting=True)
            return store.events.add(replace(event, **more))

    def deliver(self) -> int:
        delivery = WebhookDelivery(self.database.transaction, self.settings, "gm.example", SITE)
        return sum(1 for _ in iter(delivery.deliver_next, False))

    def events(self) -> tuple[PublicEvent, ...]:
        with self.database.transaction() as store:
            return store.events.recent(100)[::-1]

    def forward(self, by: timedelta) -> None:
        self.now.at += by


class Hands:
    at = NOON

    def __call__(self) -> Any:
        return self.at


@contextmanager
def bench(tmp_path: Path, form: str, **more: object) -> Iterator[Bench]:
    judge, path, needed = FORMS[form]
    now = Hands()
    with running(judge) as service, closing(Database(tmp_path / "gm.sqlite", clock=now)) as database:
        migrate(database)
        with database.transaction() as store:
            store.games.add(a_game())
        settings = load_section(NotifyConfig, {"url": service.url + path, "form": form, **needed, **more})
        yield Bench(database, service, settings, now)


@pytest.mark.parametrize("form", FORMS)
def test_each_service_takes_every_kind_of_event(tmp_path: Path, form: str) -> None:
    with bench(tmp_path, form) as here:
        for kind in PublicEventKind:
            here.event(kind=kind, title=f"{kind} “é” 𝄞")
        here.event(title="long", text="x" * 5000)
        assert here.deliver() == len(PublicEventKind) + 1
        assert [(event.waiting, event.last_error) for event in here.events()] == [(False, "")] * len(here.events())
        assert len(here.service.taken) == len(here.service.asked) == len(here.events())
        assert here.deliver() == 0
        assert check_webhook(here.settings).good
        assert len(here.service.taken) == len(here.events()), "the doctor delivers nothing"


def test_our_json_is_documented_and_signed(tmp_path: Path) -> None:
    with bench(tmp_path, "json") as here:
        here.event(due_at=NOON + timedelta(days=2))
        here.deliver()
        (asked,) = here.service.taken
    document = asked.document()
    number = document.pop("id")
    assert document == {
        "format": "gm-event",
        "version": 1,
        "event": "turn",
        "at": "2026-03-13T12:00:00Z",
        "game": "ostend",
        "variant": "some",
        "phase": "S1901M",
        "deadline": "2026-03-15T12:00:00Z",
        "title": "ostend: Spring 1901",
        "text": "France 4, *Turkey* 3 @everyone",
        "page": f"{SITE}/index.html#ostend",
        "json": f"{SITE}/games/ostend.json",
    }
    assert asked.headers["webhook-id"] == number
    signed = f"{number}.{asked.headers['webhook-timestamp']}.".encode() + asked.body
    digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()
    assert asked.headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


def test_a_secret_of_standard_webhooks_is_base64(tmp_path: Path) -> None:
    key = b"thirty-two bytes of a random key"
    with bench(tmp_path, "json", secret=f"whsec_{base64.b64encode(key).decode()}") as here:
        here.event()
        here.deliver()
        (asked,) = here.service.taken
    signed = f"{asked.headers['webhook-id']}.{asked.headers['webhook-timestamp']}.".encode() + asked.body
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert asked.headers["webhook-signature"] == f"v1,{wanted}"


def test_discord_mentions_nobody_and_shows_names_as_they_are(tmp_path: Path) -> None:
    with bench(tmp_path, "discord") as here:
        here.event(title="a_game")
        here.deliver()
        document = here.service.taken[0].document()
    assert document["allowed_mentions"] == {"parse": []}
    assert document["content"].startswith("**a\\_game**\nFrance 4, \\*Turkey\\* 3")
    assert document["content"].endswith(f"\n{SITE}/index.html#ostend")


RECIPES = [
    tomllib.loads(textwrap.dedent(block))["notify"]
    for block in re.findall(r"(?:^    .*\n)+", (ROOT / "deploy/README.md").read_text(encoding="utf-8"), re.MULTILINE)
    if "[notify]" in block
]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe["form"])
def test_the_recipes_for_operators_work(tmp_path: Path, recipe: dict[str, str]) -> None:
    """As they stand in deploy/README.md, but for the service's place and its keys."""
    path, keys = FORMS[recipe["form"]][1:]
    with bench(tmp_path, recipe["form"]) as here:
        mine = {key: value for key, value in recipe.items() if key not in ("url", *keys)}
        given = {key: keys[key] for key in recipe if key in keys}
        here.settings = load_section(NotifyConfig, {"url": here.service.url + path, **mine, **given})
        here.event()
        assert here.deliver() == len(here.service.taken) == 1
    assert load_section(NotifyConfig, recipe).form == recipe["form"]


def test_there_is_a_recipe_for_each_service() -> None:
    assert {recipe["form"] for recipe in RECIPES} == set(FORMS)


FAULTS: dict[str, Answer] = {
    "down": (503, {}, b""),
    "wrong token": (401, {}, b""),
    "elsewhere": (302, {"Location": "http://127.0.0.1:1/secret"}, b""),
    "for good elsewhere": (308, {"Location": "/our-games"}, b""),
    "too fast": (429, {"Retry-After": "90"}, b""),
    "a wrong Retry-After": (429, {"Retry-After": "soon"}, b""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_holds_the_queue_and_loses_nothing(tmp_path: Path, fault: str) -> None:
    with bench(tmp_path, "ntfy") as here:
        here.event("first")
        here.event("second")
        here.service.answers += [FAULTS[fault]] * 2
        with capture_logs() as logs:
            assert here.deliver() == 1, "the second does not overtake the first"
            assert here.deliver() == 0
            (waits,) = check_queue(here.events()[::-1])
            assert waits.text.startswith("2 events wait, the oldest since 2026-03-13 12:00 UTC: 127.0.0.1 ")
            here.forward(timedelta(minutes=2))
            assert here.deliver() == 1
            here.forward(timedelta(minutes=3))
            assert here.deliver() == 2
        assert [asked.document()["title"] for asked in here.service.taken] == ["first", "second"]
        assert list(check_queue(here.events()[::-1])) == []
        assert len(logs) == 1, "a lasting fault is logged once"
        assert "our-games" not in repr(logs), "the topic is a secret"


def test_what_the_service_will_never_take_is_dropped(tmp_path: Path) -> None:
    with bench(tmp_path, "json") as here:
        here.event("first")
        here.event("second")
        here.service.answers.append((422, {}, b""))
        assert here.deliver() == 2
        assert [event.last_error for event in here.events()] == ["127.0.0.1 answers 422", ""]


def test_a_killed_server_sends_the_event_again_with_its_id(tmp_path: Path) -> None:
    with bench(tmp_path, "matrix") as here:
        event = here.event()
        here.deliver()
        with here.database.write_connection() as connection:  # as if it had not heard the answer
            connection.exec_driver_sql("UPDATE public_event SET waiting = 1")
        with here.database.transaction() as store:
            store.events.postpone(event.id, NOON + RETRY.lease)
        assert here.deliver() == 0
        here.forward(RETRY.lease)
        assert here.deliver() == 1
        first, second = here.service.taken
        assert (first.path, first.body) == (second.path, second.body), "Matrix drops the second"


def test_old_events_and_unlisted_games_are_not_sent(tmp_path: Path) -> None:
    with bench(tmp_path, "json") as here:
        here.event("old", at=NOON - RETRY.give_up - timedelta(seconds=1))
        assert here.deliver() == 1
        here.event("hidden")
        with here.database.transaction() as store:
            store.events.announce(1, UNLISTED)
        assert here.deliver() == 1
        assert here.service.asked == []
        assert not any(event.waiting for event in here.events())


def test_an_event_waits_for_its_page_but_not_for_long(tmp_path: Path) -> None:
    with bench(tmp_path, "json") as here:
        with here.database.transaction() as store:
            store.events.announce(1, "{}")
        here.event(not_before=NOON + timedelta(minutes=5))
        assert here.deliver() == 0
        with here.database.transaction() as store:
            assert store.events.stale()
            store.events.mark_published(1, 1)
            assert not store.events.stale()
        assert here.deliver() == 1
        here.event(not_before=NOON + timedelta(minutes=5))
        here.forward(timedelta(minutes=5))
        assert here.deliver() == 1


def test_a_service_that_drips_or_is_silent_is_left(tmp_path: Path) -> None:
    ended = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with closing(connection):
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                while not ended.wait(0.05):
                    connection.sendall(b"X-A: b\r\n")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        with bench(tmp_path, "json", url=f"http://127.0.0.1:{server.getsockname()[1]}/", timeout=0.2) as here:
            here.event()
            assert here.deliver() == 1
            (event,) = here.events()
            assert event.waiting
            assert "did not finish" in event.last_error or "cannot be asked" in event.last_error
        ended.set()
        thread.join(10)


WRONG = [
    ({"url": "ftp://example.org/", "secret": SECRET}, "should be an address"),
    ({"url": "file:///etc/passwd", "secret": SECRET}, "should be an address"),
    ({"url": "https://user:pw@example.org/", "secret": SECRET}, "no user name"),
    ({"url": "https://example.org/"}, "needs `secret`"),
    ({"url": "https://example.org/", "secret": "short"}, "too short"),
    ({"url": "https://ntfy.sh", "form": "ntfy"}, "needs the topic"),
    ({"url": "https://matrix.example.org", "form": "matrix", "token": "x"}, "needs `token` and `room`"),
    ({"url": "https://example.org/x", "form": "ntfy", "room": "!a:b"}, "belongs to form"),
    ({"url": "https://example.org/x", "form": "slack"}, "ntfy"),
]


@pytest.mark.parametrize(("values", "words"), WRONG)
def test_settings_that_cannot_work_are_refused(values: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        load_section(NotifyConfig, values)
    assert "pw@" not in str(caught.value.args)


def test_the_doctor_says_what_is_wrong(tmp_path: Path) -> None:
    with bench(tmp_path, "matrix", token="wrong") as here:
        assert check_webhook(here.settings).text == "127.0.0.1 answers 401: the token is wrong, or may not write there"
        url = f"{here.service.url}/api/webhooks/1/revoked"
        finding = check_webhook(load_section(NotifyConfig, {"url": url, "form": "discord"}))
        assert (finding.good, "revoked" in finding.text) == (False, False)
    assert not check_webhook(here.settings).good, "nobody answers any more"
