"""Takes letters with certain Message-IDs out of a mailbox, wherever the provider has put them."""

from __future__ import annotations

from imapclient import DELETED, IMAPClient
from msgspec import Struct

from gm.mail.message.headers import split_headers

JUNK_NAMES = ("junk", "junk e-mail", "spam", "bulk mail")


class RemovedLetter(Struct, frozen=True):
    """`folder` is where it lay; `junk`: the provider took it for spam."""

    message_id: str
    raw: bytes
    folder: str
    junk: bool


def junk_folders(client: IMAPClient) -> list[str]:
    """By the flag of RFC 6154, else by their usual names."""
    folders = [(flags, str(name), delimiter) for flags, delimiter, name in client.list_folders()]
    flagged = [name for flags, name, _ in folders if b"\\Junk" in flags]
    return flagged or [name for _, name, delimiter in folders if _last_part(name, delimiter) in JUNK_NAMES]


def _last_part(name: str, delimiter: bytes | None) -> str:
    separator = delimiter.decode("ascii", "replace") if delimiter else ""
    return (name.rpartition(separator)[2] if separator else name).lower()


def remove_letters(client: IMAPClient, folder: str, prefix: str, junk: bool) -> list[RemovedLetter]:
    """Removes the letters whose Message-ID begins with `prefix`; returns their bytes. Leaves the folder selected.

    Letters marked as deleted count too: a running server may move a letter here after it got that mark elsewhere.
    """
    client.select_folder(folder)
    client.noop()
    uids = client.search(["HEADER", "MESSAGE-ID", f"<{prefix}"])
    if not uids:
        return []
    raws = client.fetch(uids, ["BODY.PEEK[]"])
    letters = [
        RemovedLetter(_message_id(raw), raw, folder, junk) for item in raws.values() if (raw := item.get(b"BODY[]"))
    ]
    client.add_flags(uids, [DELETED], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)
    elif set(client.search(["DELETED"])) == set(uids):  # plain EXPUNGE would remove the letters of others too
        client.expunge()
    return letters


def _message_id(raw: bytes) -> str:
    headers, _ = split_headers(raw.replace(b"\r\n", b"\n"))
    return next(iter(headers.ids("message-id")), "")
