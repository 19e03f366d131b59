"""Does a secret show? The same random game is played twice, the two differing only in one player's secret.

    twins = Twins(office, seed, variant)      two stages in lockstep: every letter, tick and glance at the clock in both
    twins.play(turns, secret)                 `secret(variant, position, book, power, dice)` gives that player's other
                                              lines, with the same effect, or None where there are none
    twins.leaks()                             what the other seats' letters, or the public sites of the two games with
                                              their feeds, calendars and JSON, or the requests of their webhooks, differ
                                              in; empty: nothing shows

Everything that goes out is compared as it goes out, seat by seat: number, order and time of the letters, envelopes, and
their bytes (headers, subjects, text, HTML, attachments). Only the letters of an id may differ: those 26 characters are
HMACs, equal in length and without order. The player whose secret it is and the game masters are left out; the secret's
own marks are looked for in all other letters of either run besides. Observers look on at both games, and must not
learn the secret either; one of them, and one player, get their news in a daily digest.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec.structs import replace
from support import random_games_site as gallery
from support import scripted_players as player
from support.dialogue import DeskStage
from support.paths import MEMORY
from support.services import START, envelope
from support.shipped import map_drawer
from support.stores.memory_store import MemoryStore

from gm.config import NotifyConfig, load_section
from gm.errors import GmError
from gm.game.clock import clock
from gm.game.model.records import MASTER, Game, GameState, InboxState, OutboxRow
from gm.game.model.services import Services
from gm.game.views.maps import MapDocuments, documents_for_picture
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Step, Variant
from gm.language.formats import stored_values as codec
from gm.language.rendering import order_text as write
from gm.mail.incoming.received import Received
from gm.mail.outgoing.compose import compose_letter
from gm.maps.drawing.crops import crop_areas
from gm.maps.drawing.scene import MapScene
from gm.server.webhook.forms import public_message, webhook_request

ID = re.compile(r"(?<![a-z0-9])[a-km-np-z2-9]{26}(?![a-z0-9])|(?<==_\d_)[0-9a-f]{24}(?![0-9a-f])")
"""A token, or the border between a letter's parts, which is a digest of its id."""
MAP_WAIT = timedelta(minutes=5)
GAME = "ostend"
MASTERS = "ruth@example.org"
OBSERVER = "olga@example.org"
COLLECTOR = "dora@example.org"
"""An observer whose news come in a daily digest."""
SITE = "https://games.example"
WEBHOOKS = tuple(
    load_section(NotifyConfig, {"url": "https://hooks.example/games", "form": form, **more})
    for form, more in (
        ("json", {"secret": "a key of a webhook"}),
        ("ntfy", {}),
        ("discord", {}),
        ("matrix", {"room": "!games:example.org", "token": "an access token"}),
    )
)
ASKED = (
    "STATUS\nSUMMARY",
    "HISTORY",
    "WHO\nSETTINGS\nRULES",
    "DEADLINE\nSTATUS\nPRESS LOG\nDIARY ALL",
    "SHOW\nMISSING",
)
"""By turns, what an observer asks for."""
Secret = Callable[[Variant, Position, Submissions, str, Random], "Sequence[Statement] | None"]


@dataclass(frozen=True)
class Sent:
    """One letter as it left: when, by which envelope, in what bytes."""

    at: datetime
    row: OutboxRow

    @cached_property
    def content(self) -> OutboxRow:
        """The row without its number, of which no letter knows."""
        return replace(self.row, id=0)

    @cached_property
    def raw(self) -> bytes:
        return _composed(self.content)

    def outside(self) -> tuple[datetime, datetime, str, int]:
        return self.at, self.row.queued_at, blotted(self.row.envelope_from), len(self.raw)

    def alike(self, other: Sent) -> bool:
        """Byte by byte, ids blotted out: then nothing that a mail program makes of the two can differ."""
        if self.content == other.content:  # equal rows are composed to equal bytes
            return self.at == other.at
        return self.outside() == other.outside() and _alike(self.raw, other.raw)

    def seen(self) -> tuple[object, ...]:
        """All that its reader could look at, ids blotted out."""
        message = message_from_bytes(self.raw, policy=policy.SMTP)
        assert isinstance(message, EmailMessage)
        headers = tuple((name, blotted(str(value))) for name, value in message.items())
        parts = tuple(
            (part.get_content_type(), part.get_filename(), blotted(_content(part)))
            for part in message.walk()
            if not part.is_multipart()
        )
        return *self.outside(), headers, parts

    def text(self) -> str:
        letter = self.row.letter
        return "\n".join((letter.subject, letter.text, letter.html, self.raw.decode("latin-1")))


