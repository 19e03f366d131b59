"""`gm` as a process that ends, and what it says of a fault: one line, never a traceback."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.processes.warm_process import GM, run, without_settings

LETTER = b"From: Luc <luc@example.org>\r\nTo: gm@example.org\r\nMessage-ID: <a@b>\r\nSubject: x\r\n\r\nHELP\r\n"


def gm(*words: str, folder: Path, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return run(GM, *words, folder=folder, stdin=stdin, env=without_settings() | environment)


def one_line(run: subprocess.CompletedProcess[bytes], *says: str, code: int = 1) -> None:
    error = run.stderr.decode()
    assert run.returncode == code, error
    assert "Traceback" not in error
    assert len(error.strip().splitlines()) == 1, error
    for words in says:
        assert words in error
