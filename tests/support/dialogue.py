"""Plain-text dialogues: letters in, the clock, letters out. Read by `tests/game/test_dialogues.py` and whoever has
another way of posting and collecting letters (a real SMTP socket).

    # a remark, anywhere outside of a letter
    First: started.part                   another file that is played before this one
    Maps: drawn                           letters take maps along (stand-ins); "late": none is ever drawn in time

    == 2026-03-02 10:00                   the clock goes there (UTC, never back), ticking on its way
    == 2026-03-02 10:00 after an outage   the same, but the server was down meanwhile
    == 2026-03-02 10:00 put back          the clock is put there, forward or back, while the server runs

    >> Luc Marchand <luc@example.org>     a letter in; fields, an empty line, the words
    To: ostend France                     a seat's secret address ("ostend GM" the game master's); or any address;
                                          "bounce x@y": where the newest letter to x@y comes back to
    Reply: Spring 1901                    answers their newest letter whose subject is, or else holds, this
    Subject: orders
    Auth: pass                            what our mail server says of From: pass, fail; nothing by default
    Header: Auto-Submitted: auto-replied  any header more
    Envelope: <>                          the envelope's sender
    Copies: 2                             comes so often, the same bytes
    Received: 2026-03-15 19:59            received then, though only read now
    Hold: yes                             comes in, but is not read yet

    A Par - Bur

    << luc@example.org                    one of the letters they got that no block has matched yet
    Subject: [ostend S1901M] Germany      each line must appear (blanks, line ends and case aside)
    A Par - Bur
    - A Mar                               must not appear
    << luc@example.org, tom@example.org   each of them gets one like it
    << all ostend                         so does everybody seated
    Attached: ostend-S1901M.png           a file comes with it
    << nothing                            no letter is left, for anybody
    << nothing luc@example.org
    << the public                         one of the public events that no block has matched yet: kind, title, text
    << nothing the public
    ~~                                    throws all collected letters away

`$France` stands for a seat's token (of the game named last), `$code` for the code of the question asked last,
`$confirm` for that of the last CONFIRM that an answer asked for, `$yes` for that of the last button that says YES.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parseaddr
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace
from support.raw_keys import raw_keys
from support.stores.saved_stage import AnyStore, play_once

from gm.game.clock import clock
from gm.game.intake import arrivals
from gm.game.model.ports import Store, Transaction
from gm.game.model.records import InboxRow, InboxState, OutboxRow, OutLetter
from gm.game.model.services import Services
from gm.mail.incoming.received import Received, content_key

AUTHSERV = "mx.gm.example"
FIELD = re.compile(r"([A-Z][A-Za-z-]*): ?(.*)")
MOMENT = "%Y-%m-%d %H:%M"
PUBLIC = "the public"


@dataclass(slots=True)
class Block:
    """`mark` is "==", ">>", "<<" or "~~"; `head` the rest of that line."""

    number: int
    mark: str
    head: str
    lines: list[str] = field(default_factory=list)


def read(text: str) -> tuple[dict[str, str], list[Block]]:
    """The server's settings, and what happens."""
    settings: dict[str, str] = {}
    blocks: list[Block] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line[:2] in ("==", ">>", "<<", "~~"):
            blocks.append(Block(number, line[:2], line[2:].strip()))
        elif blocks and blocks[-1].mark == ">>":
            blocks[-1].lines.append(line)
        elif line.startswith("#") or not line.strip():
            continue
        elif blocks:
            blocks[-1].lines.append(line.strip())
        elif match := FIELD.fullmatch(line):
            settings[match[1]] = match[2].strip()
        else:
            raise ValueError(f"line {number}: neither a setting nor a block: {line}")
    return settings, blocks


class Stage(Protocol):
    """Where a dialogue is played."""

    services: Services
    database: AnyStore
    transaction: Transaction

    def go_to(self, now: datetime) -> None: ...

    def now(self) -> datetime: ...

    def post(self, received: Received) -> None:
        """Hand a letter in; it is kept when this returns."""
        ...

    def has_work(self) -> bool:
        """Whether the server finds anything to do now."""
        ...

    def collect(self) -> list[OutLetter]:
        """Send what waits; all letters that went out since the last time."""
        ...


