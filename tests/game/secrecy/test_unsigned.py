"""Who wrote a letter without a name is nobody's to know: two games alike but for who writes the same such letters."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from support.twin_games import GAME, MASTERS, Sent, Stage, Twins, blotted

from gm.game.model.records import MASTER
from gm.game.model.services import Services
from gm.game.press import write
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library

WRITERS = ("Russia", "Turkey")
"""One writes in the one game, the other in the other; all others are compared."""
WORDS = "Somebody will march before the week is out."

SIGN = re.compile(r"(?<=somebody\.)[a-z2-9]{10}")


@pytest.fixture(scope="module")
def variant(library: Library) -> Variant:
    return library.variant("standard")


class Game(Stage):
    def __init__(self, services: Services, variant: Variant, mode: str) -> None:
        super().__init__(services)
        seats = "\n".join(
            f"SEAT {power.name}: {power.name} Player <{Twins.address(power.name)}>" for power in variant.powers
        )
        head = f"zone: UTC\nreminder: no\npress: {mode}"
        super().write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\n{head}\n{seats}\nSTART")

    def say(self, power: str, words: str) -> None:
        address = MASTERS if power == MASTER else Twins.address(power)
        self.write(address, self.seat_address(power), words)
        self.wait()

    def wait(self) -> None:
        """Until what was written has left."""
        self.go_to(self.now() + timedelta(minutes=16))
        self.settle()

    def answer(self, power: str, words: str) -> None:
        """To the newest letter of press that this power got."""
        last = self.letters(power)[-1].row.letter
        reference = next(line for line in last.text.splitlines() if line.startswith("Ref:"))
        self.write(Twins.address(power), self.seat_address(power), f"{words}\n\n{reference}")
        self.wait()

    def letters(self, power: str) -> list[Sent]:
        return [sent for sent in self.recorder.sent[Twins.address(power)] if sent.row.letter.kind == "press"]


def letters_seen(services: Services, variant: Variant, mode: str, writer: str) -> dict[str, list[str]]:
    """All letters of those who never write unsigned, as they go out, with the marks in them blotted out."""
    game = Game(services, variant, mode)
    grey = " GREY" if mode.startswith("both") else ""
    game.say(writer, f"PRESS TO France, Germany{grey}\n{WORDS}\nENDPRESS")
    game.say("Austria", "PRESS TO Italy\nHave you read it?\nENDPRESS")
    game.answer("France", "Who are you?")
    game.answer(writer, f"Nobody you know.\n{writer} Player")
    game.say(writer, f"BROADCAST{grey}\nPeace, all of you.\nENDPRESS")
    game.answer("Italy", "Peace.")
    game.say(writer, f"PRESS TO ALL BUT England{grey}\nNot for London.\nENDPRESS")
    game.say("Germany", "PRESS LOG\nSTATUS\nWHO")
    game.say(writer, f"PRESS TO Austria WITH RESULTS{grey}\nIn the end.\nENDPRESS")
    game.go_to(game.now() + timedelta(days=1))
    game.say(MASTER, "PROCESS")
    others = [power.name for power in variant.powers if power.name not in WRITERS]
    return {name: [as_seen(sent) for sent in game.recorder.sent[Twins.address(name)]] for name in others}


def as_seen(sent: Sent) -> str:
    """Bytes and all, and what the letter hangs on: a mark may be another, but as long."""
    letter = sent.row.letter
    seen = repr((sent.seen(), blotted(letter.channel), len(letter.references)))
    return SIGN.sub(lambda match: "#" * len(match[0]), seen)


@pytest.mark.parametrize("mode", ["grey", "both", "grey\npress_copy: gm"])
def test_letters_do_not_show_who_wrote_them(services: Services, variant: Variant, mode: str) -> None:
    first, second = (letters_seen(services, variant, mode, writer) for writer in WRITERS)
    assert first == second
    assert all(WORDS in str(first[name]) for name in ("France", "Germany"))
    assert not any(WORDS in str(first[name]) for name in ("Austria", "Italy"))


def test_two_letters_of_one_writer_look_like_two_writers(services: Services, variant: Variant) -> None:
    """Neither thread, channel nor Ref line ties them together."""
    game = Game(services, variant, "grey")
    for number in range(2):
        game.say("Russia", f"PRESS TO France\nLetter {number}.\nENDPRESS")
    first, second = (letter.row.letter for letter in game.letters("France"))
    assert first.channel != second.channel
    assert not second.references


def test_signed_and_unsigned_letters_of_one_mail_do_not_come_together(services: Services, variant: Variant) -> None:
    game = Game(services, variant, "both")
    game.go_to(game.now() + timedelta(minutes=4))
    game.say("Russia", "PRESS TO France\nSigned.\nENDPRESS\nPRESS TO France GREY\nUnsigned.\nENDPRESS")
    signed, hidden = game.letters("France")
    assert "Unsigned." in hidden.row.letter.text
    assert hidden.row.queued_at - signed.row.queued_at >= timedelta(minutes=10)


def test_a_recipient_list_without_its_writer_is_detected(
    services: Services, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = write._row

    def leaky(session, to, words, name):  # type: ignore[no-untyped-def]
        return honest(session, set(to) - {session.author}, words, name)

    monkeypatch.setattr(write, "_row", leaky)
    first, second = (letters_seen(services, variant, "grey", writer) for writer in WRITERS)
    assert first != second


@pytest.mark.parametrize("mode", ["white", "both"])
@pytest.mark.parametrize(
    "words",
    [
        f"PRESS TO Italy\n{WORDS}\nENDPRESS\nPlease send that without my name.",
        f"Please hide my name.\nPRESS TO Italy\n{WORDS}\nENDPRESS",
        f"PRESSE AN Italien\n{WORDS}\nENDE\nBitte halte meinen Namen geheim.",
        f"Dear Italy, {WORDS}\n\nKeep my identity secret, please.",
        f"Italy should not know that this is from France.\nDear Italy, {WORDS}",
        f"Italien darf nicht wissen, dass das von Frankreich kommt.\nLiebes Italien, {WORDS}",
    ],
)
def test_words_that_hide_the_writer_hold_a_signed_letter(
    services: Services, variant: Variant, mode: str, words: str
) -> None:
    game = Game(services, variant, mode)
    game.say("France", words)
    answer = game.recorder.sent[Twins.address("France")][-1].row.letter.text
    game.say("France", "YES")
    assert game.letters("Italy") == []
    assert WORDS in " ".join(answer.split())


@pytest.mark.parametrize(
    "words",
    [
        f"PRESS TO Italy\n{WORDS}\nDon't tell them that you know it from me.\nENDPRESS\nA Par - Bur",
        f"PRESS TO Italy\n{WORDS}\nENDPRESS\nI don't know if this is from the rules: can I build in Spain?",
    ],
)
def test_words_of_a_letter_itself_do_not_hold_it(services: Services, variant: Variant, words: str) -> None:
    game = Game(services, variant, "white")
    game.say("France", words)
    assert len(game.letters("Italy")) == 1
