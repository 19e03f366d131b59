"""Erases a person (`gm erase`): whatever is stored about them is found from their number in the table `person`.

From the person lead: present and former addresses and names (`known_as`), the letters they wrote (`inbox.person`, also
from addresses that are not theirs), the seats, games and other rows that hold their number; and from the games, the
letters about them.

- Their own letters, and all letters to them, are emptied. Unread ones are never read.
- Letters of others in their games are emptied once they have been read, and letters sent about these games, because
  they may name them in any form. Those that are still to be read or sent stay.
- What stays (game masters' logs, errata, polls, notebooks, press, waiting letters) loses their addresses and names,
  however they are wrapped or escaped.

Orders, positions and results stay: they name powers only.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Column, Connection, Table, and_, delete, func, or_, select, update

from gm.game.model.records import InboxState, LetterPart, OutboxState
from gm.store.queries.games import CHANGED
from gm.store.schema import tables as t

READ = (InboxState.DONE, InboxState.IGNORED)
WAITING = (OutboxState.QUEUED, OutboxState.HELD, OutboxState.COLLECTED)
NOBODY = "erased"
NO_PERSON = 0
"""Nobody's number."""
HEADER = re.compile(rb"^(From|Message-ID)[ \t]*:(.*(?:\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
ADDRESS = re.compile(rb"[^\s<>,;:\"()\[\]]{1,250}@[^\s<>,;:\"()\[\]]{1,250}")
WORDS = frozenset(
    {
        *("text", "html", "subject", "to_name", "parts", "cause", "last_error"),  # letters sent
        *("error", "payload", "outcome", "options", "open_questions", "words"),
    }
)
"""The columns where somebody may be named, in whatever table."""
BREAK = r"(?:\s|&nbsp;|&#160;|<br\s*/?>|>|&gt;)"
"""What a line wrap, a quote or HTML may put between two words."""
SINGLE_LEAST = 3
"""Letters of a name of one word that is searched for. It counts in its own case only: "Will" is no "will"."""


class ErasedPerson(Struct, frozen=True):
    """`words` are addresses and names, present and former; `letters` those they wrote, with `message_ids`; `games` are
    all in which they had a part.
    """

    person: int
    addresses: tuple[str, ...]
    words: tuple[str, ...]
    message_ids: frozenset[str]
    seats: tuple[int, ...]
    games: tuple[int, ...]
    letters: tuple[int, ...]


class Erasure(Struct, frozen=True):
    """What was erased: seats that are vacant now, by game and power, and how often names of one word stood in what
    stays. `kept` stand there still: they are ordinary words.
    """

    seats: tuple[tuple[str, str], ...] = ()
    replaced: tuple[tuple[str, int], ...] = ()
    kept: tuple[tuple[str, int], ...] = ()

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(sorted({game for game, _ in self.seats}))


def erase(connection: Connection, address: str, ordinary: Collection[str] = ()) -> Erasure | None:
    """Erase the person with this address, or the letters of somebody who never registered; None if there is neither.

    `ordinary` are words that everybody uses: a name that is one of them is replaced only where it stands as a name.
    """
    address = address.lower()
    person = person_of(connection, address)
    if person is None:
        return _erase_stranger(connection, address)
    erased = _gather(connection, person)
    vacant = select(t.game.c.name, t.seat.c.power).join(t.seat, t.seat.c.game == t.game.c.id)
    rows = connection.execute(vacant.where(t.seat.c.person == person).order_by(t.game.c.name, t.seat.c.power))
    seats = tuple((row.name, row.power) for row in rows)
    _empty_received(connection, erased)
    _empty_of_others(connection, erased)
    _empty_sent(connection, erased)
    _remove_rows(connection, erased)
    single = {word: word.lower() in ordinary for word in erased.words if _is_single(word)}
    counts = {word: _count(connection, word) for word in single}
    _replace_words(connection, erased, {word for word, is_ordinary in single.items() if is_ordinary})
    _leave_seats(connection, person)
    left = {word: _count(connection, word) for word, is_ordinary in single.items() if is_ordinary}
    replaced = tuple((word, counts[word]) for word, is_ordinary in single.items() if counts[word] and not is_ordinary)
    return Erasure(seats, replaced, tuple((word, count) for word, count in left.items() if count))


def _erase_stranger(connection: Connection, address: str) -> Erasure | None:
    """Empties the letters from and to an address that nobody registered."""
    letters, _, message_ids = own_letters(connection, NO_PERSON, {address})
    to_them = func.lower(t.outbox.c.address) == address
    if not letters and connection.execute(select(t.outbox.c.id).where(to_them).limit(1)).first() is None:
        return None
    erased = ErasedPerson(NO_PERSON, (address,), (address,), frozenset(message_ids), (), (), letters)
    _empty_received(connection, erased)
    _empty_sent(connection, erased)
    _remove_rows(connection, erased)
    _replace_words(connection, erased, ())
    return Erasure()


def person_of(connection: Connection, address: str) -> int | None:
    """Whose address it is, or was if nobody has it now."""
    now = select(t.address.c.person).where(func.lower(t.address.c.address) == address)
    before = select(t.known_as.c.person).where(t.known_as.c.word == address)
    for query in (now, before):
        person = connection.execute(query).scalars().first()
        if person is not None:
            return int(person)
    return None


# ---- what leads from the person


def _gather(connection: Connection, person: int) -> ErasedPerson:
    known = set(connection.execute(select(t.known_as.c.word).where(t.known_as.c.person == person)).scalars())
    now = connection.execute(select(t.address.c.address).where(t.address.c.person == person)).scalars()
    taken = {word.lower() for word in connection.execute(select(t.address.c.address)).scalars()}
    own = {word.lower() for word in now}
    addresses = own | {word for word in known if "@" in word and word not in taken}
    letters, senders, message_ids = own_letters(connection, person, addresses)
    names = {word for word in known if "@" not in word}
    names |= set(connection.execute(select(t.person.c.name).where(t.person.c.id == person)).scalars())
    names |= set(connection.execute(select(t.wishes.c.name).where(t.wishes.c.person == person)).scalars())
    seats = tuple(connection.execute(select(t.seat.c.id).where(t.seat.c.person == person)).scalars())
    return ErasedPerson(
        person,
        tuple(sorted(addresses)),
        tuple(sorted({*addresses, *(senders - taken), *names})),
        frozenset(message_ids),
        seats,
        tuple(_games(connection, person, addresses)),
        letters,
    )


def own_letters(connection: Connection, person: int, addresses: set[str]) -> tuple[tuple[int, ...], set[str], set[str]]:
    """The letters the person wrote, the addresses they wrote from, and the Message-IDs."""
    rows: list[int] = []
    written_from: set[str] = set()
    message_ids: set[str] = set()
    query = select(t.inbox.c.id, t.inbox.c.raw, t.inbox.c.envelope_from, t.inbox.c.person)
    for row in connection.execute(query.execution_options(yield_per=200)):
        senders, ids = _headers(row.raw)
        if row.person == person or row.envelope_from.lower() in addresses or senders & addresses:
            rows.append(row.id)
            written_from |= senders
            message_ids |= ids
    return tuple(rows), written_from, message_ids


def _headers(raw: bytes) -> tuple[set[str], set[str]]:
    """The addresses in From, in lower case, and the Message-IDs."""
    named: dict[str, set[str]] = {"from": set(), "message-id": set()}
    for name, value in HEADER.findall(re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]):
        named[name.decode().lower()] |= {address.decode("ascii", "replace") for address in ADDRESS.findall(value)}
    return {address.lower() for address in named["from"]}, named["message-id"]