@lru_cache(maxsize=4096)
def _composed(row: OutboxRow) -> bytes:
    """Composed once: most rows are the same in both runs but for their number."""
    return compose_letter(row)


@lru_cache(maxsize=4096)
def _marks_in(row: OutboxRow) -> tuple[str, ...]:
    """A row holds all that its letter is composed of, attachments not encoded yet; these are searched as they are."""
    letter = row.letter
    small = replace(row, letter=replace(letter, text="", html="", parts=()))
    named = (repr(replace(part, content=b"")) for part in letter.parts)
    contents = (part.content.decode("latin-1") for part in letter.parts)
    words = "\n".join((repr(small), letter.text, letter.html, *named, *contents))
    return tuple(gallery.MARK.findall(words))


def _alike(first: bytes, second: bytes) -> bool:
    """Whether they are equal with ids blotted out: no id goes over the end of a line."""
    mine, its = first.split(b"\n"), second.split(b"\n")
    return len(mine) == len(its) and all(
        here == there or blotted(here.decode("latin-1")) == blotted(there.decode("latin-1"))
        for here, there in zip(mine, its, strict=True)
    )


def _content(part: EmailMessage) -> str:
    content = part.get_payload(decode=True)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else str(content)


def blotted(text: str) -> str:
    return ID.sub(lambda match: "#" * len(match[0]), text)


class Recorder:
    """A relay that remembers what it was given, by reader, in order."""

    def __init__(self, stage: Stage) -> None:
        self.sent: defaultdict[str, list[Sent]] = defaultdict(list)
        self._stage = stage

    def send(self, row: OutboxRow) -> None:
        self.sent[row.letter.address].append(Sent(self._stage.now(), row))


def _crop(scene: MapScene, power: str) -> str:
    """All that a crop shows, without drawing it."""
    position = scene.position
    shown = position.units, position.dislodged, dict(scene.centres), scene.results, scene.notes
    return repr((shown, crop_areas(scene, power)))


@lru_cache(maxsize=256)
def _sketch(asked: MapDocuments) -> bytes:
    """Drawn once: two runs without a leak ask for the same pictures."""
    if asked.power:
        return gallery.sketch(_crop(map_drawer().scene_of(asked), asked.power))
    return gallery.map_sketch(asked)


def blank(asked: MapDocuments) -> bytes:
    """A picture for games whose pictures nobody looks at."""
    return gallery.sketch("")


