"""For all tests: no property is timed, so that a busy machine changes nothing. With `--durations` the CPU seconds of
each folder are told, those of child processes that were waited for among them, of all workers together; the processes
of `support/processes/warm_process.py` too.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings
from support.processes.forked_workers import Figures, ForkedWorkers
from support.processes.warm_process import Spent

settings.register_profile("unhurried", settings(), deadline=None)
settings.load_profile("unhurried")


def _log_line(_logger: object, _method: str, fields: structlog.typing.EventDict) -> str:
    """The event, what belongs to it, and its traceback."""
    event, traceback = fields.pop("event", ""), fields.pop("exception", "")
    return " ".join((str(event), *(f"{name}={value!r}" for name, value in fields.items()))) + f"\n{traceback}".rstrip()


structlog.configure(
    processors=[structlog.contextvars.merge_contextvars, structlog.processors.format_exc_info, _log_line]
)  # what a test that fails shows: colours and times, the default, cost five times as much for each letter

SPENT = pytest.StashKey[Counter[str]]()
NO_TEST = "start and collection"
WAITING = (
    "tests/demo",
    "tests/kill",
    "tests/bench",
    "tests/server",
    "tests/mail/incoming",
    "tests/store/test_nodes.py",
)
"""Tests that often wait. One worker begins with them: then none of them begins when the others are done."""
LONG = ("tests/game/test_dialogues.py", "tests/game/secrecy", "tests/language/letter", "tests/human_letters")
"""Tests that take long."""
MANY = 2000
"""So many tests of all kinds need whatever is read ahead."""


def _cpu() -> float:
    return sum(os.times()[:4]) + Spent.seconds


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, metavar="N", help="run tests in so many forked processes")


def pytest_configure(config: pytest.Config) -> None:
    spent = config.stash[SPENT] = Counter()
    gc.disable()  # until all is collected: hardly anything of it is garbage
    count: int = config.getoption("workers")
    if count:
        workers = ForkedWorkers(
            count, waits=WAITING, long=LONG, spent=lambda: _with_the_rest(spent), add=lambda more: _add(spent, more)
        )
        config.pluginmanager.register(workers)


def _with_the_rest(spent: Counter[str]) -> Figures:
    """The CPU of this process by folder."""
    return {**spent, NO_TEST: _cpu() - sum(spent.values())}


def _add(spent: Counter[str], more: Figures) -> None:
    spent.update(more)  # type: ignore[arg-type]


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """What is imported and collected stays to the end: the garbage collector need not look through it each time."""
    if session.config.getoption("workers") and len(session.items) > MANY and not session.config.option.collectonly:
        from support.processes.read_ahead import read_ahead  # few tests need all that it imports

        read_ahead()
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 10)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[object]:
    before = _cpu()
    try:
        return (yield)  # type: ignore[return-value]
    finally:
        folder = item.path.parent.relative_to(item.config.rootpath)
        item.config.stash[SPENT][str(folder)] += _cpu() - before  # type: ignore[assignment]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    gc.collect()
    gc.freeze()  # pytest collects five times more, for errors of finalizers: it need not look at what is in use
    spent, workers = session.config.stash[SPENT], session.config.getoption("workers")
    spent[NO_TEST] += sum(os.times()[:2]) + Spent.seconds if workers else _with_the_rest(spent)[NO_TEST]  # type: ignore[assignment]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.getoption("durations") is None:
        return
    spent = config.stash[SPENT]
    terminalreporter.section(f"CPU by folder: {sum(spent.values()):.0f} s")
    for folder, seconds in spent.most_common():
        terminalreporter.write_line(f"{seconds:9.1f}s {folder}")
