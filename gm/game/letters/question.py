"""Letters without a seat: questions that a code answers, and answers about no game.

A question has its code in the `Ref:` line, so that an answer proves access to that address:

    Ref: ostend k7f3qm2xw9hd4tzp5sanb8vcye
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.recipient import is_reply_subject, reply_subject, shorten_references
from gm.game.model.records import MASTER, Game, InboxRow, Letter, OutLetter, Person, Question, Seat
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.judge.model.variant import Variant
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering import plain_text
from gm.language.rendering.views import (
    Block,
    BulletsView,
    ButtonView,
    ChoicesView,
    LetterFrameView,
    LetterView,
    ParagraphView,
    QuotedWordsView,
    RowsView,
    RowView,
    SectionView,
)

PRESS_ANSWERS = ("YES", "PRESS", "ORDERS")
DIVIDED = "\n"
"""In the payload of a question about press: behind it, the letter is divided, and may go to both."""
ANSWERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("stranger-closed", "stranger-stop", "stranger-delete"), ()),
}
"""Words that answer a kind of question, if not YES."""
SUBJECT_MOST = 70
"""Characters of a result that may be a subject."""
FIRST_WORDS = 200
"""Characters of a letter without orders and requests that an answer quotes."""
SHOWN_MOST = 1500
"""Characters of the letter in question that are shown."""


class QuestionToAsk(Struct, frozen=True):
    """A question to send. `game` and `seat` are None if the letter in question named none.

    `fields` fill its sentences besides; `sections` stand above what may be answered.
    """

    services: Services
    person: Person
    game: Game | None
    seat: Seat | None
    question: Question
    letter: Letter
    fields: Mapping[str, str] = field(default_factory=dict)
    sections: tuple[SectionView, ...] = ()

    @property
    def catalogue(self) -> Catalogue:
        language, game = language_of(self.person, self.game), self.game
        return self.services.letters.catalogue(language, self.services.variant(game.variant, {}) if game else None)

    def say(self, key: str, **fields: object) -> str:
        return self.catalogue.say(f"question.{self.question.kind}.{key}", **{**fields, **self.fields})

    @property
    def maps(self) -> str:
        """ " with a map", where the question speaks of maps and the server draws some."""
        key = f"question.{self.question.kind}.maps"
        return self.catalogue.say(key) if self.services.map_wait and key in self.catalogue else ""

    @property
    def name(self) -> str:
        return self.game.name if self.game is not None else ""

    @property
    def who(self) -> str:
        if self.seat is None or self.seat.power == MASTER:
            return self.catalogue.say("role.master")
        return self.seat.power

    @property
    def words(self) -> tuple[str, ...]:
        if self.question.kind != "press":
            return ANSWERS.get(self.question.kind, ("YES",))
        return tuple(word for word in PRESS_ANSWERS if self._may_answer(word))

    def _may_answer(self, word: str) -> bool:
        """Whether a word answers the question about press: YES where the letter is divided, PRESS where it is certain
        who reads it.
        """
        if word == "YES":
            return DIVIDED in self.question.payload
        return word != "PRESS" or bool(self.fields.get("readers"))

    @property
    def otherwise(self) -> str:
        """The key of what becomes of the letter without an answer."""
        return "else-unclear" if self.question.kind == "press" and "PRESS" not in self.words else "else"

    @property
    def subject(self) -> str:
        return f"[{self.name}] {self.say('subject')}" if self.name else self.say("subject")

    @property
    def ref(self) -> str:
        return f"Ref: {self.name or self.services.post.mailbox} {self.question.code}"

    @property
    def reply_to(self) -> str:
        if self.game is None or self.seat is None:
            return self.services.post.address
        return self.services.post.reply_address(self.name, self.seat)


def render_question(
    services: Services,
    person: Person,
    game: Game | None,
    seat: Seat | None,
    question: Question,
    letter: Letter,
    fields: Mapping[str, str] | None = None,
    sections: tuple[SectionView, ...] = (),
) -> OutLetter:
    """A question, mostly about a held letter; a reply with YES and the code answers it."""
    asked = QuestionToAsk(services, person, game, seat, question, letter, fields or {}, sections)
    cause = f"question:{question.code}"
    person = replace(person, language=language_of(person, game))
    sent = render_without_game(services, person, "question", _view(asked), cause, (letter.message_id,))
    sent = replace(sent, reply_to=asked.reply_to, seat=seat.id if seat is not None else 0)
    return _from_game(services, asked.catalogue, game, sent) if game is not None else sent


def _from_game(services: Services, catalogue: Catalogue, game: Game, letter: OutLetter) -> OutLetter:
    sender = plain_text.header(catalogue.say("from.master", game=game.name), 80)
    return replace(letter, game=game.id, from_name=sender, from_address=services.post.game_address(game.name))


def _view(asked: QuestionToAsk) -> LetterView:
    subject = reply_subject(asked.subject)
    buttons = [
        ButtonView(asked.say(f"button-{word}"), asked.reply_to, subject, f"{word}\n\n{asked.ref}")
        for word in asked.words
    ]
    rows = tuple(
        RowView(asked.catalogue.say(f"question.word.{word}"), asked.say(f"means-{word}")) for word in asked.words
    )
    words: tuple[Block, ...] = (RowsView(rows),) if rows else ()
    choices: tuple[Block, ...] = (ChoicesView(tuple(buttons)),) if len(buttons) > 1 else ()
    blocks = (ParagraphView(asked.say("answer")), *words, *choices, ParagraphView(asked.say(asked.otherwise)))
    answer = SectionView(asked.catalogue.say("question.yes-title"), blocks)
    frame = LetterFrameView(
        subject=asked.subject,
        title=asked.say("heading"),
        lead=asked.say("lead", power=asked.who, game=asked.name or asked.services.post.address, maps=asked.maps),
        crumbs=tuple(crumb for crumb in (asked.name, asked.who if asked.seat is not None else "") if crumb),
        button=buttons[0] if len(buttons) == 1 else None,
        act=True,
        ref=asked.ref,
    )
    return LetterView(frame, (*_the_letter(asked), *asked.sections, answer))


def _the_letter(asked: QuestionToAsk) -> tuple[SectionView, ...]:
    """Subject and beginning of the letter in question."""
    own = plain_text.header(asked.letter.subject, 120)
    held = "\n".join(words for _, words in asked.letter.lines).strip()
    shown = held if len(held) <= SHOWN_MOST else held[:SHOWN_MOST].rstrip() + " …"
    blocks: list[Block] = [ParagraphView(asked.catalogue.say("question.subject-was", subject=own))] if own else []
    if shown:
        blocks.append(QuotedWordsView(shown))
    return (SectionView(asked.catalogue.say("question.letter"), tuple(blocks)),) if blocks else ()


def render_plain_answer(
    services: Services,
    store: Store,
    person: Person,
    row: InboxRow,
    letter: Letter,
    notes: Sequence[Note],
    sections: tuple[SectionView, ...] = (),
    code: str = "",
) -> OutLetter:
    """An answer about no game. `code` is that of an open question, which a reply may still answer."""
    person = replace(person, language=language_for(store, person))
    catalogue = services.letters.catalogue(person.language, _spoken_of(services, store, notes))
    sentences = [(note.done, catalogue.say(note.key, **dict(note.fields))) for note in notes]
    lead = sentences[0][1] if sentences else catalogue.say("answer.requested" if sections else "answer.nothing")
    parts = {
        "answer.not-done": tuple(words for done, words in sentences[1:] if not done),
        "answer.notes": tuple(words for done, words in sentences[1:] if done),
    }
    rest = tuple(SectionView(catalogue.say(key), (BulletsView(items),)) for key, items in parts.items() if items)
    own = plain_text.header(letter.subject, 120)
    references = (*reversed(letter.answers), letter.message_id)
    result = lead.partition(". ")[0].rstrip(".:")
    short = result if len(result) <= SUBJECT_MOST else catalogue.say("plain.subject")
    title = next((section.title for section in sections), short)
    frame = LetterFrameView(
        subject=reply_subject(own) if own else title,
        title=title,
        lead=lead,
        foot=(catalogue.say("plain.foot"),),
        ref=f"Ref: {services.post.mailbox} {code}".rstrip(),
    )
    return render_without_game(
        services, person, "plain", LetterView(frame, (*rest, *sections)), f"inbox:{row.id}", references
    )


def _spoken_of(services: Services, store: Store, notes: Sequence[Note]) -> Variant:
    """The variant whose powers the notes name: that of the game they are about, else the first."""
    names = (value for note in notes for key, value in note.fields if key == "game")
    games = (store.games.by_name(name) for name in names)
    return services.variant(next((game.variant for game in games if game is not None), services.variant_ids[0]), {})


def language_for(store: Store, person: Person) -> str:
    """The person's language, or that of a game they play."""
    seat = next(iter(store.games.seats_of(person.id)), None)
    return language_of(person, store.games.get(seat.game) if seat is not None else None)


