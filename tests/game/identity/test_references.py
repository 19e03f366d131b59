"""`Ref:` lines that somebody put into words which another player quotes: they read nothing and order nothing."""

from __future__ import annotations

import unicodedata

import pytest
from game.identity.test_attacks import LUC, post, token
from support.dialogue import DeskStage, Player
from support.promises_model import sheet_lines

from gm.mail.message.charset import normalize_text

TOM = "tom@example.org"
PLANES = (*range(0x20000), *range(0xE0000, 0xE1000))
"""Where Unicode has characters besides ideographs and those of private use."""
FORMATS = [char for char in map(chr, PLANES) if unicodedata.category(char) == "Cf"]
IGNORED = [
    *FORMATS,
    *"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u2065\u3164\ufe00\ufe0f\uffa0\ufff0\U000e0100\U000e0fff",
]
SECRET_ORDER = "A Par - Bur"


def planted(stage: DeskStage, between: str = "") -> str:
    """Tom's own Ref line, with something between its letters."""
    secret = token(stage, "Germany").partition(".")[2].partition("@")[0]
    return f"R{between}ef: ostend S1901M {secret[:9]}{between}{secret[9:]}"


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


@pytest.mark.parametrize("char", IGNORED, ids=lambda char: f"{ord(char):04X}")
def test_nothing_invisible_gets_in(char: str) -> None:
    for several in (char, char * 3, f"{char}\u200d{char}"):
        assert normalize_text(f"R{several}ef: ostend\nx{several}") == "Ref: ostend\nx"


def test_joiners_stay_where_letters_need_them() -> None:
    for text in ("می\u200cخواهم", "👩\u200d🚀", "❤\ufe0f yes"):
        assert normalize_text(text) == text


@pytest.mark.parametrize("between", ["", "\u2061", "\u200d", "\u200d\u200d\u200d", "\ufe0f", "\u00ad", "\U000e0020"])
@pytest.mark.parametrize("sender", [f"Luc <{LUC}>", "Luc <luc@phone.example>"])
@pytest.mark.parametrize("stage", ["memory"], indirect=True)
@pytest.mark.parametrize("threaded", [True, False], ids=["threaded", "alone"])
def test_an_answer_to_planted_words_is_not_the_planters(
    player: Player, stage: DeskStage, between: str, sender: str, threaded: bool
) -> None:
    """Luc's orders, above a quoted letter with Tom's line, to the game's common address."""
    line = planted(stage, between)
    post(player, TOM, token(stage, "Germany"), f"PRESS TO France\nHello Luc.\n{line}\nBest, Tom\nENDPRESS")
    (press,) = player.boxes[LUC]
    assert token(stage, "Germany").partition(".")[2].partition("@")[0] not in press.text + press.html
    player.boxes.clear()
    above = f"{SECRET_ORDER}\nA Mar - Spa\n\nTom wrote:\n"
    head = f"Subject: Re: {press.subject}\n" + (f"Header: In-Reply-To: <{press.message_id}>\n" if threaded else "")
    unmarked = f"{planted(stage)}\n{press.text}"
    for words in (quoted(press.text), quoted(unmarked), quoted(planted(stage)), unmarked):
        post(player, sender, "gm@gm.example", above + words, head)
    shown = [letter.text + letter.html for letter in player.boxes[TOM]]
    assert not [text for text in shown if "A Par" in text or "Bur" in text]
    assert sheet_lines(stage, "Germany") == ()
    assert player.boxes[LUC] or not threaded


@pytest.mark.parametrize("stage", ["memory"], indirect=True)
def test_a_quoted_line_counts_for_the_registered_player(player: Player, stage: DeskStage) -> None:
    secret = token(stage).partition(".")[2].partition("@")[0]
    words = f"{SECRET_ORDER}\n\ngm wrote:\n> {planted(stage)}\n> Ref: ostend S1901M {secret}"
    post(player, f"Luc <{LUC}>", "gm@gm.example", words)
    assert sheet_lines(stage, "France") == (SECRET_ORDER,)


@pytest.mark.parametrize("stage", ["memory"], indirect=True)
def test_a_quoted_line_from_nobodys_address_is_asked_about_without_its_words(player: Player, stage: DeskStage) -> None:
    post(player, "x@phone.example", "gm@gm.example", f"{SECRET_ORDER}\n\nSomebody wrote:\n> {planted(stage)}")
    (notice,) = player.boxes[TOM]
    assert "an address that is nobody's" in " ".join(notice.text.split())
    assert "Par" not in notice.text
    assert "phone" not in notice.text


@pytest.mark.parametrize("stage", ["memory"], indirect=True)
def test_a_planted_line_names_no_phase_and_no_channel(player: Player, stage: DeskStage) -> None:
    """Without a token, or with another's, it neither makes orders late nor sends a reply to others."""
    secret = token(stage).partition(".")[2].partition("@")[0]
    ours = f"> Ref: ostend S1901M {secret}"
    for line in (
        "Ref: ostend S1905M",
        "Ref: ostend press France-Germany",
        planted(stage).replace("S1901M", "press All"),
    ):
        post(player, f"Luc <{LUC}>", token(stage), f"A Par - Bur\n\ngm wrote:\n> {line}\n{ours}")
        (answer,) = player.boxes[LUC]
        assert "too late" not in answer.text
        assert sheet_lines(stage, "France") == (SECRET_ORDER,)
        player.boxes.clear()
        post(player, f"Luc <{LUC}>", token(stage), "CLEAR")
        player.boxes.clear()
