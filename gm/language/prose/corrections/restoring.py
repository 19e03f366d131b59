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
    before = [match.end() for match in SENTENCE_END.finditer(text, 0, sentence.start)][-MOST_BEFORE:]
    comma = text.find(",", sentence.start, sentence.end)
    remark = comma > 0 and not reader.names_something(text, comma, sentence.end)
    for start in (sentence.start, *before):
        for end in (sentence.end, comma) if remark else (sentence.end,):
            yield " ".join(text[start:end].lower().strip(" .,!;-").split())


def slots_restored(reader: StretchReader, provinces: set[str], words: str) -> tuple[Slot, ...]:
    """The units there whose order of this letter gives way to the one on file: "no, leave Vienna as it was"."""
    if reader.phrases.former.search(words) is None:
        return ()
    on_file = {order.slot: order for order in reader.context.on_file()}
    fresh = {order.slot: order for order in reader.memory.statements if slot_province(order.slot) in provinces}
    return tuple(slot for slot, order in fresh.items() if slot in on_file and on_file[slot] != order)
