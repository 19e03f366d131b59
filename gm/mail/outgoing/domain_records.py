"""What DNS says about our domain: without SPF and DMARC, letters land in spam folders.

DKIM keys cannot be records by the domain alone: their selector stands in a signed letter.
"""

from __future__ import annotations

from collections.abc import Iterator

from publicsuffixlist import PublicSuffixList

from gm.findings import DoctorFinding
from gm.mail.message.dkim_keys import ResolveTxt


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
        text = f'there is no record at _dmarc.{domain} like "v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}"'
        return DoctorFinding("DMARC", text, False)
    if len(records) > 1:
        return DoctorFinding("DMARC", f"{place} has {len(records)} records, so receivers ignore them: leave one", False)
    tags = (tag.partition("=") for tag in records[0].lower().split(";"))
    policy = next((value.strip() for key, _, value in tags if key.strip() == "p"), "")
    if policy not in ("none", "quarantine", "reject"):
        return DoctorFinding("DMARC", f'{place} says "{records[0]}", without a policy: add p=quarantine', False)
    return DoctorFinding("DMARC", f'{place} says "{records[0]}"')