def _games(connection: Connection, person: int, addresses: set[str]) -> Iterator[int]:
    """The games of all rows with the person's number, and of the letters to their addresses."""
    numbered = [table for table in t.metadata.sorted_tables if {"game", "person"} <= set(table.columns.keys())]
    queries = [select(table.c.game).where(table.c.person == person) for table in numbered]
    queries.append(select(t.outbox.c.game).where(func.lower(t.outbox.c.address).in_(addresses)))
    yield from sorted({game for query in queries for game in connection.execute(query).scalars() if game})


# ---- letters


def _empty_received(connection: Connection, erased: ErasedPerson) -> None:
    blank = {"raw": b"", "envelope_from": "", "envelope_to": (), "person": None}
    for part in _parts(erased.letters):
        waiting = (t.inbox.c.id.in_(part), t.inbox.c.state.not_in(READ))
        connection.execute(update(t.inbox).where(*waiting).values(state=InboxState.IGNORED))
        connection.execute(update(t.inbox).where(t.inbox.c.id.in_(part)).values(blank | {"error": NOBODY}))


def _empty_of_others(connection: Connection, erased: ErasedPerson) -> None:
    elsewhere = _people_of_other_games(connection, erased.games)
    of_others = or_(t.inbox.c.person.is_(None), t.inbox.c.person.not_in(elsewhere))
    connection.execute(update(t.inbox).where(t.inbox.c.state.in_(READ), of_others).values(raw=b"", envelope_to=()))


