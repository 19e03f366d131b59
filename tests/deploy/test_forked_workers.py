"""`--workers N`: every test runs once, its report is printed, and a worker that ends too soon fails the run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from support.paths import ROOT

WORKERS = """
from support.processes.forked_workers import ForkedWorkers

def pytest_configure(config):
    plugin = ForkedWorkers(3, waits=("test_waiting",), long=("test_long",), spent=dict, add=lambda more: None)
    config.pluginmanager.register(plugin)
"""
IGNORING = """trap '' INT; exec "$0" "$@" """
"""As a shell does with a job in the background: the signal that ends workers is ignored."""
FIXTURE = """
import os, pathlib, pytest

@pytest.fixture(scope="module")
def kept():
    yield
    with pathlib.Path("ended").open("a") as file:
        file.write(f"{os.getpid()}\\n")
"""


def _run(folder: Path, *options: str, **files: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(WORKERS)
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(FIXTURE + text)
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    command = ["sh", "-c", IGNORING, *pytest]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=False)


def test_every_test_runs_once_and_is_reported(tmp_path: Path) -> None:
    many = "def test_one(kept, n, tmp_path): pathlib.Path(f'ran-{n}').touch(exist_ok=False)"
    long = f"@pytest.mark.parametrize('n', range(35))\n{many}"
    waiting = "def test_skipped(kept): pytest.skip('not here')\ndef test_passes(): print('not shown')"
    other = "def test_fails(): print('what it printed'); assert 1 == 2"
    run = _run(tmp_path, "-rs", long=long, waiting=waiting, other=other)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 failed, 36 passed, 1 skipped" in run.stdout
    assert "not here" in run.stdout
    assert "assert 1 == 2" in run.stdout
    assert "what it printed" in run.stdout
    assert "not shown" not in run.stdout
    assert len(list(tmp_path.glob("ran-*"))) == 35
    ended = (tmp_path / "ended").read_text().split()
    assert len(ended) == 8, "a fixture of a module ends with each batch: five tests of the long file, all of the other"


def test_a_worker_that_crashes_fails_the_run(tmp_path: Path) -> None:
    crash = f"def test_crash(): os.kill(os.getpid(), {int(signal.SIGKILL)})"
    run = _run(tmp_path, crash=crash, other="def test_passes(): pass")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 failed, 1 passed" in run.stdout
    assert f"ended with -{int(signal.SIGKILL)} in test_crash.py::test_crash" in run.stdout


def test_x_ends_all_workers_and_their_fixtures(tmp_path: Path) -> None:
    fails = "import time\ndef test_fails(): time.sleep(1); assert False"
    sleeps = "import time\ndef test_sleeps(kept): time.sleep(300)"
    run = _run(tmp_path, "-x", fails=fails, sleeps=sleeps)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "stopping after 1 failures" in run.stdout
    assert (tmp_path / "ended").exists()


def test_tests_that_cannot_be_collected_do_not_run(tmp_path: Path) -> None:
    run = _run(tmp_path, broken="raise LookupError('what is this')", other="def test_passes(): pass")
    assert run.returncode == 2, run.stdout + run.stderr
    assert "what is this" in run.stdout
    assert "1 passed" not in run.stdout
