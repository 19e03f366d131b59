"""A game in which human letters are played: each comes in as RFC 5322 bytes and is answered as the server answers.

One game serves all letters of a variant, position and language; each letter finds it as it was at its beginning.
"""

from __future__ import annotations

import json
from binascii import b2a_qp
from collections.abc import Mapping
from datetime import timedelta
from email import policy
from email.header import Header
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from msgspec.structs import replace
from support.dialogue import AUTHSERV, DeskStage
from support.mail.plain_words import parsed, plain_words
from support.services import POST, START, envelope
from support.stores.memory_rows import Data
from support.stores.memory_store import MemoryStore

from gm.game.clock import clock
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.records import Game, GameState, InboxState, OutboxRow, Sheet, SheetLine
from gm.game.model.services import Services
from gm.judge.model.orders import Move
from gm.language.formats import stored_values
from gm.language.formats.json_position import options_from_json, position_from_json
from gm.language.lines.letter_contents import LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering.order_text import statement
from gm.mail.incoming.received import Received
from gm.mail.outgoing.compose import compose_letter
from human_letters.human_letter import HumanLetter

GAME = "ostend"
MASTER_ADDRESS = "ruth@example.org"
SETTINGS = "zone: UTC\nmoves: 7 d\nretreats: 48 h\nbuilds: 48 h"
BEGUN: dict[tuple[str, tuple[tuple[str, str], ...], str], Data] = {}


class Sent:
    """A relay that keeps what it is given."""

    def __init__(self) -> None:
        self.rows: list[OutboxRow] = []

    def send(self, row: OutboxRow) -> None:
        self.rows.append(row)