def _people_of_other_games(connection: Connection, games: tuple[int, ...]) -> tuple[int, ...]:
    """Those who had no part in these games: what they wrote is not about them."""
    numbered = [table for table in t.metadata.sorted_tables if {"game", "person"} <= set(table.columns.keys())]
    queries = [select(table.c.person).where(table.c.game.in_(games)) for table in numbered]
    near = {person for query in queries for person in connection.execute(query).scalars()}
    return tuple(set(connection.execute(select(t.person.c.id)).scalars()) - near)


def _empty_sent(connection: Connection, erased: ErasedPerson) -> None:
    waiting = t.outbox.c.state.in_(WAITING)
    withheld = and_(t.outbox.c.expires_at == t.outbox.c.queued_at, t.outbox.c.game != 0)
    blank = {"text": "", "html": "", "parts": ()}
    about = t.outbox.c.game.in_((0, *erased.games) if erased.person else ())
    connection.execute(update(t.outbox).where(about, ~waiting, ~withheld).values(blank))
    to_them = func.lower(t.outbox.c.address).in_(erased.addresses)
    whole = blank | {"to_name": "", "subject": "", "references": (), "last_error": ""}
    connection.execute(update(t.outbox).where(to_them, waiting).values(state=OutboxState.EXPIRED))
    connection.execute(update(t.outbox).where(or_(to_them, t.outbox.c.seat.in_(erased.seats)), ~waiting).values(whole))
    for row in connection.execute(select(t.outbox.c.id).where(to_them)).scalars().all():
        gone = {"address": f"{NOBODY}-{row}@invalid"} | whole
        connection.execute(update(t.outbox).where(t.outbox.c.id == row).values(gone))


# ---- other rows


def _remove_rows(connection: Connection, erased: ErasedPerson) -> None:
    person = erased.person
    connection.execute(delete(t.bounced).where(func.lower(t.bounced.c.address).in_(erased.addresses)))
    for table in (t.entry, t.conduct, t.absence, t.address, t.known_as, t.wishes, t.diary, t.statement):
        connection.execute(delete(table).where(table.c.person == person))
    connection.execute(update(t.person).where(t.person.c.id == person).values(name=NOBODY))
    asked = or_(t.question.c.seat.in_(erased.seats), t.question.c.inbox.in_(erased.letters))
    connection.execute(delete(t.question).where(asked))


def _leave_seats(connection: Connection, person: int) -> None:
    played = select(t.seat.c.game).where(t.seat.c.person == person)
    connection.execute(update(t.game).where(t.game.c.id.in_(played)).values(CHANGED))
    # a new generation invalidates the reply addresses that the person has
    vacant = {"person": None, "generation": t.seat.c.generation + 1}
    connection.execute(update(t.seat).where(t.seat.c.person == person).values(vacant))


# ---- words in what stays


