"""Bells between the nodes on one PostgreSQL: what one node stores or queues wakes the workers of the others.

PostgreSQL lets transactions with NOTIFY commit one after the other only, over all nodes. So under `gm serve` a thread
rings for what is committed, once in PAUSE at most; any other process rings as its transaction commits. A missed bell
only costs time.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection
from typing import Any

import structlog
from sqlalchemy import Connection, Engine, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError

from gm.store.nodes.rights import SERVING
from gm.store.prepared_statements import PreparedStatement
from gm.store.queries.row_mapping import Bell

CHANNEL = "gm"
PATIENCE = 5.0
"""Seconds between checks whether the listener must end, and between attempts to connect."""
PAUSE = 1.0
"""Seconds between two rings of a node, and before the first attempt to connect again."""

log = structlog.get_logger(__name__)


def ring(connection: Connection, bells: Collection[Bell], node: str = "-") -> None:
    """Wakes the other nodes when the transaction has committed."""
    RING.rows(connection, {"message": f"{node} {' '.join(sorted(bells))}"})


RING = PreparedStatement(select(func.pg_notify(CHANNEL, bindparam("message"))))


class Ringer(threading.Thread):
    """Rings for a node that serves."""

    def __init__(self, engine: Engine, node: str) -> None:
        super().__init__(name="gm-ringer", daemon=True)
        self._engine, self._node = engine, node
        self._bells: set[Bell] = set()
        self._mutex, self._news, self._ending = threading.Lock(), threading.Event(), threading.Event()

    def add(self, bells: Collection[Bell]) -> None:
        with self._mutex:
            self._bells.update(bells)
        self._news.set()

    def stop(self) -> None:
        self._ending.set()
        self._news.set()

    def run(self) -> None:
        while not self._ending.is_set():
            self._news.wait()
            self._news.clear()
            with self._mutex:
                bells, self._bells = self._bells, set()
            if bells:
                self._ring(bells)
            self._ending.wait(PAUSE)
        self._ring((), last=True)  # our own listener must hear of the end; others look for what we leave

    def _ring(self, bells: Collection[Bell], *, last: bool = False) -> None:
        """`last`: the engine may be disposed of already, and keeps no connection."""
        try:
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                if last:
                    connection.detach()
                ring(connection, bells, self._node)
        except SQLAlchemyError as error:  # the other nodes look by themselves after a while
            log.info("could not wake the other nodes", error=str(error).splitlines()[0])


class NodeListener(threading.Thread):
    """Calls `ring` when another node has rung, and with all bells when it begins to listen.

    While it runs, its `ringer` rings for this node.
    """

    def __init__(self, engine: Engine, ring: Callable[[Collection[Bell]], None]) -> None:
        super().__init__(name="gm-listener", daemon=True)
        self._engine, self._ring, self._node = engine, ring, secrets.token_hex(4)
        self.ringer = Ringer(engine, self._node)
        self._ending = threading.Event()
        self._problem = ""

    def start(self) -> None:
        self.ringer.start()
        super().start()

    def stop(self) -> None:
        self._ending.set()
        self.ringer.stop()

    def run(self) -> None:
        while not self._ending.is_set():
            try:
                self._listen()
            except Exception as error:
                again = PATIENCE if self._problem else PAUSE
                self._complain(type(error).__name__, str(error))
                self._ending.wait(again)

    def _complain(self, kind: str, message: str) -> None:
        """Logs each kind of error once: the messages differ by port and process from try to try."""
        if kind != self._problem:
            log.warning("not listening to other nodes for now", error=(message or kind).splitlines()[0])
        self._problem = kind

    def _listen(self) -> None:
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()
        try:
            driver.rollback()
            driver.autocommit = True
            driver.execute(f"SELECT pg_advisory_lock_shared({SERVING})")  # until the session ends: `gm restore` asks
            driver.execute(f"LISTEN {CHANNEL}")
            if self._problem:
                log.info("listening to other nodes again")
            self._problem = ""
            self._ring(tuple(Bell))  # for what came while nobody listened
            while not self._ending.is_set():
                for message in driver.notifies(timeout=PATIENCE, stop_after=1):
                    if bells := self._heard(message.payload):
                        self._ring(bells)
        finally:
            driver.close()

    def _heard(self, message: str) -> Collection[Bell]:
        """The bells of another node's message; all of them for one that an earlier version has sent."""
        node, *words = message.split() or ("",)
        return () if node == self._node else [Bell(word) for word in words if word in set(Bell)] or tuple(Bell)