class Stage(DeskStage):
    """One of the two runs. `sketch` draws its pictures."""

    def __init__(self, services: Services, sketch: Callable[[MapDocuments], bytes] = _sketch) -> None:
        self._sketch = sketch
        self.store = MemoryStore(START, envelope=envelope)
        everything = replace(services, map_wait=MAP_WAIT, webhook_wait=timedelta(0))
        super().__init__(everything, self.store, self.store)
        self.recorder = Recorder(self)
        self.posted: Counter[str] = Counter()

    def continue_from(self, other: Stage) -> None:
        """Makes this stage as the other is: then the same letters need not be written to both."""
        self.go_to(other.now())
        self.store.data = other.store.data.copy()
        self.recorder.sent.update((address, [*letters]) for address, letters in other.recorder.sent.items())
        self.posted.update(other.posted)

    def write(
        self, address: str, to: str, words: str, subject: str = "orders", *, proven: bool = True, called: str = ""
    ) -> None:
        self.posted[address] += 1
        number = self.posted[address]
        head = f"From: {called} <{address}>\r\n" if called else f"From: {address}\r\n"
        head += f"To: {to}\r\nSubject: {subject}\r\nMessage-ID: <{address}.{number}>\r\n"
        head += "Content-Type: text/plain; charset=utf-8\r\n"
        if proven:
            head += "Authentication-Results: mx.gm.example; dmarc=pass header.from=example.org\r\n"
        raw = f"{head}\r\n{words}\r\n".encode()
        self.post(Received(raw, self.now(), "test", address, (to,)))
        self.settle()

    def settle(self) -> None:
        clock.tick(self.services, self.transaction, None)
        self._draw()
        while clock.send(self.transaction, self.recorder, self.services):
            pass

    def _draw(self) -> None:
        """Finishes every picture with all that would be drawn in it, or as failed, as `gm.server.map_worker` does."""
        with self.transaction() as store:
            while (picture := store.pictures.next(store.now())) is not None:
                try:
                    asked = documents_for_picture(self.services.variant, store, picture)
                except GmError as error:
                    store.pictures.finish(picture.id, store.now(), b"", str(error))
                    continue
                store.pictures.finish(picture.id, store.now(), self._sketch(asked))

    def shunted(self) -> list[str]:
        """The faults of letters that could not be read."""
        with self.transaction() as store:
            rows = [store.inbox.get(number) for number in range(1, sum(self.posted.values()) + 1)]
        return [row.error for row in rows if row.state is InboxState.SHUNTED]

    def webhook_requests(self) -> list[str]:
        """All that the webhook would send, in each form."""
        with self.transaction() as store:
            rows = [(store.games.get(event.game), event) for event in store.events.recent(10_000)]
        messages = [public_message(game, event, "gm.example", SITE) for game, event in rows]
        requests = [webhook_request(form, message) for form in WEBHOOKS for message in messages]
        return [f"{request.method} {request.url} {request.body.decode()}" for request in requests]

    def game(self) -> Game:
        with self.transaction() as store:
            game = store.games.by_name(GAME)
        assert game is not None
        return game

    def seat_address(self, power: str) -> str:
        with self.transaction() as store:
            seat = next(seat for seat in store.games.seats(self.game_id(store)) if seat.power == power)
        return self.services.post.reply_address(GAME, seat)

    def game_id(self, store: MemoryStore) -> int:
        game = store.games.by_name(GAME)
        assert game is not None
        return game.id

    def position(self, variant: Variant) -> Position:
        game = self.game()
        with self.transaction() as store:
            return codec.position_from_text(store.turns.snapshot(game.snapshot).position, variant)


