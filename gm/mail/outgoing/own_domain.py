"""What receivers see of our domain: its SPF and DMARC records, and the DKIM signature of a letter of ours.

Without them, letters land in spam folders. A DKIM key is found by the selector that stands in a signed letter.
"""

from __future__ import annotations

from collections.abc import Iterator

from publicsuffixlist import PublicSuffixList

from gm.findings import DoctorFinding
from gm.mail.message.dkim_keys import DkimKeys, ResolveTxt
from gm.mail.message.dkim_signatures import SIGNATURE, SigningDomain, is_aligned, read_tags, split_letter, verifies
from gm.mail.message.headers import split_headers


def examine_domain(domain: str, resolve: ResolveTxt, seconds: float) -> Iterator[DoctorFinding]:
    """Looks up SPF (RFC 7208) and DMARC (RFC 7489). Raises DnsTrouble if DNS does not answer.

    A name without a dot, such as localhost, has no records.
    """
    if "." not in domain:
        return
    yield _examine_spf(domain, _records(domain, "v=spf1", resolve, seconds))
    place = f"_dmarc.{domain}"
    records = _records(place, "v=dmarc1", resolve, seconds)
    parent = PublicSuffixList().privatesuffix(domain)
    if not records and parent and parent != domain:
        place = f"_dmarc.{parent}"
        records = _records(place, "v=dmarc1", resolve, seconds)
    yield _examine_dmarc(domain, place, records)


def _records(name: str, version: str, resolve: ResolveTxt, seconds: float) -> list[str]:
    texts = [record.decode("ascii", "replace").strip() for record in resolve(name, seconds)]
    return [text for text in texts if text.replace(";", " ").lower().split()[:1] == [version]]


def _examine_spf(domain: str, records: list[str]) -> DoctorFinding:
    if not records:
        return DoctorFinding("SPF", f'{domain} has no record like "v=spf1 include:_spf.your-relay.example -all"', False)
    if len(records) > 1:
        return DoctorFinding("SPF", f"{domain} has {len(records)} records, so receivers ignore them: leave one", False)
    words = records[0].lower().split()[1:]
    if words == ["-all"]:
        return DoctorFinding(
            "SPF", f'{domain} says "{records[0]}", that it sends no mail: name your relay in it', False
        )
    return DoctorFinding("SPF", f'{domain} says "{records[0]}": see that it names your relay')


def _examine_dmarc(domain: str, place: str, records: list[str]) -> DoctorFinding:
    if not records:
        text = f'there is no record at _dmarc.{domain} like "v=DMARC1; p=quarantine"'
        return DoctorFinding("DMARC", text, False)
    if len(records) > 1:
        return DoctorFinding("DMARC", f"{place} has {len(records)} records, so receivers ignore them: leave one", False)
    tags = (tag.partition("=") for tag in records[0].lower().split(";"))
    policy = next((value.strip() for key, _, value in tags if key.strip() == "p"), "")
    if policy not in ("none", "quarantine", "reject"):
        return DoctorFinding("DMARC", f'{place} says "{records[0]}", without a policy: add p=quarantine', False)
    return DoctorFinding("DMARC", f'{place} says "{records[0]}"')


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
