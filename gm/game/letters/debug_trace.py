"""DEBUG: shows game masters how letters of their game arrived and how they were read.

A trace holds headers, proofs of the sender, orders and their errors; no press, votes or notes. A line with an error
may be press below a mistyped PRESS, so only its number and the kind of error are shown. Secret addresses and those of
other games are cut out. Codes of letters do not tell how many letters there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from gm.game.identity import sender, which_phase
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import InboxRow, Letter, Seat
from gm.game.model.services import Services
from gm.game.model.settings import plain_names, takes_illegal
from gm.game.views import maps
from gm.judge.model.position import Position
from gm.language.commands import gm, observers, requests
from gm.language.commands.planning import CheckRequest
from gm.language.commands.table import keyword_of
from gm.language.formats.stored_values import position_from_text
from gm.language.i18n.localized_variant import localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext
from gm.language.rendering import error_sentences, order_text, plain_text
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView, TableView

DEBUG = "debug"
CODE_LENGTH = 8
MOST = 20
"""Letters listed, and the number of last letters of each seat that are searched."""
LOOKED_AT = 200
LONGEST = 300
"""Characters of a header that are shown."""
HEADS = (
    "from", "sender", "reply-to", "return-path", "to", "cc", "date", "subject", "message-id", "in-reply-to",
    "content-type", "content-transfer-encoding", "user-agent", "x-mailer", "auto-submitted", "precedence", "list-id",
    "authentication-results", "received-spf",
)  # fmt: skip
PRIVATE = (
    requests.PressRequest,
    requests.VoteRequest,
    gm.BallotRequest,
    observers.DiaryRequest,
    observers.MuteRequest,
    observers.UnmuteRequest,
    CheckRequest,
)
"""Private requests. A letter that holds nothing else is not listed."""
ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]@]{1,64}@[^\s<>,;\"()\[\]@]{1,190}")


class TracedLetter(Struct, frozen=True):
    """A letter of a seat; `word` is its code in DEBUG."""

    word: str
    seat: Seat
    row: InboxRow
    letter: Letter


def traced_letters(services: Services, store: Store, loaded_game: LoadedGame) -> tuple[TracedLetter, ...]:
    """The letters that a game master of this game may see, the newest first."""
    rows: dict[int, Seat] = {}
    for seat in (*loaded_game.seats, *loaded_game.observers):
        for row in _rows(store, seat):
            rows.setdefault(row, seat)
    letters = (_traced(services, store, seat, store.inbox.get(row)) for row, seat in rows.items())
    known = (traced for traced in letters if _about(services, store, loaded_game, traced))
    return tuple(sorted(known, key=lambda traced: (traced.row.received_at, traced.row.id), reverse=True))


def _rows(store: Store, seat: Seat) -> Iterator[int]:
    """Inbox rows of letters that the seat has an answer or a question about."""
    for message_id in store.outbox.thread_ids(seat.id)[-LOOKED_AT:]:
        thread = store.outbox.answered_letter(message_id)
        if thread is None:
            continue
        kind, _, rest = thread.cause.partition(":")
        if thread.kind == "answer" and kind == "inbox":
            yield int(rest.partition(":")[0])
        elif kind == "question":
            question = store.turns.question(rest)
            if question is not None and question.kind == sender.HOLD and question.inbox:
                yield question.inbox


def _traced(services: Services, store: Store, seat: Seat, row: InboxRow) -> TracedLetter:
    word = services.post.code(DEBUG, str(seat.game), str(row.id))[:CODE_LENGTH]
    return TracedLetter(word, seat, row, services.open_letter(row))


def _about(services: Services, store: Store, loaded_game: LoadedGame, traced: TracedLetter) -> bool:
    """Whether the letter is about this game only, and is neither press nor private."""
    if which_phase.find_press_channel(store, traced.letter, traced.seat):
        return False
    named = {name for name in sender.named_games(services, traced.letter) if store.games.by_name(name) is not None}
    reading = _reading(services, store, loaded_game, traced)
    asked = [given.request for given in reading.requests]
    shows = bool(reading.orders or reading.troubles) or not asked or not all(isinstance(r, PRIVATE) for r in asked)
    return named <= {loaded_game.game.name} and shows


def find_letter(known: Iterable[TracedLetter], asked: str) -> TracedLetter | None:
    """Find a letter by its code or its Message-ID."""
    wanted = asked.lower()
    return next((traced for traced in known if wanted in (traced.word, traced.letter.message_id.lower())), None)


def _reading(services: Services, store: Store, loaded_game: LoadedGame, traced: TracedLetter) -> LetterContents:
    """Read the letter as it was read, with the position at its arrival."""
    variant, position = loaded_game.variant, loaded_game.position
    line = maps.snapshots_back(store, loaded_game.game) if loaded_game.game.snapshot else ()
    then = next((snapshot for snapshot in line if snapshot.at <= traced.row.received_at), None)
    position = position_from_text(then.position, variant) if then is not None else position
    language = "" if traced.seat.person is None else store.people.get(traced.seat.person).language
    power = traced.seat.power if loaded_game.seat_of(traced.seat.power) in loaded_game.power_seats else ""
    master = traced.seat in loaded_game.masters
    spoke, illegal = localized(variant, language or loaded_game.settings.language), takes_illegal(loaded_game.game)
    context = LetterContext(spoke, position, power, master=master, illegal=illegal, plain_settings=plain_names())
    return read_letter(traced.letter.lines, context)


# ---- what is shown


def debug_sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    if reader.power is not None:
        return ()
    loaded_game = load_game(reader.services, reader.store, reader.game)
    known = traced_letters(reader.services, reader.store, loaded_game)
    traced = find_letter(known, topic) if topic else None
    return _trace(reader, loaded_game, traced) if traced is not None else (_list(reader, known),)


def _list(reader: Recipient, known: tuple[TracedLetter, ...]) -> SectionView:
    title = reader.say("debug.title")
    if not known:
        return SectionView(title, (ParagraphView(reader.say("debug.none")),))
    rows = tuple(RowView(f"DEBUG {traced.word}", _listed(reader, traced)) for traced in known[:MOST])
    return SectionView(title, (RowsView(rows),))


def _listed(reader: Recipient, traced: TracedLetter) -> str:
    seat = reader.called(traced.seat.power)
    return reader.say(
        "debug.listed", when=reader.hour(traced.row.received_at), seat=seat, state=_state(reader, traced.row)
    )


def _state(reader: Recipient, row: InboxRow) -> str:
    why = plain_text.header(reader.services.post.hide(row.error.strip().rpartition("\n")[2]), LONGEST)
    return reader.say(f"debug.states.{row.state.value}", why=why)


def _trace(reader: Recipient, loaded_game: LoadedGame, traced: TracedLetter) -> tuple[SectionView, ...]:
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
        SectionView(say("debug.read"), tuple(_lines(reader, loaded_game, traced))),
    )


def _vouched(reader: Recipient, traced: TracedLetter) -> str:
    letter, say = traced.letter, reader.say
    keys = reader.services.post.keys(letter.delivered_to, letter.ref)
    if any(reader.services.post.matches(traced.seat, key.token) for key in keys):
        return say("debug.by-token")
    if letter.failed:
        return say("debug.failed")
    if letter.proven and reader.services.trust_from:
        return say("debug.by-from")
    if traced.row.signature:
        return say("debug.by-signature", domain=traced.row.signature.partition(" ")[0])
    released = sender.is_released(reader.services, reader.store, traced.row)
    return say("debug.by-answer" if released else "debug.by-nothing")


def _head(reader: Recipient, traced: TracedLetter) -> Iterator[tuple[str, str]]:
    for name, value in reader.services.headers(traced.row):
        if name in HEADS:
            yield name, plain_text.header(_cut(reader, value), LONGEST)


def _cut(reader: Recipient, value: str) -> str:
    """Shorten a header; hide tokens and addresses of other games."""
    post, hidden = reader.services.post, reader.say("debug.hidden")
    own = post.game_address(reader.game.name)

    def shown(match: re.Match[str]) -> str:
        address = match[0].lower()
        return match[0] if not post.ours(address) or address in (own, post.address) else hidden

    return post.hide(ADDRESS.sub(shown, value))


def _lines(reader: Recipient, loaded_game: LoadedGame, traced: TracedLetter) -> Iterator[Block]:
    if traced.letter.refused:
        yield ParagraphView(reader.say("debug.refused", why=traced.letter.refused))
        return
    reading = _reading(reader.services, reader.store, loaded_game, traced)
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
    if reading.prose:
        yield ParagraphView(reader.say("debug.prose", n=reading.prose))
    yield ParagraphView(reader.say("debug.private"))
