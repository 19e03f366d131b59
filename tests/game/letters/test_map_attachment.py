"""A letter and its map: joined or left out, the same bytes again, and nothing but public facts asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from msgspec.structs import replace
from support.standard_game import NAMES, Letterbox

from gm.errors import Deferred, TooLarge
from gm.game.clock import clock
from gm.game.letters import results
from gm.game.model.letter_report import Note
from gm.game.model.records import EVERYBODY, MASTER, OutboxRow, OutboxState
from gm.game.views.maps import MapForm, documents_for_picture
from gm.mail.outgoing.compose import compose_letter

SUNDAY = datetime(2026, 3, 15, 19, tzinfo=UTC)
MAP = b"\x89PNG\r\n\x1a\n a map"
MINUTES = timedelta(minutes=5)


class Relay:
    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.busy = False

    def send(self, row: OutboxRow) -> None:
        self.sent.append(compose_letter(row))
        if self.busy:
            raise Deferred("451 later")


class Strict(Relay):
    """Takes no pictures."""

    refuses_all = False

    def send(self, row: OutboxRow) -> None:
        super().send(row)
        if row.pictured or self.refuses_all:
            raise TooLarge("552 5.3.4 too big")


@pytest.fixture
def box() -> Letterbox:
    """Fall 1901 has been resolved, and France's letter waits for its map."""
    box = Letterbox()
    snapshot = box.fall_resolved(SUNDAY)
    box.store.outbox.add(
        results.render_results(box.services, box.store, box.game, box.seats["France"], snapshot), box.store.now()
    )
    return box


def draw(box: Letterbox, content: bytes = MAP) -> None:
    while (picture := box.store.pictures.next(box.store.now())) is not None:
        box.store.pictures.finish(picture.id, box.store.now(), content, "" if content else "no such board")