def _replace_words(connection: Connection, erased: ErasedPerson, ordinary: Collection[str]) -> None:
    pattern = _pattern(erased.words, erased.addresses, ordinary)
    for table, columns in _tables_with_words():
        _replace_in(connection, table, columns, pattern)
    for row in connection.execute(select(t.outbox.c.id, t.outbox.c.references)).all():
        kept = tuple(message_id for message_id in row.references if message_id not in erased.message_ids)
        if kept != row.references:
            connection.execute(update(t.outbox).where(t.outbox.c.id == row.id).values(references=kept))


def _tables_with_words() -> Iterator[tuple[Table, list[Column[object]]]]:
    for table in t.metadata.sorted_tables:
        columns = [column for column in table.columns if column.name in WORDS]
        if columns:
            yield table, columns


def _count(connection: Connection, word: str) -> int:
    """How often a name stands in all that is stored."""
    pattern, places = _pattern((word,)), 0
    for _, columns in _tables_with_words():
        for row in connection.execute(select(*columns)):
            places += sum(len(pattern.findall(value)) for value in row if isinstance(value, str))
    return places


def _replace_in(connection: Connection, table: Table, columns: list[Column[object]], pattern: re.Pattern[str]) -> None:
    keys = list(table.primary_key.columns)
    for row in connection.execute(select(*keys, *columns)).mappings().all():
        changed = {column.name: _cleaned(pattern, row[column.name]) for column in columns}
        changed = {name: value for name, value in changed.items() if value != row[name]}
        if "cause" in changed:  # it is unique
            changed["cause"] = f"{changed['cause']}:{row['id']}"
        if changed:
            this = (key == row[key.name] for key in keys)
            connection.execute(update(table).where(*this).values(changed))


def _cleaned(pattern: re.Pattern[str], value: object) -> object:
    if isinstance(value, str):
        return pattern.sub(NOBODY, value)
    if isinstance(value, LetterPart):
        content = value.content
        if value.mime.startswith(("text/", "application/json")):
            content = pattern.sub(NOBODY, content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        return replace(value, content=content, name=pattern.sub(NOBODY, value.name))
    if isinstance(value, tuple):
        return tuple(_cleaned(pattern, item) for item in value)
    return value


def _is_single(word: str) -> bool:
    return " " not in word and "@" not in word and len(word) >= SINGLE_LEAST


def _pattern(words: Iterable[str], addresses: Iterable[str] = (), ordinary: Collection[str] = ()) -> re.Pattern[str]:
    """`ordinary` words count only as a whole text, between quotes, or before one of the addresses."""
    wanted = [word for word in words if " " in word or "@" in word or len(word) >= SINGLE_LEAST]
    before = "|".join(map(_in_any_form, addresses)) or "(?!)"
    forms = (
        rf'(?:\A{form}\Z|(?<="){form}(?=")|{form}(?=(?:{BREAK}|[<(]|&lt;)+(?:{before})))' if word in ordinary else form
        for word in sorted(wanted, key=len, reverse=True)
        for form in (_in_any_form(word),)
    )
    return re.compile("|".join(forms) or r"(?!)", re.IGNORECASE)


def _in_any_form(word: str) -> str:
    """Wrapped (an address anywhere, a name at blanks and hyphens), quoted, escaped for HTML or JSON; whole words."""
    breaks = word if "@" in word else "-"
    pieces = (
        rf"{BREAK}+" if letter == " " else _letter_in_any_form(letter) + (rf"{BREAK}*" if letter in breaks else "")
        for letter in " ".join(word.split())
    )
    case_aside = "i" if " " in word or "@" in word else "-i"
    return rf"(?{case_aside}:(?<!\w){''.join(pieces)}(?!\w))"


def _letter_in_any_form(letter: str) -> str:
    forms = {letter, html.escape(letter), json.dumps(letter)[1:-1], f"&#{ord(letter)};", f"&#x{ord(letter):x};"}
    if letter.isascii() and letter.isalnum():
        return re.escape(letter)
    return f"(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})"


def _parts(rows: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Databases limit how many values a statement may have."""
    for start in range(0, len(rows), 500):
        yield rows[start : start + 500]
