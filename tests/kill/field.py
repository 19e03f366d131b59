"""The field of fire: nodes that are killed, a relay that misbehaves, and players who write all the while.

Everything that crosses a socket is written down as it was acknowledged, to be held against the database afterwards
(`reckoning.py`).
"""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random

from sqlalchemy import select
from support.mail.dovecot import free_port
from support.mail.smtp_sink import Sink

from gm.errors import Unavailable
from gm.game.intake.inbox import MOST_TRIES
from gm.game.model.records import InboxState
from gm.store.database import Database
from gm.store.maintenance import StoreMaintenance
from gm.store.schema import tables as t
from kill.node import fast_clock

GUARD = 300
SETTLING = 900
"""What was put off again and again waits for minutes, and four hours of ours are four minutes here."""
SPEED = 60
ADDRESS = "gm@gm.example"
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
ORDERS = {
    "Austria": ("A Vie H", "A Vie S A Bud"),
    "England": ("A Lvp H", "A Lvp S F Edi"),
    "France": ("A Par H", "A Par S F Bre"),
    "Germany": ("A Mun H", "A Mun S A Ber"),
    "Italy": ("A Ven H", "A Ven S A Rom"),
    "Russia": ("A Mos H", "A Mos S A War"),
    "Turkey": ("A Con H", "A Con S A Smy"),
}
"""Nobody moves, so that every letter is good in every phase."""
ASKING = "SHOW"
PHASE = timedelta(minutes=6)
LAST_PHASE = timedelta(days=60)
FAULTS = (
    "rcpt:451 later", "rcpt:421 busy", "data:451 later", "dot:451 after the letter", "connect:drop", "mail:drop",
    "data:drop", "dot:drop", "dot:keep-and-drop", "connect:421 go away", "rcpt:delay 2", "dot:delay 3", "dot:delay 12",
    "rcpt:550 nobody here", "dot:550 we do not want it",
)  # fmt: skip
UNKNOWN = frozenset({"dot:keep-and-drop", "dot:delay 12"})
"""The letter was taken and we cannot know: it goes again."""
FROZEN_MOST = 8
"""Seconds that a node hangs before it goes on."""
SETTINGS = """
address = "gm@gm.example"
database = "{database}"
secret = "a secret that is only good for tests"
masters = ["ruth@amsel.example"]
operators = ["op@amsel.example"]
authserv_id = "mx.gm.example"
tick_seconds = 0.3
log = "json"
map_wait_seconds = 0
outage_minutes = 0
[listen]
protocol = "lmtp"
port = {listen}
[relay]
port = {relay}
timeout = 10
"""


