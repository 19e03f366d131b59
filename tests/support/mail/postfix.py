"""A real Postfix for tests, on a free port, with its queue, log and settings in a folder of its own.

    with Postfix(lmtp_port) as server:
        smtplib.SMTP("127.0.0.1", server.port)

What is tested are the lines of deploy/postfix: they are taken as they stand, but for paths and ports. Postfix wants to
be started by root.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from support.mail.dovecot import free_port
from support.mail_server_fixtures import needs, unavailable
from support.paths import ROOT

READY_SECONDS = 60
EXAMPLES = ROOT / "deploy" / "postfix"

OURS = """
compatibility_level = 3.6
queue_directory = {base}/queue
data_directory = {base}/data
maillog_file = {base}/log
maillog_file_prefixes = {base}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.games.example.org
mydestination = example.org
local_recipient_maps =
alias_maps =
alias_database =
# Whoever writes is a stranger, and what Postfix itself would send goes where the test sees it.
mynetworks = 192.0.2.1/32
relayhost = [127.0.0.1]:{outside}
smtp_host_lookup = native
smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
# What is put off is tried again at once.
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
address_verify_poll_delay = 1s
{example}
"""
SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
local unix - n n - - local
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
{example}
"""


def settings(name: str) -> str:
    """An example's lines, without its comments."""
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


class Postfix:
    """`lmtp` is the port gm listens on, `outside` where letters to anybody else would go. Letters to the address
    `piped` go into a pipe to `program`, a file to be made.
    """

    def __init__(self, lmtp: int, outside: int, piped: str = "") -> None:
        self._home = tempfile.TemporaryDirectory(prefix="gm-postfix-", ignore_cleanup_errors=True)
        Path(self._home.name).chmod(0o755)
        self.base = Path(self._home.name)
        self.port = free_port()
        self.program = self.base / "gm"
        self._lmtp, self._outside, self._piped = lmtp, outside, piped
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Postfix:
        needs("postfix", "postfix")
        if os.geteuid() != 0:
            unavailable("only root may start a Postfix")
        self._lay_out()
        command = ["/usr/sbin/postfix", "-c", str(self.base / "etc"), "start-fg"]
        with (self.base / "said").open("wb") as errors:
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as probe:
                probe.settimeout(10)
                if probe.recv(4) == b"220 ":
                    return self
            time.sleep(0.05)
        log = self.log + (self.base / "said").read_text()
        self.__exit__()
        pytest.fail(f"Postfix did not start: {log}")

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(10)
                    break
        self._home.cleanup()

    @property
    def log(self) -> str:
        log = self.base / "log"
        return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""

    @property
    def queued(self) -> int:
        """Letters that Postfix holds."""
        folders = ("maildrop", "incoming", "active", "deferred", "hold")
        return sum(path.is_file() for folder in folders for path in (self.base / "queue" / folder).rglob("*"))

    def _lay_out(self) -> None:
        for folder in ("etc", "queue", "data"):
            (self.base / folder).mkdir()
        owner = pwd.getpwnam("postfix")
        os.chown(self.base / "data", owner.pw_uid, owner.pw_gid)
        etc = self.base / "etc"
        transport = settings("transport").replace("127.0.0.1:8025", f"127.0.0.1:{self._lmtp}")
        if self._piped:
            transport += f"\n{self._piped} gm:\n"
        (etc / "transport").write_text(transport + "\n")
        main = settings("main.cf").replace("/etc/postfix/", f"{etc}/")
        if self._piped:
            main += "\nrecipient_delimiter = +\n"
        (etc / "main.cf").write_text(OURS.format(base=self.base, outside=self._outside, example=main))
        pipe = settings("master.cf").replace("user=gm", "user=nobody")
        pipe = pipe.replace("/opt/gm/bin/gm", str(self.program))
        (etc / "master.cf").write_text(SERVICES.format(port=self.port, example=pipe))
        subprocess.run(["/usr/sbin/postmap", "-c", str(etc), f"hash:{etc}/transport"], check=True)
