"""OpenPGP and S/MIME: removes the armour of signed text, recognises encrypted text.

-----BEGIN PGP SIGNED MESSAGE-----        then armour headers, a blank line, the text, in which lines that begin
-----BEGIN PGP SIGNATURE-----             with a hyphen are written "- -…" (RFC 9580, 7.1)
"""

from __future__ import annotations

from collections.abc import Iterable

SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
END = "-----END PGP SIGNATURE-----"
ENCRYPTED = "-----BEGIN PGP MESSAGE-----"
ENCRYPTED_TYPES = {"multipart/encrypted", "application/pgp-encrypted"}
PKCS7_TYPES = {"application/pkcs7-mime", "application/x-pkcs7-mime"}


def is_encrypted(types: Iterable[tuple[str, str]]) -> bool:
    """`types`: (content type, smime-type) of every part. Opaque signed S/MIME counts, it is unreadable too."""
    return any(kind in ENCRYPTED_TYPES or (kind in PKCS7_TYPES and smime != "compressed-data") for kind, smime in types)


def is_encrypted_block(lines: list[str]) -> bool:
    """Whether the text begins with an encrypted block."""
    first = next((line.strip() for line in lines if line.strip()), "")
    return first == ENCRYPTED


def remove_armour(lines: list[str]) -> list[str]:
    """Armour lines become empty, so that line numbers stay."""
    if SIGNED not in (line.strip() for line in lines):
        return lines
    out: list[str] = []
    state = "outside"
    for line in lines:
        mark = line.strip()
        kept = ""
        if mark == SIGNED:
            state = "headers"
        elif mark == SIGNATURE and state != "outside":
            state = "signature"
        elif mark == END and state == "signature":
            state = "outside"
        elif state == "headers":
            state = "text" if not mark else state
        elif state == "text":
            kept = line.removeprefix("- ")
        elif state == "outside":
            kept = line
        out.append(kept)
    return out
