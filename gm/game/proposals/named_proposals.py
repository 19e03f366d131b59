"""Answers that name what they take and drop of the proposals that wait: "Yes to the pause, no to the substitute".

Each proposed order and command is an item of its own here. A letter is such an answer only if every word of it says
something of an item; what it does not name still waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.game.letters.question import first_words
from gm.game.letters.reply_limits import own_words
from gm.game.model.proposals import Proposals
from gm.game.model.records import Letter, Question
from gm.game.proposals.matters import read_back
from gm.game.proposals.proposal_replies import open_questions, read_reply
from gm.game.proposals.proposals import is_resignation, tell_of_leaving
from gm.game.proposals.settled_lines import lines_left, places_in
from gm.game.session.session import LetterSession
from gm.language.commands.table import rows_of
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.named_answers import WORD, NamedPart, named_parts, names_all, names_of, takes_rest
from gm.language.lines.blocks import number_lines
from gm.language.lines.letter_contents import LetterContents

ORDER = "order"
"""The kind of items that are orders, in the grammar."""
LEAST = 3
"""Letters of a word of a proposal by which it may be named."""


class Item(Struct, frozen=True):
    """A proposed order, with its power ("": the writer's own), or a command, where `power` is None."""

    question: str
    power: str | None
    text: str

    @property
    def line(self) -> tuple[str, str] | None:
        return None if self.power is None else (self.power, self.text)


class NamedAnswer(Struct, frozen=True):
    """`questions` are the proposals that hold the items."""

    questions: tuple[Question, ...]
    taken: tuple[Item, ...]
    dropped: tuple[Item, ...]


def read_named_answer(session: LetterSession, letter: Letter) -> NamedAnswer | None:
    """None where a word of the letter says something else, or names no single item, or several that differ."""
    languages = session.languages
    parts = named_parts(own_words(letter), languages)
    waiting = open_questions(session) if parts else ()
    items = tuple(item for question in waiting for item in _items(question))
    if not items:
        return None
    plain = read_letter(letter.lines, session.context)
    if plain.orders or plain.requests:
        return None
    meant = [(part.take, _named(session, part, items, languages)) for part in parts]
    taken = tuple(dict.fromkeys(item for take, named in meant if take for item in named))
    dropped = tuple(dict.fromkeys(item for take, named in meant if not take for item in named))
    if not all(named for _, named in meant) or set(taken) & set(dropped):
        return None
    if dropped and not taken and takes_rest(own_words(letter), languages):
        taken = _rest_of_orders(session, letter, items, dropped)
    if session.closed and any(item.power is not None for item in taken):
        return None
    codes = {item.question for item in (*taken, *dropped)}
    return NamedAnswer(tuple(each for each in waiting if each.code in codes), taken, dropped)


def _rest_of_orders(
    session: LetterSession, letter: Letter, items: Sequence[Item], dropped: Sequence[Item]
) -> tuple[Item, ...]:
    """The other orders of the proposal that the YES of the letter takes: "Yes, but not London"."""
    reply = read_reply(session, letter)
    code = reply.question.code if reply is not None and reply.yes and not reply.unsure else ""
    if any(item.power is None or item.question != code for item in dropped):
        return ()
    return tuple(item for item in items if item.question == code and item.power is not None and item not in dropped)


def answer_by_name(session: LetterSession, answer: NamedAnswer) -> LetterContents:
    """What is taken, as if the letter held it. The rest of these proposals waits as proposals of this letter."""
    rest: list[Proposals] = []
    for question in answer.questions:
        session.store.turns.mark_answered(question.code)
        rest += _rest(session, question, answer)
    if rest:
        lines, requests = (tuple(each for part in rest for each in getattr(part, key)) for key in ("lines", "requests"))
        session.proposed.waiting = replace(rest[-1], lines=lines, requests=requests, settles=())
    if answer.dropped:
        dropped = session.services.letters.catalogue(session.language).every(
            [_first_line(each) for each in answer.dropped]
        )
        session.note("proposals-dropped", headline=True, lines=dropped, n=str(len(answer.dropped)))
    if any(item.power is None and is_resignation(session, item.text) for item in answer.dropped):
        tell_of_leaving(session, "stays-after-all", first_words(session.letter))
    texts = [line for item in answer.taken for line in item.text.split("\n")]
    return read_back(session, texts, Proposals.of(answer.questions[0]).language) if texts else LetterContents()


def _rest(session: LetterSession, question: Question, answer: NamedAnswer) -> Iterator[Proposals]:
    """What still waits; the lines of which no order waits any more need no correction."""
    proposals = Proposals.of(question)
    gone = {*answer.taken, *answer.dropped}
    lines = tuple(item.line for item in _items(question) if item.line is not None and item not in gone)
    requests = tuple(item.text for item in _items(question) if item.power is None and item not in gone)
    if proposals.lines:
        draft = session.draft(session.author)
        taken = [item.text for item in answer.taken if item.power is not None and item.question == question.code]
        draft.letter = session.row.id
        if not lines:
            orders = (
                [order.statement for order in read_back(session, taken, proposals.language).orders] if taken else []
            )
            left = lines_left(session, session.author, proposals.remaining, orders, draft.places()) if taken else ()
            draft.questions = tuple(left)
        session.proposed.still_open = draft.questions
    if lines or requests:
        yield replace(proposals, lines=lines, requests=requests)


def _items(question: Question) -> Iterator[Item]:
    proposals = Proposals.of(question)
    yield from (Item(question.code, power, text) for power, text in proposals.lines)
    yield from (Item(question.code, None, text) for text in proposals.requests)


def _first_line(item: Item) -> str:
    first, _, below = item.text.partition("\n")
    return f"{first} …" if below else first


def _named(
    session: LetterSession, part: NamedPart, items: Sequence[Item], languages: tuple[str, ...]
) -> frozenset[Item]:
    """The items that all words of the part name, if they belong to the same proposals; empty for others."""
    words = " ".join(part.words)
    if not part.take and names_all(words, languages):
        return frozenset(items)
    places = places_in(session, session.author, words)
    if not part.take and places and any(places <= _places(session, line) for line in _on_file(session)):
        return frozenset()  # the order on the sheet may be meant
    candidates = frozenset(items)
    for word in part.words:
        by_word = {item for item in items if _has_word(session, item, word, languages)}
        if not by_word:
            others = places_in(session, session.author, " ".join(each for each in part.words if each != word))
            if others == places:  # the word names nothing
                return frozenset()
            by_word = {item for item in items if places <= _places(session, item.text)}
        candidates &= by_word
    return candidates if len({item.question for item in candidates}) == 1 else frozenset()


def _on_file(session: LetterSession) -> Iterator[str]:
    if session.plays:
        yield from (line.text for line in session.draft(session.author).lines.values())


def _places(session: LetterSession, line: str) -> set[str]:
    return places_in(session, session.author, line)


def _has_word(session: LetterSession, item: Item, word: str, languages: tuple[str, ...]) -> bool:
    own = {each.lower() for each in WORD.findall(clean(item.text).text)}
    if word in own and len(word) >= LEAST:
        return True
    kinds = {ORDER} if item.power is not None else _kinds(session, item)
    return any(pattern.fullmatch(word) for kind in kinds for pattern in names_of(kind, languages))


def _kinds(session: LetterSession, item: Item) -> set[str]:
    requests = read_letter(number_lines(item.text), session.context).requests
    return {row.name.partition("-")[0] for given in requests for row in rows_of(given.request)}