class Collector:
    """A relay that keeps what it is given. `fail` maps an address to the error its next letter meets."""

    def __init__(self) -> None:
        self.letters: list[OutLetter] = []
        self.fail: dict[str, Exception] = {}

    def send(self, row: OutboxRow) -> None:
        error = self.fail.pop(row.letter.address, None)
        if error is not None:
            raise error
        self.letters.append(row.letter)


class DeskStage:
    """The game without mail servers: letters go straight into the inbox and straight out of the outbox."""

    def __init__(self, services: Services, database: AnyStore, clock_of: ClockOf) -> None:
        self.services, self.database, self._clock = services, database, clock_of
        self.transaction: Transaction = database.transaction
        self.relay = Collector()

    def go_to(self, now: datetime) -> None:
        self._clock.clock = now

    def now(self) -> datetime:
        return self._clock.clock

    def post(self, received: Received) -> None:
        row = InboxRow(
            0,
            received.account,
            content_key(received),
            received.received_at,
            received.raw,
            received.envelope_from,
            received.envelope_to,
        )
        arrivals.accept(self.transaction, row)

    def has_work(self) -> bool:
        return True

    def collect(self) -> list[OutLetter]:
        while clock.send(self.transaction, self.relay, self.services):
            pass
        taken, self.relay.letters = self.relay.letters, []
        return taken


class ClockOf(Protocol):
    clock: datetime


