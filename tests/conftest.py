"""For all tests: no property is timed, so that a busy machine changes nothing. With `--durations` the CPU seconds of
each folder are told, those of child processes that were waited for among them, on all workers together; the processes
of `support/processes/warm_process.py` too.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings
from support.processes.warm_process import Spent

settings.register_profile("unhurried", settings(), deadline=None)
settings.load_profile("unhurried")

SPENT = pytest.StashKey[Counter[str]]()
NO_TEST = "start and collection"
LONG = ("tests/demo", "tests/kill", "tests/bench", "tests/server", "tests/mail/incoming", "tests/store/test_nodes.py")
"""Tests that take long and often wait. They come first: then none of them begins when the others are done."""


def _cpu() -> float:
    return sum(os.times()[:4]) + Spent.seconds


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SPENT] = Counter()
    if not _is_controller(config):
        gc.disable()  # until all is collected: hardly anything of it is garbage


def _is_controller(config: pytest.Config) -> bool:
    """Whether xdist's workers collect and run the tests."""
    return bool(getattr(config.option, "numprocesses", None))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end: the garbage collector need not look through it each time."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(5_000, 20, 10)


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
    spent = session.config.stash[SPENT]
    if _is_controller(session.config):
        return
    spent[NO_TEST] = _cpu() - sum(spent.values())  # type: ignore[assignment]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["cpu"] = dict(spent)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object) -> None:
    """xdist tells of a worker that has ended; one that crashed leaves no figures."""
    figures = getattr(node, "workeroutput", {}).get("cpu", {})
    node.config.stash[SPENT].update(figures)  # type: ignore[attr-defined]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.getoption("durations") is None:
        return
    spent = config.stash[SPENT]
    terminalreporter.section(f"CPU by folder: {sum(spent.values()):.0f} s")
    for folder, seconds in spent.most_common():
        terminalreporter.write_line(f"{seconds:9.1f}s {folder}")
