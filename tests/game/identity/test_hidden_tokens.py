"""No token of a living seat leaves in words that somebody wrote, however it is written there."""

from __future__ import annotations

import base64
import codecs
import html
import quopri
from collections.abc import Callable
from urllib.parse import quote

import pytest
from game.identity.test_attacks import post, token
from support.dialogue import DeskStage, Player

from gm.game.identity.hidden_tokens import hide_tokens
from gm.game.identity.sender import ProvenSender, UnknownSender
from gm.game.model.records import Question

pytestmark = pytest.mark.parametrize("stage", ["memory"], indirect=True)
RUTH = "ruth@example.org"


def percent(words: str) -> str:
    return "".join(f"%{byte:02X}" for byte in words.encode())


WAYS: dict[str, Callable[[str], str]] = {
    "as it is": lambda secret: secret,
    "in capitals": str.upper,
    "our own button": lambda secret: quote(f"Ref: ostend S1901M {secret}", safe=""),
    "quoted-printable blank": lambda secret: f"Ref: ostend S1901M=20{secret}",
    "behind a letter": lambda secret: f"x{secret}",
    "before a letter": lambda secret: f"{secret}a",
    "in a line of letters": lambda secret: f"abc{secret}def",
    "two lines": lambda secret: f"{secret[:13]}\n{secret[13:]}",
    "soft line end": lambda secret: f"{secret[:13]}=\n{secret[13:]}",
    "quoted lines": lambda secret: f"> {secret[:13]}\n> {secret[13:]}",
    "quoted with initials": lambda secret: f"TA> {secret[:13]}\nTA> {secret[13:]}",
    "five lines": lambda secret: "\n".join(secret[at : at + 6] for at in range(0, 26, 6)),
    "with blanks": " ".join,
    "with dots": ".".join,
    "with dashes": "-".join,
    "in pairs": lambda secret: " / ".join(secret[at : at + 2] for at in range(0, 26, 2)),
    "percent": percent,
    "percent twice": lambda secret: percent(percent(secret)),
    "entities": lambda secret: "".join(f"&#{ord(char)};" for char in secret),
    "hexadecimal entities": lambda secret: "".join(f"&#x{ord(char):x};" for char in secret),
    "escapes": lambda secret: "".join(f"\\u{ord(char):04x}" for char in secret),
    "quoted-printable": lambda secret: "".join(f"={ord(char):02X}" for char in secret),
    "full width": lambda secret: "".join(chr(ord(char) + 0xFEE0) for char in secret),
    "mathematical": lambda secret: "".join(
        chr(0x1D41A + ord(char) - 97) if char.isalpha() else chr(0x1D7CE + ord(char) - 48) for char in secret
    ),
    "accents": lambda secret: "\u0301".join(secret),
    "zero width": lambda secret: "\u200b".join(secret),
    "emphasis": lambda secret: f"*{secret[:9]}*_{secret[9:]}_",
    "base64": lambda secret: base64.b64encode(secret.encode()).decode(),
    "base64 in a line": lambda secret: base64.b64encode(f"Ref: ostend S1901M {secret}, said Tom.".encode()).decode(),
    "base64 of lines": lambda secret: base64.encodebytes(f"{'Dear Luc, ' * 6}Ref: {secret} and more".encode()).decode(),
    "url base64": lambda secret: base64.urlsafe_b64encode(f"??>>{secret}".encode()).decode(),
    "hexadecimal": lambda secret: secret.encode().hex(),
    "hexadecimal in pairs": lambda secret: secret.encode().hex(" "),
    "hexadecimal with colons": lambda secret: secret.encode().hex(":").upper(),
    "backwards": lambda secret: secret[::-1],
    "backwards with dots": lambda secret: ".".join(secret[::-1]),
    "rot13": lambda secret: codecs.encode(secret, "rot13"),
    "rot13 in a line": lambda secret: codecs.encode(f"Ref: ostend S1901M {secret}", "rot13"),
    "Cyrillic letters": lambda secret: secret.translate(str.maketrans("aecpxyi", "аесрхуі")),
    "Greek letters": lambda secret: secret.upper().translate(str.maketrans("ABEIKMPTX", "ΑΒΕΙΚΜΡΤΧ")),
    "circled letters": lambda secret: "".join(
        chr(0x24D0 + ord(char) - 97) if char.isalpha() else chr(0x2460 + ord(char) - 49) for char in secret
    ),
    "tags between": lambda secret: "<b></b>".join((secret[:5], secret[5:11], secret[11:])),
    "line breaks in HTML": lambda secret: "<br/>".join(secret[at : at + 5] for at in range(0, 26, 5)),
    "one letter on a line": "\n".join,
    "an address": lambda secret: f"<mailto:gm+ostend.{secret}@gm.example>",
}


