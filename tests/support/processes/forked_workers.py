"""Tests in several processes, forked from one that has imported and collected them all: `--workers 3`.

Each process takes a batch, then the next that nobody has taken: the tests of one file, or a few of a file whose tests
take long. Their reports come to the first process, which prints them as if it had run the tests itself.

Workers that import and collect everything themselves, and are told of each test by a message, cost 18 CPU seconds for
four thousand small tests; these cost 2.
"""

from __future__ import annotations

import atexit
import gc
import mmap
import os
import random
import signal
import sys
import threading
import traceback
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from multiprocessing.connection import Connection, Pipe, wait
from types import ModuleType
from typing import Any, NoReturn

import pytest

Batch = list[pytest.Item]
Figures = dict[str, float]
FEW = 5
"""Tests in a batch, where they take long."""
NO_TEST = 0xFFFFFFFF
NUMBER = "I"


class Queue:
    """Numbers of batches in a pipe: whoever reads takes the next."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._end, into = os.pipe()
        os.write(into, array(NUMBER, numbers).tobytes())
        os.close(into)

    def take(self) -> int | None:
        raw = os.read(self._end, array(NUMBER).itemsize)
        return array(NUMBER, raw)[0] if raw else None


class ForkedWorkers:
    """A plugin. The first worker begins with the tests that `waits` names, by their nodeids' beginnings, the others end
    with them: they wait for most of their time. `long`: files whose tests take long. `spent` reports a worker's CPU.
    """

    def __init__(
        self,
        count: int,
        *,
        waits: tuple[str, ...],
        long: tuple[str, ...],
        spent: Callable[[], Figures],
        add: Callable[[Figures], None],
    ) -> None:
        self._count, self._waits, self._long, self._spent, self._add = count, waits, long, spent, add
        self._processes: dict[Connection, int] = {}
        self._done: set[int] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed or session.config.option.collectonly:
            return None  # pytest's own loop knows what to do
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.showfspath = False  # files come by turns
        self._batches = self._batches_of(session.items)
        waiting = [n for n, batch in enumerate(self._batches) if batch[0].nodeid.startswith(self._waits)]
        others = sorted(set(range(len(self._batches))) - set(waiting), key=self._comes_late)
        self._queues = Queue(waiting), Queue(others)
        self._running = mmap.mmap(-1, self._count * array(NUMBER).itemsize)
        try:
            for number in range(self._count):
                self._start(session, number)
            self._gather(session)
        finally:
            self._end_all()
        return True

    def _batches_of(self, items: Sequence[pytest.Item]) -> list[Batch]:
        batches = []
        for _, group in groupby(items, key=lambda item: item.path):
            tests = list(group)
            size = FEW if tests[0].nodeid.startswith(self._long) else len(tests)
            batches += [tests[first : first + size] for first in range(0, len(tests), size)]
        return batches

    def _comes_late(self, number: int) -> bool:
        return not self._batches[number][0].nodeid.startswith(self._long)

    # ---- the first process

    def _start(self, session: pytest.Session, number: int) -> None:
        ours, theirs = Pipe(duplex=False)
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process == 0:
            ours.close()
            _end(lambda: self._work(session, number, theirs))
        theirs.close()
        self._processes[ours] = process

    def _gather(self, session: pytest.Session) -> None:
        """Prints reports until all workers have ended."""
        numbers = {connection: number for number, connection in enumerate(self._processes)}
        while self._processes:
            for connection in wait(list(self._processes)):
                assert isinstance(connection, Connection)
                try:
                    self._take(session, numbers[connection], connection.recv())
                except EOFError:
                    self._has_ended(session, connection, numbers[connection])
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)

    def _take(self, session: pytest.Session, number: int, message: Any) -> None:
        """Reports of one test; or, the worker's last words, its CPU."""
        if isinstance(message, dict):
            self._done.add(number)
            self._add(message)
            return
        nodeid, location, reports = message
        hook = session.config.hook
        hook.pytest_runtest_logstart(nodeid=nodeid, location=location)
        for content in reports:
            report = hook.pytest_report_from_serializable(config=session.config, data=content)
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=nodeid, location=location)

    def _has_ended(self, session: pytest.Session, connection: Connection, number: int) -> None:
        code = os.waitstatus_to_exitcode(os.waitpid(self._processes.pop(connection), 0)[1])
        connection.close()
        if number in self._done and code == 0:
            return
        running = memoryview(self._running).cast(NUMBER)[number]
        item = session.items[running if running != NO_TEST else -1]
        what = "in" if running != NO_TEST else "after its last test; not in"
        words = f"worker {number} ended with {code} {what} {item.nodeid}: the other tests of its batch have not run"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", words, "call")
        session.config.hook.pytest_runtest_logreport(report=report)

    def _end_all(self) -> None:
        """As Ctrl-C does, so that fixtures end what they have begun."""
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGINT)
        for process in self._processes.values():
            os.waitpid(process, 0)

    # ---- a worker

    def _work(self, session: pytest.Session, number: int, reports: Connection) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
        config, running = session.config, memoryview(self._running).cast(NUMBER)
        config.pluginmanager.unregister(name="terminalreporter")
        config.pluginmanager.register(Reporter(config, reports))
        capture: Any = config.pluginmanager.getplugin("capturemanager")
        capture.stop_global_capturing()  # into files that all workers share
        capture.start_global_capturing()
        random.seed()
        sys.modules["__main__"] = ModuleType("__main__")  # processes that a test spawns would import pytest
        numbers = {item: place for place, item in enumerate(session.items)}
        try:
            for item, following in self._items(session, number):
                running[number] = numbers[item]
                config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.shouldfail or session.shouldstop:
                    break
            running[number] = NO_TEST
        finally:
            session._setupstate.teardown_exact(None)  # of fixtures that an interrupted test has left
        figures = self._spent()
        gc.collect()
        gc.freeze()  # pytest collects five times more, for errors of finalizers: it need not look at what is in use
        config._ensure_unconfigure()
        reports.send(figures)

    def _items(
        self, session: pytest.Session, number: int
    ) -> Iterator[tuple[pytest.Item, pytest.Item | pytest.Session]]:
        """Each with the next one of its batch. After a batch all fixtures end but the session's: the next batch is not
        taken before it can run.
        """
        for queue in self._queues if number == 0 else self._queues[::-1]:
            while (batch := queue.take()) is not None:
                yield from pairwise([*self._batches[batch], session])  # type: ignore[misc]


class Reporter:
    """A worker's plugin: sends the reports of each test when it has ended."""

    def __init__(self, config: pytest.Config, reports: Connection) -> None:
        self._config, self._reports = config, reports
        self._of_test: list[object] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hook = self._config.hook
        self._of_test.append(hook.pytest_report_to_serializable(config=self._config, report=report))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._reports.send((nodeid, location, self._of_test))
        self._of_test = []


def _end(work: Callable[[], None]) -> NoReturn:
    """Works, and ends as Python does, but takes nothing apart."""
    code = 1
    try:
        work()
        code = 0
    except KeyboardInterrupt:
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(BaseException):
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
