"""Every line of tests/language/corpus is read as the corpus says."""

from __future__ import annotations

from support.corpus import agrees, cases, read

from gm.variant_files.library import Library


def test_the_corpus_is_read_as_written(shelf: Library) -> None:
    wrong = []
    every = cases(shelf)
    for case in every:
        got = read(case)
        if not agrees(case, got):
            wrong.append(f"{case.where}: {case.written!r}\n    expected {case.expected}\n    got      {got}")
    assert not wrong, "\n" + "\n".join(wrong)
    assert len(every) > 300


def test_every_proposal_would_be_obeyed(shelf: Library) -> None:
    """A line we propose is never asked back in its turn."""
    from gm.language.letter.letter_reader import read_letter

    for case in cases(shelf):
        for trouble in case.reading.troubles:
            for line in trouble.suggestions:
                again = read_letter(list(enumerate(line.split("\n"), 1)), case.context)
                assert not again.troubles, (case.where, line)
                assert again.orders or again.requests, (case.where, line)


def test_the_caret_stands_under_words_of_the_line(shelf: Library) -> None:
    for case in cases(shelf):
        for trouble in case.reading.troubles:
            assert 0 <= trouble.start <= trouble.end <= len(trouble.text), case.where
            assert trouble.text[trouble.start : trouble.end].strip() or trouble.start == trouble.end, case.where