def language_about(store: Store, person: Person, game: Game | None) -> str:
    """The language of a letter to a person about a game, or about none."""
    return language_of(person, game) if game is not None else language_for(store, person)


def render_without_game(
    services: Services, person: Person, kind: str, view: LetterView, cause: str, references: Sequence[str]
) -> OutLetter:
    rendered = services.letters.render(kind, view, language_of(person))
    address = person.addresses[0]
    return OutLetter(
        cause=cause,
        kind=kind,
        address=address,
        to_name=plain_text.header(person.name, 80),
        from_name=plain_text.header(services.letters.catalogue(language_of(person)).say("from.nobody"), 80),
        from_address=services.post.address,
        reply_to=services.post.address,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        message_id=services.post.message_id(cause, kind, address),
        references=shorten_references(references),
        automatic="auto-replied",
    )


def queue_plain_notice(
    services: Services,
    store: Store,
    person: Person,
    game: Game | None,
    note: Note,
    cause: str,
    sections: tuple[SectionView, ...] = (),
    reply_to: str = "",
) -> bool:
    """Queue a note for a person, not for a seat; `slip.<key>` is its subject. False if it was queued before.

    `reply_to`: where a reply goes, if not to the server.
    """
    if not person.addresses:
        return False
    person = replace(person, language=language_about(store, person, game))
    catalogue = services.letters.catalogue(
        person.language, services.variant(game.variant, {}) if game is not None else None
    )
    title = catalogue.choose("slip", note.key.rpartition(".")[2], **dict(note.fields))
    frame = LetterFrameView(
        subject=f"[{game.name}] {title}" if game else title,
        title=title,
        lead=catalogue.say(note.key, **dict(note.fields)),
        crumbs=(game.name,) if game else (),
        foot=() if reply_to else (catalogue.say("plain.foot"),),
        ref=f"Ref: {services.post.mailbox}",
    )
    letter = render_without_game(services, person, "plain", LetterView(frame, sections), cause, ())
    letter = replace(letter, automatic="auto-generated", reply_to=reply_to or letter.reply_to)
    if game is not None:
        letter = _from_game(services, catalogue, game, letter)
    return store.outbox.add(letter, store.now())


def first_words(letter: Letter) -> str:
    """The beginning of the letter in one line, cut at a blank; of a subject of its own, if it has no words."""
    body = " ".join(" ".join(words for _, words in letter.lines).split())
    own = "" if is_reply_subject(letter.subject) else letter.subject  # "Re: …" are our words
    return shown_words(body or plain_text.header(own, FIRST_WORDS))


def shown_words(words: str) -> str:
    """Words of a letter, on one line, as a sentence of ours quotes them: cut at a blank."""
    text = plain_text.visible(words)
    if len(text) <= FIRST_WORDS:
        return text
    return text[:FIRST_WORDS].rpartition(" ")[0] + " …"
