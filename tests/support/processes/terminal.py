"""A program on a terminal of its own: what it asks is awaited, and answered line by line."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time

import pytest

GUARD = 60.0
COLOUR = re.compile(r"\x1b\[\d+m")


class Terminal:
    """A context manager; `text` is all that the program has written."""

    def __init__(self, *command: str) -> None:
        self._command = command
        self.text = ""
        self._read = 0

    def __enter__(self) -> Terminal:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            self._command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True, close_fds=True
        )
        os.close(slave)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def answer(self, question: str, line: str = "") -> None:
        """Waits for the question, then types the line and Enter."""
        self.await_words(question)
        os.write(self._master, f"{line}\n".encode())

    def finish(self) -> int:
        """Waits for the end; the exit code."""
        self.await_words(None)
        return self._process.wait(GUARD)

    def await_words(self, words: str | None) -> None:
        """None: until the program ends."""
        end = time.monotonic() + GUARD
        while words is None or words not in self.text[self._read :]:
            ready, _, _ = select.select([self._master], [], [], 0.1)
            try:
                piece = os.read(self._master, 4096) if ready else b""
            except OSError:  # the program has ended
                piece = b""
                if words is None:
                    return
                pytest.fail(f"ended without asking {words!r}: {self.text}")
            self.text += COLOUR.sub("", piece.decode("utf-8", "replace"))
            if time.monotonic() > end:
                pytest.fail(f"did not ask {words!r}: {self.text}")
        self._read = self.text.index(words, self._read) + len(words)
