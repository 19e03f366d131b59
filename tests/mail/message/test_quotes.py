"""Letters of many mail programs (letters/*.eml) and the sender's own words in each (letters/*.txt).

A .txt begins with facts to check (`# ref: …`, `# quoted: n`, `# signature: n`, `# refused: …`, any other name is one
of `other_ignored`), then has the words as they are to be read.
"""

from __future__ import annotations

import email
import email.policy

import pytest
from support.mail.mail_samples import opened
from support.paths import MAIL_LETTERS

from gm.game.model.records import Letter, SenderVerdict
from gm.mail.message import mime

LETTERS = sorted(path.stem for path in MAIL_LETTERS.glob("*.eml"))


def expected(name: str) -> tuple[dict[str, str], str]:
    lines = (MAIL_LETTERS / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    facts = {}
    while lines and lines[0].startswith("# "):
        key, _, value = lines.pop(0)[2:].partition(":")
        facts[key] = value.strip()
    return facts, "\n".join(lines).strip("\n")


def fact(letter: Letter, name: str) -> str:
    known = {
        "ref": " ".join(letter.ref),
        "quoted": str(letter.quoted_lines),
        "signature": str(letter.signature_lines),
        "refused": letter.refused,
    }
    return known[name] if name in known else str(dict(letter.other_ignored).get(name, 0))


@pytest.mark.parametrize("name", LETTERS)
def test_own_words(name: str) -> None:
    letter = opened((MAIL_LETTERS / f"{name}.eml").read_bytes())
    facts, words = expected(name)
    assert "\n".join(line for _, line in letter.lines) == words
    assert {key: fact(letter, key) for key in facts} == facts
    assert letter.verdict is SenderVerdict.ACT
    assert letter.sender == "ann@players.test"
    assert bool(letter.refused) == ("refused" in facts)


@pytest.mark.parametrize("name", LETTERS)
def test_line_ends_do_not_matter(name: str) -> None:
    raw = (MAIL_LETTERS / f"{name}.eml").read_bytes()
    assert opened(raw) == opened(raw.replace(b"\r\n", b"\n"))


@pytest.mark.parametrize("name", LETTERS)
def test_the_parts_are_those_the_standard_library_finds(name: str) -> None:
    raw = (MAIL_LETTERS / f"{name}.eml").read_bytes().replace(b"\r\n", b"\n")
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    if any(message.defects) or name == "base64-with-footer":
        return
    theirs = [part for part in message.walk() if not part.is_multipart()]
    ours = [part for part in mime.parse(raw).leaves() if not part.type.startswith("message/")]
    if len(theirs) == len(ours):
        assert [part.get_content_type() for part in theirs] == [part.type for part in ours]
        assert [part.get_payload(decode=True) for part in theirs] == [mime.content(part) for part in ours]
    else:
        assert name == "forwarded-as-attachment"


def test_there_are_many() -> None:
    assert len(LETTERS) >= 60
    assert {path.stem for path in MAIL_LETTERS.glob("*.txt")} == set(LETTERS)
