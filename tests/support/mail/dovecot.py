"""A real Dovecot for tests, unprivileged, on a free port, with its files in a folder of its own.

    with Dovecot() as server:
        Imap(host="127.0.0.1", port=server.port, security="none", user=server.user, password=server.password)

Started by root it runs as `nobody`, otherwise as the current user. Without Dovecot on the machine the
test is skipped, or fails where that is forbidden (`peers`).
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from support.mail_server_fixtures import needs

READY_SECONDS = 60
LDA = "/usr/lib/dovecot/dovecot-lda"

CONFIGURATION = """
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
first_valid_uid = 1
first_valid_gid = 1
mail_uid = {user}
mail_gid = {group}
mail_location = maildir:{base}/mail/%u
mail_max_userip_connections = 50
auth_mechanisms = plain login
# A wrong password waits for nobody here.
auth_failure_delay = 0
{namespace}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {base}/passwd
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={base}/home/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
{extra}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Dovecot:
    """`extra` is more configuration, `prefix` a namespace prefix such as "INBOX."."""

    user = "gm"
    password = "secret"

    def __init__(self, extra: str = "", prefix: str = "") -> None:
        # The paths of its sockets may have 107 characters: a folder of its own, whatever pytest calls the test's.
        self._home = tempfile.TemporaryDirectory(prefix="gm-dovecot-", ignore_cleanup_errors=True)
        Path(self._home.name).chmod(0o755)
        self.base = Path(self._home.name) / "dovecot"
        self.port = free_port()
        self._extra, self._prefix = extra, prefix
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Dovecot:
        self._program = needs("dovecot", "dovecot-imapd")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._home.cleanup()

    def start(self) -> None:
        """Also after `stop`: the same port, the same mails."""
        name, identity = self._identity()
        self._lay_out(name, identity)
        self._process = subprocess.Popen(
            [self._program, "-F", "-c", str(self.base / "dovecot.conf")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **({"user": identity[0], "group": identity[1], "extra_groups": []} if os.geteuid() == 0 else {}),
        )
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as probe:
                probe.settimeout(5)
                if probe.recv(4) == b"* OK":
                    return
            time.sleep(0.05)
        log = self.base / "dovecot.log"
        self.stop()
        pytest.fail(f"Dovecot did not start: {log.read_text() if log.exists() else 'no log'}")

    def stop(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
        self._process = None

    def forget_indexes(self) -> None:
        """While stopped: gives the folders a new UIDVALIDITY, as after a restore from backup."""
        for path in (self.base / "mail").rglob("dovecot*"):
            path.unlink()

    def deliver(self, *raws: bytes) -> None:
        """Put letters into the maildir as a delivery agent does."""
        maildir = self.base / "mail" / self.user
        for directory in ("cur", "new", "tmp"):
            (maildir / directory).mkdir(parents=True, exist_ok=True)
        made = [maildir / "tmp" / f"{time.time_ns()}.{number}.test" for number in range(len(raws))]
        for path, raw in zip(made, raws, strict=True):
            path.write_bytes(raw)
        self._give_away(maildir / "tmp")
        for folder in (maildir.parent, maildir, maildir / "cur", maildir / "new"):
            self._give_away(folder, within=False)
        for path in made:
            path.rename(maildir / "new" / path.name)

    def hand_over(self, raw: bytes, recipient: str) -> None:
        """By Dovecot's own delivery agent, as a mail server on the machine does."""
        agent = [LDA, "-c", str(self.base / "dovecot.conf"), "-d", self.user, "-a", recipient]
        _, (user, group) = self._identity()
        as_owner = {"user": user, "group": group, "extra_groups": []} if os.geteuid() == 0 else {}
        subprocess.run(agent, input=raw, check=True, timeout=READY_SECONDS, cwd=self.base, **as_owner)  # type: ignore[call-overload]

    def _identity(self) -> tuple[tuple[str, str], tuple[int, int]]:
        owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.getuid())
        return (owner.pw_name, grp.getgrgid(owner.pw_gid).gr_name), (owner.pw_uid, owner.pw_gid)

    def _lay_out(self, name: tuple[str, str], identity: tuple[int, int]) -> None:
        for directory in ("run", "state", "mail", "home"):
            (self.base / directory).mkdir(parents=True, exist_ok=True)
        namespace = f"namespace inbox {{\n  inbox = yes\n  separator = .\n  prefix = {self._prefix}\n}}"
        text = CONFIGURATION.format(
            base=self.base, user=name[0], group=name[1], port=self.port, namespace=namespace, extra=self._extra
        )
        (self.base / "dovecot.conf").write_text(text)
        (self.base / "passwd").write_text(f"{self.user}:{{PLAIN}}{self.password}\nother:{{PLAIN}}{self.password}\n")
        if os.geteuid() == 0:
            for parent in self.base.parents:  # pytest's folders are closed to others
                if not parent.stat().st_mode & 0o001:
                    parent.chmod(parent.stat().st_mode | 0o001)
            self._give_away(self.base)

    def _give_away(self, folder: Path, *, within: bool = True) -> None:
        if os.geteuid() == 0:
            _, (user, group) = self._identity()
            for path in (folder, *(folder.rglob("*") if within else ())):
                os.chown(path, user, group)
