"""Lines shared among processes: the same answers in the same order, and at once for a program that waits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from gm.cli.adjudicate import Adjudicator
from gm.cli.parallel import CHUNK, read_batches, run_parallel
from gm.variant_files.library import builtin_library

GUARD = 120
POSITION = {
    "variant": "standard",
    "phase": "S1901M",
    "units": {"Austria": ["A Bud", "A Vie", "F Tri"], "Russia": ["A War"]},
    "centers": {"Austria": ["Bud", "Tri", "Vie"]},
}


def lines(count: int) -> list[bytes]:
    """Among the good ones some that are wrong, and some that are blank."""
    made: list[bytes] = []
    for number in range(count):
        orders = {"Austria": ["A Vie - Gal" if number % 2 else "A Vie - Tyr"], "Russia": ["A War - Gal"]}
        made.append(json.dumps({"id": number, "position": POSITION, "orders": orders}).encode())
        if number % 7 == 0:
            made.append(b"{")
        if number % 11 == 0:
            made.append(b"  ")
    return made


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_answers_are_the_same_and_in_order(cores: int) -> None:
    inputs = lines(8 * CHUNK)
    plain = list(Adjudicator(builtin_library()).answers(inputs))
    pieces = [inputs[:3], inputs[3 : 4 * CHUNK], inputs[4 * CHUNK : 4 * CHUNK + 2], inputs[4 * CHUNK + 2 :]]
    assert b"".join(run_parallel(Adjudicator(builtin_library()).answers, pieces, cores)).decode().splitlines() == plain


def test_a_killed_worker_loses_nothing() -> None:
    here = os.getpid()

    def work(chunk: Iterable[bytes]) -> Iterator[str]:
        for line in chunk:
            if line == b"100" and os.getpid() != here:
                os.kill(os.getpid(), 9)
            yield line.decode()

    inputs = [str(number).encode() for number in range(10 * CHUNK)]
    assert b"".join(run_parallel(work, [inputs], 2)).splitlines() == inputs


def test_read_batches_yields_whole_lines(tmp_path: Path) -> None:
    inward, outward = os.pipe()

    def write() -> None:
        for piece in (b"one\ntw", b"o\n", b"\nthree"):
            os.write(outward, piece)
        os.close(outward)

    writer = threading.Thread(target=write)
    writer.start()
    assert [line for batch in read_batches(inward) for line in batch] == [b"one", b"two", b"", b"three"]
    writer.join()
    os.close(inward)


def test_each_line_is_answered_before_the_next_is_written() -> None:
    """Also after many lines came at once, and the crew is at work."""
    with subprocess.Popen(
        [sys.executable, "-m", "gm", "adjudicate"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        number = 0
        for count in (1, 1, 5 * CHUNK, 1, 1, 3 * CHUNK, 1):
            for _ in range(count):
                process.stdin.write(json.dumps({"id": number, "position": POSITION, "orders": {}}).encode() + b"\n")
                number += 1
            process.stdin.flush()
            for asked in range(number - count, number):
                assert json.loads(process.stdout.readline())["id"] == asked
        process.stdin.close()
        assert process.wait(GUARD) == 0


def test_ctrl_c_ends_workers_quietly() -> None:
    """A terminal sends it to every process there."""
    with subprocess.Popen(
        [sys.executable, "-m", "gm", "adjudicate"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        inputs = lines(5 * CHUNK)
        process.stdin.write(b"\n".join(inputs) + b"\n")
        process.stdin.flush()
        for _ in filter(bytes.strip, inputs):
            process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(GUARD) == 1
        assert process.stderr.read().strip() == b"Aborted!"
