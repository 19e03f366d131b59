"""DEBUG: shows game masters how letters of their game arrived and how they were read.

A trace holds headers, proofs of the sender, orders and their errors; no press, votes or notes. A line with an error
may be press below a mistyped PRESS, so only its number and the kind of error are shown. Secret addresses and those of
other games are cut out. Codes of letters do not tell how many letters there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.game.identity import sender
from gm.game.letters.traced_letters import LINES_SHOWN, PRIVATE, GameLetters, TracedLetter
from gm.game.model.loaded_game import load_game
from gm.game.model.recipient import Recipient
from gm.game.model.records import InboxRow
from gm.judge.model.position import Position
from gm.language.commands.table import keyword_of
from gm.language.rendering import error_sentences, order_text, plain_text
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView, TableView

HEADER_SHOWN = 300
"""Characters of a header that are shown."""
HEADS = (
    "from", "sender", "reply-to", "return-path", "to", "cc", "date", "subject", "message-id", "in-reply-to",
    "content-type", "content-transfer-encoding", "user-agent", "x-mailer", "auto-submitted", "precedence", "list-id",
    "authentication-results", "received-spf",
)  # fmt: skip
ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]@]{1,64}@[^\s<>,;\"()\[\]@]{1,190}")


# ---- what is shown


def debug_sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    if reader.power is not None:
        return ()
    loaded_game = load_game(reader.services, reader.store, reader.game)
    letters = GameLetters(reader.services, reader.store, loaded_game)
    traced = letters.find(topic) if topic else None
    return _trace(reader, letters, traced) if traced is not None else (_list(reader, letters.last()),)


def _list(reader: Recipient, known: tuple[TracedLetter, ...]) -> SectionView:
    title = reader.say("debug.title")
    if not known:
        return SectionView(title, (ParagraphView(reader.say("debug.none")),))
    rows = tuple(RowView(f"DEBUG {traced.word}", _listed(reader, traced)) for traced in known)
    return SectionView(title, (RowsView(rows),))


def _listed(reader: Recipient, traced: TracedLetter) -> str:
    seat = reader.called(traced.seat.power)
    return reader.say(
        "debug.listed", when=reader.hour(traced.row.received_at), seat=seat, state=_state(reader, traced.row)
    )


def _state(reader: Recipient, row: InboxRow) -> str:
    why = plain_text.header(reader.services.post.hide(row.error.strip().rpartition("\n")[2]), HEADER_SHOWN)
    return reader.say(f"debug.states.{row.state.value}", why=why)


def _trace(reader: Recipient, letters: GameLetters, traced: TracedLetter) -> tuple[SectionView, ...]:
    title = reader.say("debug.letter", seat=reader.called(traced.seat.power), when=reader.hour(traced.row.received_at))
    letter, say = traced.letter, reader.say
    facts = (
        (say("debug.state"), _state(reader, traced.row)),
        (say("debug.came"), _vouched(reader, traced)),
        (say("debug.size"), say("debug.bytes", n=len(traced.row.raw))),
        (say("debug.own"), str(sum(bool(words.strip()) for _, words in letter.lines))),
        (say("debug.quoted"), str(letter.quoted_lines)),
        (say("debug.signature"), str(letter.signature_lines)),
        *((reader.choose("read", key, n=n, what=key), str(n)) for key, n in letter.other_ignored),
    )
    head = TableView(tuple(_head(reader, traced)))
    return (
        SectionView(title, (TableView(facts),)),
        SectionView(say("debug.head"), (head,)),
        SectionView(say("debug.read"), tuple(_lines(reader, letters, traced))),
    )


def _vouched(reader: Recipient, traced: TracedLetter) -> str:
    letter, say = traced.letter, reader.say
    keys = reader.services.post.keys(letter.delivered_to, letter.ref)
    if any(reader.services.post.matches(traced.seat, key.token) for key in keys):
        return say("debug.by-token")
    if letter.failed:
        return say("debug.failed")
    if letter.proven:
        return say("debug.by-from")
    if traced.row.signature:
        return say("debug.by-signature", domain=traced.row.signature.partition(" ")[0])
    released = sender.is_released(reader.services, reader.store, traced.row)
    return say("debug.by-answer" if released else "debug.by-nothing")


def _head(reader: Recipient, traced: TracedLetter) -> Iterator[tuple[str, str]]:
    for name, value in reader.services.headers(traced.row):
        if name in HEADS:
            yield name, plain_text.header(_cut(reader, value), HEADER_SHOWN)


def _cut(reader: Recipient, value: str) -> str:
    """Shorten a header; hide tokens and addresses of other games."""
    post, hidden = reader.services.post, reader.say("debug.hidden")
    own = post.game_address(reader.game.name)

    def shown(match: re.Match[str]) -> str:
        address = match[0].lower()
        return match[0] if not post.ours(address) or address in (own, post.address) else hidden

    return post.hide(ADDRESS.sub(shown, value))


def _lines(reader: Recipient, letters: GameLetters, traced: TracedLetter) -> Iterator[Block]:
    if traced.letter.refused:
        yield ParagraphView(reader.say("debug.refused", why=traced.letter.refused))
        return
    reading = letters.read(traced)
    letter = reader.game.phase[-1:]
    rows: list[tuple[int, RowView]] = [
        (given.line, RowView(order_text.statement(given.statement, letter), reader.say("debug.order"), "good"))
        for given in reading.orders
    ]
    rows += [
        (given.line, RowView(keyword_of(given.request)))
        for given in reading.requests
        if not isinstance(given.request, PRIVATE)
    ]
    for trouble in reading.troubles:
        kind = error_sentences.kind(reader.catalogue, trouble)
        rows.append((trouble.line, RowView(reader.say("debug.trouble"), kind, "" if trouble.obeyed else "bad")))
    if rows:
        ordered = sorted(rows, key=lambda pair: pair[0])
        yield RowsView(tuple(RowView(f"{line}: {row.code}", row.remark, row.tone) for line, row in ordered))
    if len(traced.letter.lines) > LINES_SHOWN:
        yield ParagraphView(reader.say("debug.beyond", n=LINES_SHOWN))
    if reading.prose:
        yield ParagraphView(reader.say("debug.prose", n=reading.prose))
    yield ParagraphView(reader.say("debug.private"))