def send(box: Letterbox, relay: Relay) -> bool:
    return clock.send(box.store.transaction, relay)


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def html(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def text(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def test_the_map_stands_in_the_html_and_beside_it(box: Letterbox) -> None:
    relay = Relay()
    assert not send(box, relay)
    draw(box)
    assert send(box, relay)
    message = parsed(relay.sent[0])
    picture, crop = (part for part in message.walk() if part.get_content_type() == "image/png")
    assert picture.get_content() == crop.get_content() == MAP
    assert (picture.get_filename(), picture.get_content_disposition()) == ("ostend-F1901M.png", "inline")
    cid = str(picture["Content-ID"]).strip("<>")
    assert f'<img class="map ink" src="cid:{cid}" width="700" alt="Map of' in html(message)
    assert "The map is attached: ostend-F1901M.png\n" in text(message).replace("\r\n", "\n")
    assert "has no map" not in text(message) + html(message)
    assert "map-with" not in text(message) + html(message)
    (related,) = (part for part in message.walk() if part.get_content_type() == "multipart/related")
    assert [part.get_content_type() for part in related.iter_parts()] == ["text/html", "image/png", "image/png"]


def test_small_screens_show_a_crop_that_is_drawn_after_the_map(box: Letterbox) -> None:
    relay, now = Relay(), box.store.now()
    whole = box.store.pictures.next(now)
    assert whole is not None
    assert whole.audience == EVERYBODY
    box.store.pictures.finish(whole.id, now, MAP)
    assert not send(box, relay)
    crop = box.store.pictures.next(now)
    assert crop is not None
    assert (crop.audience, crop.snapshot, crop.form) == ("France", whole.snapshot, whole.form)
    box.store.pictures.finish(crop.id, now, b"crop")
    assert send(box, relay)
    message = parsed(relay.sent[-1])
    shown = {part["Content-ID"].strip("<>"): part for part in message.walk() if part.get_content_type() == "image/png"}
    assert [part.get_content() for part in shown.values()] == [MAP, b"crop"]
    places = [html(message).index(f"cid:{cid}") for cid in shown]
    assert places[1] < places[0]
    assert '<tr class="crop" style="display:none' in html(message)


def test_a_map_whose_crop_is_late_leaves_without_it_for_good(box: Letterbox) -> None:
    relay, now = Relay(), box.store.now()
    relay.busy = True
    whole = box.store.pictures.next(now)
    assert whole is not None
    box.store.pictures.finish(whole.id, now, MAP)
    box.store.clock += MINUTES
    assert send(box, relay)
    draw(box, b"drawn at last")
    box.store.clock += timedelta(minutes=1)
    relay.busy = False
    assert send(box, relay)
    first, second = relay.sent
    assert _dateless(first) == _dateless(second)
    assert "crop" not in html(parsed(first)).split("</style>")[1]


@pytest.mark.parametrize("drawn", [False, True])
def test_without_its_map_it_leaves_in_time_and_says_so(box: Letterbox, drawn: bool) -> None:
    """Late, or never to be drawn: then at once."""
    relay = Relay()
    if drawn:
        draw(box, b"")
    else:
        box.store.clock += MINUTES - timedelta(seconds=1)
        assert not send(box, relay)
        box.store.clock += timedelta(seconds=1)
    assert send(box, relay)
    message = parsed(relay.sent[0])
    assert not [part for part in message.walk() if part.get_content_maintype() == "image"]
    for words in (text(message), html(message)):
        assert "This letter has no map" in words
        assert "map-with" not in words
        assert "cid:" not in words
    (row,) = box.store.outbox.all()
    assert (row.state, row.pictured) == (OutboxState.SENT, False)


def test_a_mail_server_to_which_it_is_too_large_gets_it_without_its_map(box: Letterbox) -> None:
    relay = Strict()
    draw(box)
    assert send(box, relay)
    assert send(box, relay)
    with_map, without = relay.sent
    assert MAP in b"".join(_contents(with_map))
    assert MAP not in b"".join(_contents(without))
    assert "This letter has no map" in text(parsed(without))
    assert parsed(without)["Message-ID"] == parsed(with_map)["Message-ID"]
    (row,) = box.store.outbox.all()
    assert (row.state, row.pictured) == (OutboxState.SENT, False)


def test_one_that_is_too_large_without_it_is_refused(box: Letterbox) -> None:
    relay = Strict()
    relay.refuses_all = True
    box.store.clock += MINUTES
    assert send(box, relay)
    (row,) = box.store.outbox.all()
    assert row.state is OutboxState.FAILED


@pytest.mark.parametrize("drawn", [False, True])
def test_a_second_attempt_sends_the_same_bytes(box: Letterbox, drawn: bool) -> None:
    relay = Relay()
    relay.busy = True
    if drawn:
        draw(box)
    box.store.clock += MINUTES
    assert send(box, relay)
    draw(box, b"drawn at last")
    box.store.clock += timedelta(minutes=1)
    relay.busy = False
    assert send(box, relay)
    first, second = relay.sent
    assert _dateless(first) == _dateless(second)
    assert (MAP[:4] in b"".join(_contents(first))) is drawn


def _dateless(raw: bytes) -> bytes:
    return b"\r\n".join(line for line in raw.split(b"\r\n") if not line.startswith(b"Date:"))


def _contents(raw: bytes) -> list[bytes]:
    return [content for part in parsed(raw).walk() if isinstance(content := part.get_payload(decode=True), bytes)]


def test_seats_share_one_public_picture_and_its_crops_show_no_more(box: Letterbox) -> None:
    snapshot = box.store.turns.snapshot(box.last)
    letters = [results.render_results(box.services, box.store, box.game, box.seats[power], snapshot) for power in NAMES]
    assert len({letter.message_id for letter in letters}) == len(NAMES)
    whole = box.store.pictures.next(box.store.now())
    assert whole is not None
    assert (whole.audience, whole.form) == (EVERYBODY, "turn.png")
    shown = documents_for_picture(box.services.variant, box.store, whole)
    assert shown.after == snapshot.position
    assert shown.position == box.store.turns.snapshot(snapshot.previous).position
    for letter, power in zip(letters, NAMES, strict=True):
        crop = box.store.pictures.get(letter.picture)
        assert crop is not None
        assert documents_for_picture(box.services.variant, box.store, crop) == replace(
            shown, power="" if power == MASTER else power
        )


def test_where_maps_are_off_no_letter_waits(box: Letterbox) -> None:
    box.services = replace(box.services, map_wait=timedelta(0))
    letter = results.render_welcome(box.services, box.store, box.game, box.seats["Italy"])
    assert (letter.picture, letter.picture_until) == (0, None)
    assert "map" not in letter.text.lower()
    assert "cid:" not in letter.html


@pytest.mark.parametrize(
    "form", [MapForm(), MapForm(turn=False), MapForm(file="svg", clear=True), MapForm(clear=True, language="de")]
)
def test_a_forms_name_says_all_of_it(form: MapForm) -> None:
    assert MapForm.read(str(form)) == form


def test_the_deadline_comes_for_the_calendar_to_who_owes_something(box: Letterbox) -> None:
    relay = Relay()
    draw(box)
    assert send(box, relay)
    (entry,) = (part for part in parsed(relay.sent[0]).walk() if part.get_content_type() == "text/calendar")
    assert entry.get_filename() == "deadline.ics"
    assert entry.get_param("method") == "PUBLISH"
    content = entry.get_payload(decode=True)
    assert isinstance(content, bytes)
    lines = content.decode().replace("\r\n ", "").split("\r\n")
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    assert "DTSTART:20260315T190000Z" in lines
    assert "SUMMARY:ostend: retreats for Fall 1901 are due (France)" in lines
    assert [line for line in lines if line.startswith("TRIGGER:-PT")]
    assert box.services.post.token(box.seats["France"]) not in content.decode()
    snapshot = box.store.turns.snapshot(box.last)
    for idle in ("Italy", MASTER):
        assert not results.render_results(box.services, box.store, box.game, box.seats[idle], snapshot).parts


def test_a_deadline_that_moves_keeps_its_place_in_the_calendar(box: Letterbox) -> None:
    box.game = replace(box.game, opened_at=box.store.now())
    seat = box.seats["France"]
    first = results.render_welcome(box.services, box.store, box.game, seat).parts[0].content
    box.store.clock += timedelta(hours=2)
    moved = replace(box.game, due_at=SUNDAY + timedelta(days=1))
    second = results.render_welcome(box.services, box.store, moved, seat).parts[0].content
    uid = next(line for line in first.split(b"\r\n") if line.startswith(b"UID:"))
    assert uid in second
    assert b"SEQUENCE:0" in first
    assert b"SEQUENCE:7200" in second
    assert b"DTSTART:20260316T190000Z" in second


def test_the_letter_that_moves_a_deadline_moves_it_in_the_calendar(box: Letterbox) -> None:
    """For those who owe something; the others have no entry to be moved."""
    box.game = replace(box.game, opened_at=box.store.now())
    snapshot = box.store.turns.snapshot(box.last)
    seat = box.seats["France"]
    first = results.render_results(box.services, box.store, box.game, seat, snapshot).parts[0].content.split(b"\r\n")
    box.store.clock += timedelta(seconds=40)
    later = replace(box.game, due_at=SUNDAY + timedelta(days=2))
    note = Note("desk.deadline-set", (("when", "later"),), headline=True)
    letters = {
        power: results.render_notice(box.services, box.store, later, box.seats[power], note, "x") for power in NAMES
    }
    assert [power for power, letter in letters.items() if letter.parts] == ["France"]
    (part,) = letters["France"].parts
    second = part.content.split(b"\r\n")
    assert (part.name, b"DTSTART:20260317T190000Z" in second) == ("deadline.ics", True)
    assert {line for line in first if line.startswith(b"UID:")} <= set(second)
    sequence = [int(line[9:]) for lines in (first, second) for line in lines if line.startswith(b"SEQUENCE:")]
    assert sequence == [0, 40]
    other = results.render_notice(box.services, box.store, later, seat, Note("desk.announcement"), "y", text="Hello")
    assert other.parts == ()