class Nursery:
    """Where nodes come from (`node.py`)."""

    def __init__(self, epoch: datetime) -> None:
        command = [sys.executable, str(Path(__file__).with_name("node.py")), epoch.isoformat(), str(SPEED)]
        env = {key: value for key, value in os.environ.items() if not key.startswith("GM_")}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env, bufsize=1
        )

    def node(self, config: Path, log: Path) -> int:
        """The process id of a node that serves."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{config}\t{log}\n")
        answer = self._process.stdout.readline().strip()
        assert answer.isdigit(), f"{answer}: {log.read_text(encoding='utf-8')[-3000:]}"
        return int(answer)

    def close(self) -> None:
        self._process.communicate()


@dataclass
class Node:
    """`process` is its id, 0 while it does not run."""

    nursery: Nursery
    config: Path
    port: int
    log: Path
    process: int = 0

    def start(self) -> None:
        self.process = self.nursery.node(self.config, self.log)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        if self.process:
            self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """It hangs, with all that it holds, and answers nobody."""
        os.kill(self.process, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.process, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        os.kill(self.process, how)
        end = time.monotonic() + GUARD
        with suppress(ProcessLookupError):
            while time.monotonic() < end:
                os.kill(self.process, 0)
                time.sleep(0.01)
            raise AssertionError(f"{self.process} does not end")
        self.process = 0


@dataclass
class Field:
    """`accepted` are the Message-IDs of letters that a node said 250 to; `kills` how many nodes were killed, `freezes`
    how many hung for some seconds and went on; `unknown` counts letters whose fate the relay kept to itself.
    """

    folder: Path
    database: str
    nodes: int
    seed: int
    games: tuple[str, ...] = ("alpha", "bravo", "carol")
    accepted: list[str] = field(default_factory=list)
    kills: int = 0
    freezes: int = 0
    unknown: int = 0

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        self.sink = Sink()
        self.epoch = datetime.now(UTC)
        self.fleet: list[Node] = []
        self._number = 0
        self._lock = threading.Lock()
        self._ceasefire = threading.Event()

    def open(self) -> None:
        self.sink.__enter__()
        self.nursery = Nursery(self.epoch)
        for number in range(self.nodes):
            port, config = free_port(), self.folder / f"gm{number}.toml"
            text = SETTINGS.format(database=self.database, listen=port, relay=self.sink.port)
            config.write_text(text, encoding="utf-8")
            self.fleet.append(Node(self.nursery, config, port, self.folder / f"log{number}"))
        for node in self.fleet:
            node.start()

    def close(self) -> None:
        for node in self.fleet:
            node.stop()
        self.nursery.close()
        self.sink.__exit__()

    def found_games(self) -> None:
        for game in self.games:
            seats = "\n".join(f"SEAT {power}: {power} <{power.lower()}@{game}.example>" for power in POWERS)
            self.send("ruth@amsel.example", f"CREATE {game}\nmoves {PHASE.seconds // 60} min\n{seats}\nSTART\n")

    def send(self, sender: str, words: str, subject: str = "orders") -> str:
        """Until a node takes it: what the mail server before us would do."""
        with self._lock:
            self._number += 1
            name = f"letter-{self._number}@players.example"
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, ADDRESS, subject
        message["Message-ID"] = f"<{name}>"
        domain = sender.partition("@")[2]
        message["Authentication-Results"] = f"mx.gm.example; dmarc=pass header.from={domain}"
        message.set_content(words)
        end = time.monotonic() + GUARD
        while time.monotonic() < end:
            port = self.dice.choice(self.fleet).port
            with suppress(OSError, smtplib.SMTPException), smtplib.LMTP("127.0.0.1", port, timeout=20) as client:
                client.sendmail(sender, [ADDRESS], message.as_bytes())
                with self._lock:
                    self.accepted.append(name)
                return name
            time.sleep(0.05)
        raise AssertionError(f"nobody took {name}")

    def play(self, kills: int, minutes: float, pause: tuple[float, float] = (1.0, 3.5)) -> None:
        """Players write and the relay misbehaves while nodes are killed and started again, so often or so long."""
        end = time.monotonic() + minutes * 60
        writers = [threading.Thread(target=self._write, args=(number,), daemon=True) for number in range(2)]
        for writer in writers:
            writer.start()
        while self.kills < kills and time.monotonic() < end:
            time.sleep(self.dice.uniform(*pause))
            self._misbehave()
            self._spare()
            node = self.dice.choice(self.fleet)
            if self.dice.random() < 0.2:
                self._hang(node)
            node.kill()
            self.kills += 1
            node.start()
        self._ceasefire.set()
        for writer in writers:
            writer.join(GUARD)

    def _hang(self, node: Node) -> None:
        node.freeze()
        time.sleep(self.dice.uniform(1, FROZEN_MOST))
        self.freezes += 1
        node.thaw()
        time.sleep(self.dice.uniform(0, 1))

    def _spare(self) -> None:
        """Wait for a letter that was in hand at kill after kill: one more, and it is set aside, as it should be."""
        danger = select(t.inbox.c.id).where(t.inbox.c.state == InboxState.NEW, t.inbox.c.tries >= MOST_TRIES - 1)
        end, spared = time.monotonic() + GUARD, False
        with closing(Database(self.database, alone=False)) as database:
            while not spared and time.monotonic() < end:
                with suppress(Unavailable), database.read_connection() as connection:
                    spared = connection.execute(danger).first() is None
                time.sleep(0.05)
        assert spared, f"a letter that is not read in {GUARD} s"

    def _misbehave(self) -> None:
        for fault in self.dice.sample(FAULTS, 2):
            self.sink.plan.append(fault)
            self.unknown += fault in UNKNOWN

    def _write(self, number: int) -> None:
        dice = Random(self.seed * 100 + number)
        while not self._ceasefire.is_set():
            game, power = dice.choice(self.games), dice.choice(POWERS)
            self.send(f"{power.lower()}@{game}.example", f"{dice.choice(ORDERS[power])}\n")
            time.sleep(dice.uniform(0.05, 0.5))

    def settle(self) -> None:
        """No more deadlines, and wait until nothing is unread and nothing unsent.

        Everybody writes once more: what was held, because its letters came back, leaves now.
        """
        self.sink.plan.clear()
        for game in self.games:
            self.send("ruth@amsel.example", f"SET moves {LAST_PHASE.days} d\n", subject=f"[{game}]")
            for power in POWERS:
                self.send(f"{power.lower()}@{game}.example", f"{ASKING}\n", subject=f"[{game}]")
        end = time.monotonic() + SETTLING
        while time.monotonic() < end:
            with closing(Database(self.database, alone=False)) as beside, suppress(Unavailable):
                # a server that has no time for us is asked again
                figures = StoreMaintenance(beside).figures()
                if not (figures.letters_in.get("new") or figures.letters_out.get("queued") or self._falls_due(beside)):
                    return
            time.sleep(0.5)
        raise AssertionError("it does not settle")

    def _falls_due(self, database: Database) -> bool:
        """Is there a deadline that is not as far away as the last letters put it?"""
        soon = select(t.game.c.id).where(t.game.c.due_at < fast_clock(self.epoch, SPEED) + LAST_PHASE / 2)
        with database.read_connection() as connection:
            return connection.execute(soon).first() is not None

    def seen(self) -> Counter[str]:
        """How often each Message-ID reached the relay whole, acknowledged or not."""
        return Counter(
            taken.raw.partition(b"Message-ID: <")[2].partition(b">")[0].decode() for taken in self.sink.taken
        )
