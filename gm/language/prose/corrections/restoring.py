"""Words that go back from the orders of a letter to those of an earlier one."""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.model.orders import Slot, slot_province
from gm.language.lines.spans import Fate
from gm.language.prose.clauses import SENTENCE_END, Sentence
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stretches import StretchReader

MOST_BEFORE = 2
"""Short sentences before the one that goes back: "No. Sorry. Leave it as it was."."""


def restored(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """ "Forget it, my old orders stand": nothing that the letter said so far counts."""
    memory = reader.memory
    if not memory.orders or not memory.on_file:
        return None
    if not any(reader.phrases.restoring.fullmatch(words) for words in _spoken(reader, text, sentence)):
        return None
    memory.orders.clear()
    memory.statements, memory.on_file = [], tuple(reader.context.on_file())
    memory.order = memory.unit = memory.goal = memory.freed = ""
    return ClauseReading(sentence.start, sentence.past, Fate.COMMAND, restores=True)


def _spoken(reader: StretchReader, text: str, sentence: Sentence) -> Iterator[str]:
    """The words of a sentence, also with those of the sentences before it, and without a remark behind a comma."""
    marks = [*SENTENCE_END.finditer(text, 0, sentence.start)][-MOST_BEFORE:]
    before = [mark.end() for mark in marks if "?" not in mark.group()]  # "Budapest? No. Leave it as it was."
    comma = text.find(",", sentence.start, sentence.end)
    remark = comma > 0 and not reader.names_something(text, comma, sentence.end)
    for start in (sentence.start, *before):
        for end in (sentence.end, comma) if remark else (sentence.end,):
            yield " ".join(text[start:end].lower().strip(" .,!;-").split())


def slots_restored(reader: StretchReader, text: str, start: int, words: tuple[int, int]) -> tuple[Slot, ...]:
    """The units whose orders of this letter give way to those on file: "no, leave Vienna as it was".

    `words`: the columns of those that leave orders as they are.
    """
    first, past = words
    low, phrases, memory = text[:past].lower(), reader.phrases, reader.memory
    compared = phrases.compared.search(low, first)
    behind = compared.start() if compared is not None else past
    if not memory.corrects and phrases.former.search(low, behind) is None:
        return ()
    others = (token for token in reader.tokens(text, start, past) if token.type == "NATION")
    if any(token.value not in reader.context.powers for token in others):
        return ()  # "Russia wants Vienna as it was"
    provinces = reader.own_places(text[:behind], start)  # "wie gehabt" names no Vienna
    on_file = {order.slot: order for order in reader.context.on_file()}
    fresh = {order.slot: order for order in memory.statements if slot_province(order.slot) in provinces}
    return tuple(slot for slot, order in fresh.items() if slot in on_file and on_file[slot] != order)
