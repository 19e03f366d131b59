"""Signals that arrive while the server logs."""

from __future__ import annotations

from pathlib import Path

from support.mail.dovecot import free_port
from support.processes.warm_process import run

ASKED_WHILE_LOGGING = """
import os, signal, sys
from gm.__main__ import main

class Log:
    asked = []
    def write(self, line):
        os.write(2, line.encode())
        for word in ("serving", "stopping"):
            if word in line and word not in self.asked:
                self.asked.append(word)
                os.kill(os.getpid(), signal.SIGTERM)  # as the log is locked
    def flush(self):
        pass

sys.stderr = Log()
main(prog_name="gm")
"""


def test_a_second_signal_while_the_first_is_logged_hangs_nothing(tmp_path: Path) -> None:
    config = tmp_path / "gm.toml"
    config.write_text(f'address = "gm@gm.example"\n[listen]\nport = {free_port()}\n', encoding="utf-8")
    done = run(ASKED_WHILE_LOGGING, "-c", str(config), "serve")
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 0, lines
    events = dict.fromkeys(line.split("]")[1].split()[0] for line in lines)
    assert list(events) == ["serving", "stopping", "stopped"]