class Player:
    """Plays one dialogue on a stage. Fails with the dialogue's line number, and when a letter is shunted unless
    `may_shunt`.
    """

    def __init__(self, stage: Stage, name: str = "dialogue", maps: str = "") -> None:
        self.stage = stage
        self.maps = maps
        if maps:
            stage.services = replace(stage.services, map_wait=timedelta(minutes=5))
        self.name = name
        self.game = ""
        self.announced = 0
        self.boxes: defaultdict[str, list[OutLetter]] = defaultdict(list)
        self.got: defaultdict[str, list[OutLetter]] = defaultdict(list)
        self.sent: list[OutLetter] = []
        self.posted = 0
        self.rows: list[int] = []
        """Letters that may still be read."""
        self.may_shunt = False

    def play(self, blocks: list[Block]) -> None:
        for block in blocks:
            try:
                {"==": self._clock, ">>": self._letter, "<<": self._expect, "~~": self._forget}[block.mark](block)
            except AssertionError as error:
                raise AssertionError(f"{self.name}:{block.number}: {error}") from None

    def play_file(self, path: Path) -> None:
        """Plays a file after the one that it names as its first."""
        settings, blocks = read(path.read_text(encoding="utf-8"))
        if "First" in settings:
            self.begin(path.with_name(settings["First"]))
        self.play(blocks)

    def begin(self, path: Path) -> None:
        """Plays a file that others begin with."""
        play_once(self, path, lambda: self.play_file(path))

    def settle(self) -> None:
        """Read, tick, send and sort what went out."""
        if not self.stage.has_work():
            return
        clock.tick(self.stage.services, self.stage.transaction, None)
        if self.maps == "drawn":
            self._draw()
        for letter in self.stage.collect():
            keys = raw_keys(f"{letter.subject}\n{letter.text}\n{letter.html}")
            assert not keys, f"raw keys in a letter: {keys}\n{letter.text}"
            self.boxes[letter.address].append(letter)
            self.got[letter.address].append(letter)
            self.sent.append(letter)
        with self.stage.transaction() as store:
            rows = [store.inbox.get(number) for number in self.rows]
        self.rows = [row.id for row in rows if row.state in (InboxState.NEW, InboxState.HELD)]
        faults = [row.error for row in rows if row.state is InboxState.SHUNTED and not self.may_shunt]
        assert not faults, faults[0]

    def _draw(self) -> None:
        with self.stage.transaction() as store:
            while (picture := store.pictures.next(store.now())) is not None:
                store.pictures.finish(picture.id, store.now(), f"the picture {picture.form}".encode())

    # ---- the clock

    def _clock(self, block: Block) -> None:
        moment, _, how = block.head.partition(" after ")
        if moment.endswith(" put back"):
            moment, how = moment.removesuffix(" put back"), "a jump"
        wanted = _moment(moment)
        assert wanted >= self.stage.now() or how == "a jump", "the clock never goes back"
        while not how and (wanted - self.stage.now()) > timedelta(hours=1):
            self.stage.go_to(self.stage.now() + timedelta(hours=1))
            self.settle()
        self.stage.go_to(wanted)
        self.settle()

    # ---- letters in

    def _letter(self, block: Block) -> None:
        fields, words = self._fields(block)
        _, address = parseaddr(block.head)
        answered = self._answered(address, fields["Reply"]) if "Reply" in fields else None
        to = self._to(fields["To"]) if "To" in fields else (answered.reply_to if answered else "")
        assert to, "a letter needs To or Reply"
        received = _moment(fields["Received"]) if "Received" in fields else self.stage.now()
        raw = self._raw(block, fields, words, to, answered)
        sender = fields.get("Envelope", address)
        for _ in range(int(fields.get("Copies", "1"))):
            self.stage.post(Received(raw, received, "test", sender, (to,)))
        self.rows.append(self.posted)
        if "Hold" not in fields:
            self.settle()

    def _fields(self, block: Block) -> tuple[dict[str, str], list[str]]:
        fields: dict[str, str] = {}
        lines = iter(block.lines)
        for line in lines:
            match = FIELD.fullmatch(line)
            if not match:
                assert not line.strip(), f"no field: {line}"
                break
            fields[match[1]] = (fields[match[1]] + "\n" if match[1] in fields else "") + match[2]
        words = [self._filled(line) for line in lines]
        while words and (not words[-1].strip() or words[-1].startswith("# ")):
            words.pop()
        return {key: self._filled(value) for key, value in fields.items()}, words

    def _raw(
        self, block: Block, fields: dict[str, str], words: list[str], to: str, answered: OutLetter | None
    ) -> bytes:
        self.posted += 1
        subject = fields.get("Subject", f"Re: {answered.subject}" if answered else "")
        headers = [
            f"From: {block.head}",
            f"To: {to}",
            f"Date: {format_datetime(self.stage.now())}",
            f"Message-ID: {fields.get('Message-ID', f'<{self.name}.{self.posted}@mail.example>')}",
        ]
        if subject:
            headers.insert(2, f"Subject: {subject}")
        if answered:
            references = " ".join(f"<{reference}>" for reference in (*answered.references, answered.message_id))
            headers += [f"In-Reply-To: <{answered.message_id}>", f"References: {references}"]
        if "Auth" in fields:
            domain = parseaddr(block.head)[1].rpartition("@")[2]
            headers.insert(0, f"Authentication-Results: {AUTHSERV}; dmarc={fields['Auth']} header.from={domain}")
        headers += fields["Header"].split("\n") if "Header" in fields else []
        if not any(header.lower().startswith("content-type:") for header in headers):
            headers += ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"]
        return ("\r\n".join([*headers, "", *words]) + "\r\n").encode()

    def _answered(self, address: str, subject: str) -> OutLetter:
        newest = self.got[address.lower()][::-1]
        for fits in (str.__eq__, str.__contains__):
            for letter in newest:
                if fits(letter.subject, subject):
                    return letter
        subjects = [letter.subject for letter in self.got[address.lower()]]
        raise AssertionError(f"{address} got no letter about {subject!r}, but {subjects}")

    def _to(self, words: str) -> str:
        if words.startswith("bounce "):
            newest = self.got[words.removeprefix("bounce ")][-1]
            return self.stage.services.post.bounce_address(newest.message_id)
        if "@" in words:
            return words
        game, _, seat = words.partition(" ")
        self.game = game
        with self.stage.transaction() as store:
            return self.stage.services.post.reply_address(game, self._seat(store, game, seat))

    def _seat(self, store: Store, game: str, power: str):  # type: ignore[no-untyped-def]
        stored = store.games.by_name(game)
        assert stored, f"no game {game}"
        seat = next((seat for seat in store.games.seats(stored.id) if seat.power == power), None)
        assert seat, f"no seat {power} in {game}"
        return seat

    def _filled(self, text: str) -> str:
        def value(match: re.Match[str]) -> str:
            if match[1] == "code":
                letters = [letter for box in self.got.values() for letter in box if letter.kind == "question"]
                reference = re.search(r"Ref: \S+ (\S+)", letters[-1].text) if letters else None
                assert reference, "no question was asked"
                return reference[1]
            if match[1] == "confirm":
                texts = " ".join(letter.text for box in self.got.values() for letter in box)
                codes = re.findall(r"CONFIRM\s+([A-Z0-9]{8})\b", texts)
                assert codes, "no code was given"
                return str(codes[-1])
            if match[1] == "yes":
                pages = " ".join(letter.html for letter in self.sent)
                codes = re.findall(r"body=(?:YES|JA)%20([A-Z0-9]{8})\b", pages)
                assert codes, "no letter asked for YES"
                return str(codes[-1])
            with self.stage.transaction() as store:
                game = self.game or store.games.running()[0].name
                return self.stage.services.post.token(self._seat(store, game, match[1]))

        return re.sub(r"\$([A-Za-z]+)", value, text)

    # ---- letters out

    def _expect(self, block: Block) -> None:
        if block.head.endswith(PUBLIC):
            self._public(block)
            return
        if block.head.startswith("nothing"):
            address = block.head.removeprefix("nothing").strip()
            boxes = {address: self.boxes[address]} if address else self.boxes
            left = [f"{to}: {letter.subject}\n{letter.text}" for to, box in boxes.items() for letter in box]
            assert not left, "letters nobody expected:\n" + "\n\n".join(left)
            return
        for address in self._addresses(block.head):
            box = self.boxes[address]
            assert box, f"{address} got no letter"
            faults = [self._fault(block, letter) for letter in box]
            assert "" in faults, "\n".join(faults)
            box.pop(faults.index(""))

    def _public(self, block: Block) -> None:
        """The events come in order."""
        with self.stage.transaction() as store:
            events = [event for event in reversed(store.events.recent(1000)) if event.id > self.announced]
        texts = [f"{event.kind.value}: {event.title}. {event.text}" for event in events]
        assert not any(raw_keys(text) for text in texts), texts
        if block.head != PUBLIC:
            assert not texts, f"the public was told: {texts}"
            return
        assert events, "the public was told nothing"
        self.announced = events[0].id
        for line in block.lines:
            wanted, there = line.removeprefix("- "), _flat(texts[0])
            assert (_flat(wanted) in there) is not line.startswith("- "), f"{line!r}: {texts}"

    def _addresses(self, head: str) -> Iterator[str]:
        if not head.startswith("all "):
            yield from (part.strip().lower() for part in head.split(","))
            return
        with self.stage.transaction() as store:
            game = store.games.by_name(head.removeprefix("all ").strip())
            assert game
            held = [seat.person for seat in store.games.seats(game.id) if seat.person is not None]
            addresses = [store.people.get(person).addresses[0] for person in held]
        yield from addresses

    def _fault(self, block: Block, letter: OutLetter) -> str:
        """What is wrong with a letter; "" where it is as expected."""
        text = _flat(letter.text)
        shown = f"\n----\nTo: {letter.address}\nSubject: {letter.subject}\n\n{letter.text}"
        for line in block.lines:
            wanted = self._filled(line)
            if wanted.startswith("Attached: "):
                names = [part.name for part in letter.parts]
                if wanted.removeprefix("Attached: ") not in names:
                    return f"{wanted!r} is not there, but {names}{shown}"
                continue
            if wanted.startswith("Subject: "):
                subject = wanted.removeprefix("Subject: ")
                if _flat(subject) not in _flat(letter.subject):
                    return f"the subject lacks {subject!r}{shown}"
            elif wanted.startswith("- "):
                if _flat(wanted[2:]) in text:
                    return f"there stands {wanted[2:]!r}{shown}"
            elif _flat(wanted) not in text:
                return f"there is no {wanted!r}{shown}"
        return ""

    def _forget(self, _: Block) -> None:
        self.boxes.clear()
        with self.stage.transaction() as store:
            self.announced = max((event.id for event in store.events.recent(1)), default=0)


def _moment(text: str) -> datetime:
    return datetime.strptime(text.strip(), MOMENT).replace(tzinfo=UTC)


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


def maps_of(path: Path) -> str:
    """What a file says of maps; "" for nothing."""
    return read(path.read_text(encoding="utf-8"))[0].get("Maps", "")


def load(path: Path) -> list[Block]:
    """A file's blocks, after those of the file it names as its first."""
    settings, blocks = read(path.read_text(encoding="utf-8"))
    first = load(path.with_name(settings["First"])) if "First" in settings else []
    return first + blocks
