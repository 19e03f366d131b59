"""Python programs in processes of their own, forked from one that has imported `gm`.

A start of `gm` costs up to a second of CPU, almost all of it imports. A process forked from one that has them starts in
20 ms, and is a process in every other way: its own folder, environment, streams, signals and exit code. Each command of
`gm` has a test that starts it from nothing too: with `run_cold`, or those of `cli/test_start_up.py`.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import BinaryIO, NoReturn

GM = "from gm.__main__ import main; main(prog_name='gm')"
IMPORTED = (
    "alembic.command", "dns.resolver", "dkim", "gm.__main__", "gm.cli.adjudicate", "gm.cli.check", "gm.cli.map",
    "gm.cli.parallel", "gm.cli.read", "gm.server.operators.doctor", "gm.server.operators.init", "gm.server.service",
    "gm.server.tick",
    "gm.store.database", "gm.store.maintenance", "sqlalchemy.dialects.sqlite", "sqlalchemy.dialects.postgresql.psycopg",
)  # fmt: skip
GUARD = 120
MESSAGE_MOST = 1_000_000


class Spent:
    """CPU seconds of warm processes that have ended, and of the imports: no children of ours for `os.times()`."""

    seconds = 0.0


def _forget_spent() -> None:
    Spent.seconds = 0.0


os.register_at_fork(after_in_child=_forget_spent)  # it is the first process's to report


class WarmProcess:
    """Much as `subprocess.Popen` has it. `program` is Python source; the streams are open files."""

    def __init__(
        self,
        program: str,
        words: tuple[str, ...] = (),
        *,
        streams: tuple[BinaryIO, BinaryIO, BinaryIO],
        folder: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.returncode: int | None = None
        self._answers, theirs = _packets()
        self._answers.settimeout(GUARD)
        request = {
            "program": program,
            "words": words,
            "folder": str(folder or Path.cwd()),
            "env": dict(env or without_settings()),
        }
        handles = [theirs.fileno(), *(stream.fileno() for stream in streams)]
        socket.send_fds(_ready(), [json.dumps(request).encode()], handles)
        theirs.close()
        self.pid = int(self._answer()[0])

    def _answer(self) -> list[str]:
        return self._answers.recv(100).decode().split()

    def wait(self, timeout: float = GUARD) -> int:
        """The exit code, or the negative number of the signal that ended it."""
        if self.returncode is None:
            self._answers.settimeout(timeout)
            code, seconds = self._answer()
            self._answers.close()
            self.returncode = int(code)
            Spent.seconds += float(seconds)
        return self.returncode

    def poll(self) -> int | None:
        with contextlib.suppress(BlockingIOError):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run(
    program: str, *words: str, folder: Path | None = None, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program to its end."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        given.write(stdin)
        given.seek(0)
        process = WarmProcess(program, words, streams=(given, output, errors), folder=folder, env=env)
        try:
            code = process.wait()
        finally:
            process.kill()
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(words, code, output.read(), errors.read())


def run_cold(
    program: str, *words: str, folder: Path | None = None, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The same in a new Python, which has imported nothing."""
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(
        command, cwd=folder, input=stdin, capture_output=True, env=env or without_settings(), timeout=GUARD, check=False
    )


def start() -> None:
    """Starts the process that forks. Processes forked from this one share it."""
    _ready()


def without_settings() -> dict[str, str]:
    """This process's environment without settings of gm."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GM_")}


def _packets() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


@cache
def _ready() -> socket.socket:
    """The socket of the process that forks, started with the first request. It ends with the last that shares it."""
    ours, theirs = _packets()
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}  # a fork wants one thread
    command = [sys.executable, __file__, str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=env)
    theirs.close()
    Spent.seconds += float(ours.recv(100))
    atexit.register(process.wait, GUARD)
    atexit.register(ours.close)
    return ours


# The rest runs in the other processes.


def _fork_for_each_request(requests: socket.socket) -> dict[str, object]:
    """Returns in each forked process, with its request. The process itself ends when there are no more requests."""
    while True:
        raw, handles, _, _ = socket.recv_fds(requests, MESSAGE_MOST, 4)
        with contextlib.suppress(ChildProcessError):  # those that have ended
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not raw:
            sys.exit()
        if os.fork() == 0:
            requests.close()
            return _fork_and_wait(json.loads(raw), socket.socket(fileno=handles[0]), handles[1:])
        for handle in handles:
            os.close(handle)


def _fork_and_wait(request: dict[str, object], answers: socket.socket, streams: list[int]) -> dict[str, object]:
    """Returns in a process of its own; this one tells of its number, and then of its end and the CPU it took."""
    child = os.fork()
    if child == 0:
        answers.close()
        for number, handle in enumerate(streams):
            os.dup2(handle, number)
            os.close(handle)
        return request
    for number, handle in enumerate((os.open(os.devnull, os.O_RDWR),) * 3 + tuple(streams)):
        os.dup2(handle, number) if number < 3 else os.close(handle)
    answers.send(str(child).encode())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    with contextlib.suppress(OSError):  # nobody waits for it any more
        answers.send(f"{code} {spent.ru_utime + spent.ru_stime}".encode())
    os._exit(0)


def _become(request: dict[str, object]) -> NoReturn:
    """Ends as Python does, but takes nothing apart: with all these modules that takes longer than most programs."""
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[arg-type]
    os.chdir(str(request["folder"]))
    sys.argv[:] = ["gm", *request["words"]]  # type: ignore[misc]
    code: object = 0
    try:
        exec(compile(str(request["program"]), "<program>", "exec"), {"__name__": "__main__"})
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    with contextlib.suppress(ValueError):  # closed
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


def _main() -> None:
    requests = socket.socket(fileno=int(sys.argv[1]))
    for name in IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    requests.send(str(sum(os.times()[:2])).encode())
    _become(_fork_for_each_request(requests))


if __name__ == "__main__":
    _main()
