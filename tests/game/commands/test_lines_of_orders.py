"""Lines of nothing but orders are not searched for sentences, and a subject that names nothing is not read: neither
changes what a letter is taken for.
"""

from __future__ import annotations

from collections.abc import Iterator

from human_letters.human_letter import LETTERS, load
from support.corpus import Case, cases

from gm.game.commands import plain_answers
from gm.game.press import addressing, words_for_master
from gm.language.commands.in_words import named_powers
from gm.language.commands.in_words.joining_in_words import find_other_address
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import may_hold_orders, read_letter
from gm.language.lines.spans import Fate
from gm.variant_files.library import Library

LANGUAGES = ("en", "de")


def sentences_in(text: str, case: Case) -> Iterator[str]:
    """What the line would be taken for besides its orders."""
    low = clean(text).text.lower()
    names = tuple(named_powers.called(case.context.variant.powers))
    for language in LANGUAGES:
        forms = addressing.forms_of(language, names)
        if any(pattern.search(low) for pattern in words_for_master._complaining(language).values()):
            yield "a complaint"
        if words_for_master._greetings(language, ()).match(low):
            yield "words to the game master"
        if (
            forms.greeting.match(low)
            or forms.calling.match(low)
            or forms.telling.search(low)
            or forms.unsaid.search(low)
        ):
            yield "words to players"
        if plain_answers._fitting(low, language, names):
            yield "a question"
    if find_other_address(((1, text),), LANGUAGES) is not None:
        yield "an address"


def test_a_line_of_nothing_but_orders_says_nothing_else(library: Library) -> None:
    count = 0
    for case in cases(library):
        reading = case.reading
        for number, text in case.lines:
            if number in reading.only_orders:
                count += 1
                assert not list(sentences_in(text, case)), (case.where, text)
                assert {span.fate for span in reading.spans if span.line == number} == {Fate.ORDER}
    assert count > 100


def test_a_line_with_another_word_is_no_line_of_orders_alone(library: Library) -> None:
    case = next(case for case in cases(library) if read_letter(((1, case.written),), case.context).only_orders)
    around = ("{}  // that is not what I said", "{} because Anna asked me", "({})", "{}?", "> {}", "1) {}")
    for words in around:
        assert not read_letter(((1, words.format(case.written)),), case.context).only_orders, words


def test_a_subject_that_is_not_read_holds_no_orders(library: Library) -> None:
    every = [(case.written, case.context) for case in cases(library) if "\n" not in case.written]
    context = every[0][1]
    subjects = {letter.subject for letter in load(sorted(LETTERS.glob("*.jsonl"))) if letter.subject}
    some = [*every, *((words, context) for words in sorted(subjects))]
    for words, context in some:
        if read_letter(((0, words),), context).orders:
            assert may_hold_orders(words, context), words