def secret_of(stage: DeskStage, power: str) -> str:
    return token(stage, power).partition(".")[2].partition("@")[0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("power", ["Germany", "France"])
def test_no_way_to_write_a_token_is_left(player: Player, stage: DeskStage, way: str, power: str) -> None:
    """The writer's own, and that of another seat of the game."""
    secret = secret_of(stage, power)
    written = WAYS[way](secret)
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        seat = next(seat for seat in store.games.seats(game.id) if seat.power == "Germany")
        person = store.people.get(seat.person or 0)
        text = f"Dear all,\n{written}\nYours, Tom 1901"
        for sender in (ProvenSender(person, seat), UnknownSender()):
            left = hide_tokens(stage.services, store, text, sender)
            assert left.startswith("Dear all,\n")
            assert left.endswith("\nYours, Tom 1901")
            assert left.count("\n") == text.count("\n")
            assert "…" in left
            assert not [piece for piece in written.split() if len(piece) > 12 and piece in left]


@pytest.mark.parametrize(
    "way", ["our own button", "quoted-printable blank", "behind a letter", "two lines", "with blanks"]
)
@pytest.mark.parametrize(
    ("power", "letter"),
    [
        ("Germany", "PRESS TO France, England\nHello.\n{}\nBye.\nENDPRESS"),
        ("Germany", "PRESS TO ALL\n{}\nENDPRESS"),
        ("Germany", "PRESS TO GM\n{}\nENDPRESS"),
        ("Germany", "EXTEND 2d {}"),
        ("Germany", "NAME Tom {}"),
        ("GM", "ANNOUNCE {}\nSome words\n{}\nEND"),
        ("GM", "POLL A week more {}? OPTIONS\nSunday\n{}\nEND"),
        ("GM", "CORRECT RESULT\n{}\nEND"),
        ("GM", "SET moves Fridays 20:00 because {}"),
        ("GM", "EXTEND 2d {}"),
        ("GM", "PAUSE {}"),
        ("GM", "DENY Germany: {}"),
    ],
)
def test_passed_on_words_hold_no_token(player: Player, stage: DeskStage, way: str, power: str, letter: str) -> None:
    secret = secret_of(stage, power)
    writer = "Tom <tom@example.org>" if power == "Germany" else f"Ruth <{RUTH}>"
    words = WAYS[way](secret)
    words = words if "\n" in letter else words.replace("\n", " ")
    post(player, writer, token(stage, power), letter.replace("{}", words), "Auth: pass\n")
    assert any(player.boxes.values())
    own = "tom@example.org" if power == "Germany" else RUTH
    for address, letters in player.boxes.items():
        for sent in letters if address != own else ():
            for text in (sent.subject, sent.text, html.unescape(sent.html)):
                assert secret not in "".join(char for char in text.lower() if char.isalnum())


def test_names_and_words_stay_as_they_are(player: Player, stage: DeskStage) -> None:
    text = (
        "Meet at 20:30, 100 % sure = yes &c. Donaudampfschifffahrtsgesellschaftskapitän S1902M\n> a 26 b 34\nA Par-Bur"
    )
    with stage.transaction() as store:
        assert hide_tokens(stage.services, store, text, UnknownSender()) == text


def test_a_code_that_is_shorter_than_a_token_stays(player: Player, stage: DeskStage) -> None:
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        seat = store.games.seats(game.id)[0]
        store.turns.add_question(Question("k7f3m2ab", "proposals", game.id, seat.id, 1, "{}", store.now()))
        coded = base64.b64encode(b"An attachment that says k7f3m2ab somewhere in the middle").decode()
        assert hide_tokens(stage.services, store, coded, UnknownSender()) == coded


def test_a_token_of_a_game_the_writer_is_not_in_goes_too(player: Player, stage: DeskStage) -> None:
    post(player, f"Ruth <{RUTH}>", "gm@gm.example", "CREATE lisbon\nSEAT France: Zoe <zoe@example.org>", "Auth: pass\n")
    with stage.transaction() as store:
        game = store.games.by_name("lisbon")
        assert game
        seat = next(seat for seat in store.games.seats(game.id) if seat.power == "France")
        secret = stage.services.post.token(seat)
        for way in ("behind a letter", "with blanks", "two lines", "our own button", "base64 in a line"):
            left = hide_tokens(stage.services, store, WAYS[way](secret), UnknownSender())
            assert "…" in left, way


def test_quoted_printable_of_a_whole_letter(player: Player, stage: DeskStage) -> None:
    secret = secret_of(stage, "Germany")
    raw = quopri.encodestring(f"Grüße, hier ist alles: {'x ' * 20}Ref: ostend {secret}".encode()).decode()
    with stage.transaction() as store:
        left = hide_tokens(stage.services, store, raw, UnknownSender())
    assert secret not in left.replace("=\n", "")


@pytest.mark.parametrize(
    "words",
    ["Look:\n> write to {}\nOr here.", "> My letter had {}\nThat is all.", "Look:\n> so:\n> {half}\n> {rest}\nRight?"],
)
@pytest.mark.parametrize("head", ["PRESS TO Germany", "Please tell Germany:"])
def test_quoted_lines_in_press_hold_no_token(player: Player, stage: DeskStage, head: str, words: str) -> None:
    secret = secret_of(stage, "France")
    written = words.format(token(stage), half=secret[:13], rest=secret[13:])
    post(player, "Luc <luc@example.org>", token(stage), f"{head}\n{written}\nENDPRESS")
    for letter in player.boxes["tom@example.org"]:
        for text in (letter.text, html.unescape(letter.html)):
            assert secret not in "".join(char for char in text.lower() if char.isalnum())
    assert player.boxes["tom@example.org"] or head != "PRESS TO Germany"
