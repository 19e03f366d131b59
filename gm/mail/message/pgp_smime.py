"""OpenPGP and S/MIME: signed text is read without its armour, encrypted text is refused.

-----BEGIN PGP SIGNED MESSAGE-----        then armour headers, a blank line, the text with lines that begin
-----BEGIN PGP SIGNATURE-----             with a hyphen written "- -…" (RFC 9580, 7.1)
"""

from __future__ import annotations

from collections.abc import Iterable

SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
END = "-----END PGP SIGNATURE-----"
SECRET = "-----BEGIN PGP MESSAGE-----"
ENCRYPTED_TYPES = {"multipart/encrypted", "application/pgp-encrypted"}
PKCS7_TYPES = {"application/pkcs7-mime", "application/x-pkcs7-mime"}


def is_encrypted(types: Iterable[tuple[str, str]]) -> bool:
    """(content type, smime-type) of every part; opaque signed S/MIME counts, we can't read it either."""
    return any(kind in ENCRYPTED_TYPES or (kind in PKCS7_TYPES and smime != "compressed-data") for kind, smime in types)


def holds_secret(lines: list[str]) -> bool:
    """Is the first thing that was written an encrypted block?"""
    first = next((line.strip() for line in lines if line.strip()), "")
    return first == SECRET


def strip(lines: list[str]) -> list[str]:
    """Lines of the armour become empty, so that the numbers of the others stay."""
    if SIGNED not in (line.strip() for line in lines):
        return lines
    out: list[str] = []
    state = "outside"
    for line in lines:
        mark = line.strip()
        shown = ""
        if mark == SIGNED:
            state = "headers"
        elif mark == SIGNATURE and state != "outside":
            state = "signature"
        elif mark == END and state == "signature":
            state = "outside"
        elif state == "headers":
            state = "text" if not mark else state
        elif state == "text":
            shown = line.removeprefix("- ")
        elif state == "outside":
            shown = line
        out.append(shown)
    return out