@dataclass
class Twins:
    """`power` is whose secret it is; by dice where it is left out. `accomplices` share it.

    `chosen`: settings of the game, one on a line. `curious`: the observer asks for something in every phase.
    """

    services: Services
    seed: int
    variant: Variant
    power: str = ""
    accomplices: frozenset[str] = frozenset()
    chosen: str = ""
    curious: bool = False
    turns: int = 0
    differing: int = 0
    dice: Random = field(init=False)
    runs: tuple[Stage, Stage] = field(init=False)

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        self.runs = Stage(self.services), Stage(self.services)
        self.power = self.power or self.dice.choice(self.variant.powers).name
        self._begin(0)
        if self._founding(1) == self._founding(0):
            self.runs[1].continue_from(self.runs[0])
        else:
            self._begin(1)
        assert self.runs[0].game().state is GameState.RUNNING

    def _begin(self, number: int) -> None:
        """The game begins, and a second one; observers look on, and two readers get their news in a daily digest."""
        run = self.runs[number]
        run.write(MASTERS, "gm@gm.example", self._founding(number))
        first, second = (power.name for power in self.variant.powers[:2])
        other = f"SEAT {first}: Olga Vis <{OBSERVER}>\nSEAT {second}: Dora Lee <{COLLECTOR}>"
        run.write(MASTERS, "gm@gm.example", f"CREATE calais {self.variant.id}\n{other}")
        for address, alias in ((OBSERVER, "Vigo"), (COLLECTOR, "Porto")):
            run.write(address, "gm@gm.example", f"OBSERVE {GAME} as {alias}")
        run.write(COLLECTOR, "gm@gm.example", "MAIL digest daily", subject=f"[{GAME}]")
        reader = next(power.name for power in self.variant.powers[::-1] if power.name not in self._knowing())
        run.write(*self._from(number, reader), "MAIL digest daily")

    def _founding(self, number: int) -> str:
        """The letter that begins the game in one of the runs."""
        settings = "zone: UTC\nmoves: 24 h\nretreats: 12 h\nbuilds: 12 h\nreminder: 6 h"
        seats = "\n".join(f"SEAT {power.name}: {self.person(number, power.name)}" for power in self.variant.powers)
        return f"CREATE {GAME} {self.variant.id}\n{settings}\n{self.chosen}{seats}\nSTART"

    def person(self, number: int, power: str) -> str:
        """Who plays it in one of the runs."""
        return f"{power} Player <{self.address(power)}>"

    @staticmethod
    def address(power: str) -> str:
        return f"{power.lower().replace(' ', '-')}@example.org"

    # ---- playing

    def play(self, turns: int, secret: Secret) -> None:
        """So many movement phases, or until the game is over."""
        while self.turns < turns and self.runs[0].game().state is GameState.RUNNING:
            position = self.runs[0].position(self.variant)
            step = self.variant.step(position)
            book = self._some(player.orders(self.variant, position, self.dice))
            if self.tells(step, position):
                self.turns += 1
                other = secret(self.variant, position, book, self.power, self.dice)
                self.differing += other is not None
            else:
                other = None
            self._phase(step.letter, book, other)
            if self.curious:
                self.look_on()

    def look_on(self) -> None:
        """The observer asks for what he may."""
        for run in self.runs:
            asked = ASKED[run.posted[OBSERVER] % len(ASKED)]
            run.write(OBSERVER, "gm@gm.example", asked, subject=f"[{GAME}]")

    def tells(self, step: Step, position: Position) -> bool:
        """Whether the power has a secret in this step: it has points to spend."""
        return bool(step.budgets(position, self.variant, self.power))

    def _some(self, book: Submissions) -> Submissions:
        """Not everybody writes in every phase; he whose secret it is does."""
        kept = {who: sheet for who, sheet in book.sheets.items() if self.power in who or self.dice.random() < 0.6}
        return Submissions(kept)

    def _phase(self, letter: str, book: Submissions, other: Sequence[Statement] | None) -> None:
        powers = [country.name for country in self.variant.powers]
        self.dice.shuffle(powers)
        for power in powers:
            statements = tuple(entry.statement for entry in book.entries(power))
            chatter = self._chatter(power)
            self._forward(timedelta(minutes=self.dice.randint(1, 40)))
            if power != self.power:
                lines = [*self._lines(letter, statements), *chatter]
                if lines:
                    self._both(power, "\n".join(lines))
                continue
            self.runs[0].write(*self._from(0, power), "\n".join(self._lines(letter, statements)) or "SHOW")
            self._second(letter, statements, other)
        due = [run.game().due_at for run in self.runs]
        assert due[0] == due[1], "the deadlines differ"
        if due[0] is not None and self.runs[0].game().state is GameState.RUNNING:
            for moment in (due[0] - timedelta(hours=5), due[0]):
                self._forward(max(moment - self.runs[0].now(), timedelta()))

    def _second(self, letter: str, statements: Sequence[Statement], other: Sequence[Statement] | None) -> None:
        """What the power writes in the second run; with a secret, a second letter makes every count differ."""
        first = "\n".join(self._lines(letter, statements if other is None else other)) or "SHOW"
        self.runs[1].write(*self._from(1, self.power), first)
        if other is not None:
            self.runs[1].write(*self._from(1, self.power), "DP ?\nVOTE DRAW\nHELP")

    def _lines(self, letter: str, statements: Sequence[Statement]) -> Iterator[str]:
        for statement in statements:
            mark = f"  // zq{self.dice.randint(0, 9999):04}x" if not _public(statement) else ""
            yield write.statement(statement, letter=letter) + mark

    def _chatter(self, power: str) -> list[str]:
        """What else letters hold: questions, mistakes, press, votes."""
        others = [country.name for country in self.variant.powers if country.name != power]
        press = f"PRESS TO {self.dice.choice(others)}\nShall we agree on something?\nENDPRESS"
        wishes = ["STATUS", "HISTORY", "SHOW", "RULES", "HELP", "A Xyz - Qqq", "1 DP Zzz: hold", press, "VOTE NONE"]
        return [wish for wish in wishes if self.dice.random() < 0.08]

    def _from(self, run: int, power: str) -> tuple[str, str]:
        address = MASTERS if power == MASTER else self.address(power)
        return address, self.runs[run].seat_address(power)

    def _both(self, power: str, words: str) -> None:
        for number, run in enumerate(self.runs):
            run.write(*self._from(number, power), words)

    def master(self, words: str) -> None:
        """A letter of the game master's, in both runs."""
        self._both(MASTER, words)

    def _forward(self, by: timedelta) -> None:
        for run in self.runs:
            run.go_to(run.now() + by)
            run.settle()

    def keepers(self) -> tuple[str, ...]:
        """Whose letters may differ: those who know the secret."""
        return (self.power,)

    def _knowing(self) -> tuple[str, ...]:
        """Those, and who shares it with them."""
        return (*self.keepers(), *self.accomplices)

    def insiders(self) -> frozenset[str]:
        """Their addresses."""
        return frozenset(map(self.address, self._knowing()))

    # ---- what shows

    def leaks(self) -> list[str]:
        first, second = (run.recorder.sent for run in self.runs)
        hidden = {MASTERS, *self.insiders()}
        differences = [
            leak for who in sorted({*first, *second} - hidden) for leak in _differ(who, first[who], second[who])
        ]
        marks = (mark for sent in (first, second) for mark in self._marks(sent))
        return [*differences, *marks, *self._sites(), *self._webhooks()]

    def _webhooks(self) -> Iterator[str]:
        """What the webhook's requests differ in, in each form that they can have."""
        here, there = (run.webhook_requests() for run in self.runs)
        assert here
        if len(here) != len(there):
            yield f"the webhook: {len(here)} requests, and {len(there)}"
        for first, second in zip(here, there, strict=False):
            if first != second:
                yield f"the webhook:\n  {first}\n  / {second}"
            for mark in gallery.MARK.findall(first):
                yield f"the webhook: the mark {mark} in {first}"

    def _sites(self) -> Iterator[str]:
        """What the games' public pages and pictures differ in, for nobody's eyes and for everybody's."""
        with TemporaryDirectory(dir=MEMORY) as first, TemporaryDirectory(dir=MEMORY) as second:
            for run, where in zip(self.runs, (first, second), strict=True):
                gallery.publish(run.services, run.transaction, Path(where), gallery.Sketches(), url=SITE)
            here, there = gallery.files(Path(first)), gallery.files(Path(second))
            assert {f"games/{GAME}.{ending}" for ending in ("html", "json", "xml")} <= here.keys()
        for name in sorted({*here, *there}):
            if here.get(name) != there.get(name):
                yield f"the public site: {name}"
            for mark in gallery.MARK.findall(here.get(name, b"").decode("latin-1")):
                yield f"the public site: the mark {mark} in {name}"

    def _marks(self, sent: dict[str, list[Sent]]) -> Iterator[str]:
        """Marks of secret lines that stand in others' letters: each mark was written by one player alone."""
        for who, letters in sent.items():
            for letter in letters if who != MASTERS else ():
                for mark in _marks_in(letter.content):
                    yield f"{who}: the mark {mark} in {letter.row.letter.subject!r}"


def _public(statement: Statement) -> bool:
    return statement.slot[0] in ("unit", "build", "waive")


def _differ(who: str, mine: list[Sent], theirs: list[Sent]) -> Iterator[str]:
    if len(mine) != len(theirs):
        yield f"{who}: {len(mine)} letters, and {len(theirs)}"
    for number, (first, second) in enumerate(zip(mine, theirs, strict=False), 1):
        if first.alike(second):
            continue
        here, there = first.seen(), second.seen()
        if here != there:
            part = next(f"{a!r}\n  / {b!r}" for a, b in zip(here, there, strict=True) if a != b)
            yield f"{who}, letter {number}, {first.row.letter.subject!r}:\n  {part[:3000]}"
            return
