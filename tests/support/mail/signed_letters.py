"""Letters signed with keys of our own (`mail/message/keys`), and a double of DNS that serves the keys."""

from __future__ import annotations

from collections.abc import Sequence

import dkim
from support.paths import MAIL_KEYS

from gm.mail.message.dkim_keys import DkimKeys, DnsTrouble

GMAIL = ("to", "subject", "message-id", "date", "from", "mime-version", "from", "to", "cc", "subject", "date")
OUTLOOK = ("from", "date", "subject", "message-id", "content-type", "mime-version")
FASTMAIL = ("cc", "content-type", "content-type", "date", "date", "from", "from", "in-reply-to", "subject", "to", "to")
YAHOO = ("date", "from", "to", "subject", "references", "from", "subject", "reply-to")
ICLOUD = ("content-type", "from", "mime-version", "date", "subject", "message-id", "to")
GMX = ("mime-version", "message-id", "from", "to", "subject", "content-type", "date")


def key_record(name: str = "rsa-2048", flags: str = "") -> bytes:
    return f"v=DKIM1; k=rsa; {flags}p={(MAIL_KEYS / f'{name}.txt').read_text().strip()}".encode()


def sign(
    raw: bytes,
    domain: str = "players.test",
    headers: Sequence[str] = GMAIL,
    *,
    key: str = "rsa-2048",
    canonical: tuple[str, str] = ("relaxed", "relaxed"),
    identity: str = "",
    algorithm: str = "rsa-sha256",
    length: bool = False,
    until: int | None = None,
) -> bytes:
    """`until`: x=, in seconds since 1970."""
    signer = _Signer(raw, signature_algorithm=algorithm.encode())
    signer.until = until
    signature = signer.sign(
        b"s1",
        domain.encode(),
        (MAIL_KEYS / f"{key}.pem").read_bytes(),
        identity=identity.encode() or None,
        canonicalize=tuple(name.encode() for name in canonical),
        include_headers=[name.encode() for name in headers],
        length=length,
    )
    return bytes(signature) + raw


class _Signer(dkim.DKIM):  # type: ignore[misc]
    until: int | None = None

    def gen_header(self, fields, *rest, **more):  # type: ignore[no-untyped-def]
        if self.until is not None:
            fields = [field for field in fields if field[0] != b"t"]
            fields.insert(-1, (b"x", str(self.until).encode()))
        return super().gen_header(fields, *rest, **more)


class DnsDouble:
    """Serves `records`; raises DnsTrouble where a name has None. `asked` are the names asked for."""

    def __init__(self, records: dict[str, bytes | None]) -> None:
        self.records, self.asked = records, list[str]()
        self.seconds = 0.0
        """What each look-up takes, by `clock`."""
        self.clock = 1000.0

    def __call__(self, name: str, seconds: float) -> tuple[bytes, ...]:
        self.asked.append(name)
        self.clock += min(self.seconds, seconds)
        record = self.records.get(name, b"")
        if record is None:
            raise DnsTrouble("no answer")
        return (b"v=spf1 -all", record) if record else ()

    def keys(self) -> DkimKeys:
        return DkimKeys(self, lambda: self.clock)