class PlayedGame:
    """`position` is JSON text, or "start"."""

    def __init__(self, services: Services, variant: str, position: str, language: str) -> None:
        self.store = MemoryStore(START, envelope=envelope)
        self.stage = DeskStage(services, self.store, self.store)
        document = {} if position == "start" else json.loads(position)
        self.variant = services.variant(variant, options_from_json(document))
        self._begin_once(language)
        if document:
            self._set_up(document)
        self._beginning = self.store.data.copy()
        self._opened = self._loaded()
        """The phase that the letters are for; a complete set of retreats ends it."""
        self._posted = 0
        self._answer = ""  # the id of the newest letter to the sender

    def _begin_once(self, language: str) -> None:
        """Games of a variant and a language begin with the same rows, whatever position they are given."""
        key = self.variant.id, tuple(self.variant.options.items()), language
        if key not in BEGUN:
            self._begin(language)
            BEGUN[key] = self.store.data.copy()
        self.store.data = BEGUN[key].copy()
        self.stage.go_to(START + timedelta(hours=3))

    def _begin(self, language: str) -> None:
        seats = "\n".join(
            f"SEAT {power.name}: {power.name} Player <{address(power.name)}>" for power in self.variant.powers
        )
        letter = EmailMessage(policy=policy.SMTP)
        letter["From"], letter["To"] = MASTER_ADDRESS, "gm@gm.example"
        letter["Authentication-Results"] = f"{AUTHSERV}; dmarc=pass header.from=example.org"
        letter["Message-ID"] = "<creation@example.org>"
        options = "".join(f"{name}: {value}\n" for name, value in self.variant.options.items())
        letter.set_content(
            f"CREATE {GAME} {self.variant.id}\nlanguage: {language}\n{options}{SETTINGS}\n{seats}\nSTART"
        )
        self._post(letter.as_bytes(), MASTER_ADDRESS, "gm@gm.example")
        if self._game().state is not GameState.RUNNING:
            raise RuntimeError(f"no game of {self.variant.id} could be started")

    def _set_up(self, document: Mapping[str, Any]) -> None:
        position = position_from_json(self.variant, document)
        data, game = self.store.data, self._game()
        stored = stored_values.position_to_text(position, self.variant)
        snapshot = data.snapshots[game.snapshot]
        data.snapshots[game.snapshot] = replace(snapshot, position=stored, phase=document["phase"])
        data.games[game.id] = replace(game, phase=document["phase"])

    # ---- one letter

    def play(self, letter: HumanLetter) -> str:
        """Returns the text of the answer: all that is sent to the writer. The sheet is `on_file`."""
        self.store.data = self._beginning.copy()
        self._file(letter)
        return self._write(letter.power, letter.subject, letter.body, letter.html)

    def reply(self, power: str, words: str) -> str:
        """The player answers the letter that they got last."""
        return self._write(power, "Re: your letter", words, "", answered=self._answer)

    def _file(self, letter: HumanLetter) -> None:
        """Stores the sheet as it stands before the letter."""
        if not letter.on_file:
            return
        loaded = self._loaded()
        lines: dict[str, list[SheetLine]] = {}
        for text in letter.on_file:
            power, written = self._whose(letter.power, text)
            order = read_order(written, loaded.context(power))
            if isinstance(order, LineError):
                raise ValueError(f"{letter.id}: {text!r} cannot be on file")
            lines.setdefault(power, []).append(SheetLine(order.slot, statement(order, loaded.step.letter)))
        game = loaded.game
        with self.store.transaction() as store:
            for power, rows in lines.items():
                sheet = Sheet(game.id, game.phase, game.snapshot, letter.power, power, 1, tuple(rows), inbox=1)
                store.turns.add_sheet(replace(sheet, at=self.stage.now()))

    def _whose(self, author: str, text: str) -> tuple[str, str]:
        """The power whose line it is, which may be one that the author controls, and the line without its name."""
        whose, colon, line = text.partition(": ")
        return (whose, line) if colon and whose in self._loaded().controlled(author) else (author, text)

    def on_file(self, power: str) -> tuple[str, ...]:
        """The lines that the player has on file for the open phase; those of a controlled power begin with its name."""
        game = self._opened.game
        with self.store.transaction() as store:
            sheets = [sheet for sheet in store.turns.sheets(game.id, game.snapshot) if sheet.author == power]
        return tuple(
            line.text if sheet.power == power else f"{sheet.power}: {line.text}"
            for sheet in sheets
            for line in sheet.lines
            if not line.lent
        )

    def canonical(self, power: str, text: str) -> str:
        """The line as the sheet would hold it; the text itself, in single blanks, where it is no order here.

        The seas that a convoyed army names are left out, and VIA where it cannot walk.
        """
        plain = " ".join(text.split())
        loaded = self._opened
        for controlled in loaded.controlled(power):
            if plain.startswith(f"{controlled}: "):
                return f"{controlled}: {self.canonical(controlled, plain.removeprefix(f'{controlled}: '))}"
        order = read_order(plain, loaded.context(power, any_unit=True))
        if isinstance(order, LineError):
            return plain
        if isinstance(order, Move) and (order.route or not self._can_walk(order)):
            order = replace(order, via=False, route=())
        return statement(order, loaded.step.letter)

    def _can_walk(self, order: Move) -> bool:
        position = self._opened.position
        at = next((unit.at for unit in position.units if unit.at.province == order.unit.at.province), None)
        moves = position.board.adjacency.moves[at] if at is not None else ()
        return any(end.province == order.to.province for end in moves)

    def slot(self, power: str, text: str) -> tuple[str, str]:
        """What the line is about: lines about the same replace one another."""
        loaded = self._opened
        whose, _, line = text.partition(": ")
        if whose in loaded.controlled(power):
            kind, about = self.slot(whose, line)
            return kind, f"{whose}: {about}"
        order = read_order(text, loaded.context(power, any_unit=True))
        return ("", text) if isinstance(order, LineError) else order.slot

    # ---- mail

    def _write(self, power: str, subject: str, body: str, html: str, answered: str = "") -> str:
        to = self._reply_address(power)
        self._posted += 1
        sender, now = address(power), format_datetime(self.stage.now())
        heads = {
            "Return-Path": f"<{sender}>",
            "Received": f"from mail.example.org by {AUTHSERV} with ESMTPS; {now}",
            "Authentication-Results": f"{AUTHSERV}; dmarc=pass header.from=example.org",
            "Date": now,
            "From": f"{power} Player <{sender}>",
            "To": to,
            "Message-ID": f"<{self._posted}.human@mail.example.org>",
            "User-Agent": "Mozilla Thunderbird",
        }
        if answered:
            heads["In-Reply-To"] = heads["References"] = f"<{answered}>"
        head = "".join(f"{name}: {value}\r\n" for name, value in (heads | _described(subject, html=bool(html))).items())
        lines = "".join(f"{line}\r\n" for line in (html or body).splitlines())
        return self._post(f"{head}\r\n".encode("ascii") + b2a_qp(lines.encode()), sender, to)

    def _post(self, raw: bytes, sender: str, to: str) -> str:
        """Returns the text of what is sent to the sender, as it leaves."""
        now = self.stage.now()
        self.stage.post(Received(raw, now, "test", sender, (to,)))
        clock.tick(self.stage.services, self.stage.transaction, None)
        relay = Sent()
        while clock.send(self.stage.transaction, relay, self.stage.services):
            pass
        shunted = [row.error for row in self.store.data.inbox.values() if row.state is InboxState.SHUNTED]
        if shunted:
            raise RuntimeError(shunted[0])
        answers = [row for row in relay.rows if row.letter.address == sender]
        self._answer = answers[-1].letter.message_id if answers else ""
        return "\n".join(map(_text, answers))

    def _reply_address(self, power: str) -> str:
        game = self._game()
        with self.store.transaction() as store:
            seat = next(seat for seat in store.games.seats(game.id) if seat.power == power)
        return POST.reply_address(GAME, seat)

    def _game(self) -> Game:
        with self.store.transaction() as store:
            game = store.games.by_name(GAME)
        if game is None:
            raise RuntimeError(f"no game of {self.variant.id} could be created")
        return game

    def _loaded(self) -> LoadedGame:
        game = self._game()
        with self.store.transaction() as store:
            return load_game(self.stage.services, store, game)


def address(power: str) -> str:
    return f"{power.lower().replace(' ', '-')}@example.org"


def _described(subject: str, *, html: bool) -> dict[str, str]:
    """The headers of a letter in one part. `EmailMessage` takes fifty times as long: it parses what it is given."""
    if not subject.isascii():
        subject = Header(subject, "utf-8", header_name="Subject").encode(linesep="\r\n")
    return {
        "Subject": subject,
        "MIME-Version": "1.0",
        "Content-Type": f'text/{"html" if html else "plain"}; charset="utf-8"',
        "Content-Transfer-Encoding": "quoted-printable",
    }


def _text(row: OutboxRow) -> str:
    """The plain text of a letter as its reader's mail program shows it."""
    return plain_words(parsed(compose_letter(row)))
