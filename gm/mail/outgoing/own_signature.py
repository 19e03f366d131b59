"""Whether a letter of ours that came back carries a DKIM signature that receivers count as our domain's."""

from __future__ import annotations

from gm.findings import DoctorFinding
from gm.mail.message.dkim_keys import DkimKeys
from gm.mail.message.dkim_signatures import (
    SIGNATURE,
    SigningDomain,
    is_aligned,
    read_tags,
    split_letter,
    verifies,
)
from gm.mail.message.headers import split_headers


def examine_signature(raw: bytes, address: str, keys: DkimKeys) -> DoctorFinding:
    """`raw` is the letter as it was delivered, `address` its From."""
    domain = address.rpartition("@")[2]
    head, body = split_letter(raw)
    headers, _ = split_headers(head.replace(b"\r\n", b"\n"))
    signatures = [SigningDomain(n, read_tags(value)) for n, value in enumerate(headers.all(SIGNATURE))]
    ours = [signature for signature in signatures if is_aligned(signature.domain, domain)]
    if not signatures:
        advice = f"let the relay sign with a key of {domain} (if it signs only what leaves it, look at such a letter)"
        return DoctorFinding("DKIM", f"the letter came back without a signature: {advice}", False)
    if not ours:
        names = ", ".join(dict.fromkeys(signature.domain for signature in signatures))
        text = f"the letter is signed for {names} only, which DMARC does not count: sign with a key of {domain}"
        return DoctorFinding("DKIM", text, False)
    valid = next((signature for signature in ours if verifies(head, body, signature, keys)), None)
    if valid is not None:
        return DoctorFinding("DKIM", f"letters are signed with the key at {_place(valid)}")
    first = ours[0]
    if not keys.record(first.tags.get("s", ""), first.domain):
        text = f"the letter is signed, but there is no key at {_place(first)}: add the TXT record that the relay names"
    else:
        text = (
            f"the letter's signature does not fit the key at {_place(first)}: compare the TXT record with the relay's"
        )
    return DoctorFinding("DKIM", text, False)


def _place(signature: SigningDomain) -> str:
    return f"{signature.tags.get('s', '')}._domainkey.{signature.domain}"
