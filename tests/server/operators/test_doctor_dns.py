"""`gm doctor` and the records of its own domain, with a DNS of the test."""

from __future__ import annotations

import pytest

from gm.mail.message.dkim_keys import DnsTrouble
from gm.server.operators.doctor import check_dns

SPF = ("v=spf1 include:_spf.relay.example -all",)
DMARC = ("v=DMARC1; p=quarantine",)


def findings(records: dict[str, tuple[str, ...]], address: str = "gm@games.club.org") -> dict[str, tuple[bool, str]]:
    def resolve(name: str, seconds: float) -> tuple[bytes, ...]:
        return tuple(text.encode() for text in records.get(name, ()))

    return {finding.what: (finding.good, finding.text) for finding in check_dns(address, resolve)}


@pytest.mark.parametrize(
    ("records", "good", "words"),
    [
        (("google-site-verification=1", *SPF), True, "see that it names your relay"),
        (("V=SPF1 mx",), True, "V=SPF1 mx"),
        ((), False, "has no record"),
        (("v=spf10 mx", "some text"), False, "has no record"),
        ((*SPF, "v=spf1 mx"), False, "has 2 records"),
        (("v=spf1 -all",), False, "sends no mail"),
    ],
)
def test_spf(records: tuple[str, ...], good: bool, words: str) -> None:
    checks = findings({"games.club.org": records, "_dmarc.games.club.org": DMARC})
    assert checks["SPF"][0] is good
    assert words in checks["SPF"][1]
    assert checks["DMARC"][0]


@pytest.mark.parametrize(
    ("place", "records", "good", "words"),
    [
        ("_dmarc.games.club.org", DMARC, True, "p=quarantine"),
        ("_dmarc.club.org", ("v=DMARC1;p=none",), True, "_dmarc.club.org"),
        ("_dmarc.org", DMARC, False, "no record at _dmarc.games.club.org"),
        ("_dmarc.games.club.org", (*DMARC, *DMARC), False, "has 2 records"),
        ("_dmarc.games.club.org", ("v=DMARC1; rua=mailto:x@club.org",), False, "without a policy"),
        ("_dmarc.games.club.org", ("p=reject; v=DMARC1",), False, "no record"),
    ],
)
def test_dmarc(place: str, records: tuple[str, ...], good: bool, words: str) -> None:
    checks = findings({"games.club.org": SPF, place: records})
    assert checks["DMARC"][0] is good
    assert words in checks["DMARC"][1]


def test_without_a_name_server_nothing_is_called_wrong() -> None:
    def resolve(name: str, seconds: float) -> tuple[bytes, ...]:
        raise DnsTrouble("LifetimeTimeout")

    (finding,) = check_dns("gm@club.org", resolve)
    assert finding.good
    assert "LifetimeTimeout" in finding.text


def test_a_machine_without_a_domain_needs_no_records() -> None:
    assert set(findings({}, "gm@localhost")) == {"dns"}
