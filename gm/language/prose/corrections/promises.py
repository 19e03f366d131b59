"""What a writer promises to another player in a letter to the game master: it is none of their orders.

"Carla, can we agree that neither of us goes into the Black Sea? I am going to order Sev - Rum then."
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.phrases.prose_phrases import ProsePhrases

CALLING = (",", "!", ":")
"""Marks behind the name of somebody who is spoken to."""


def promises_in(text: str, cut: Sequence[Sentence], phrases: ProsePhrases) -> frozenset[int]:
    """Where sentences begin that offer a bargain, or promise something behind one that speaks to a player."""
    low = text.lower()
    promised: set[int] = set()
    bargains = False
    for sentence in cut:
        if sentence.bracketed:
            continue
        words = low[first_word(low, sentence.start) : sentence.end]
        promises = bargains and "?" not in sentence.mark and phrases.promise.match(words) is not None
        offers = "?" in sentence.mark and phrases.bargain.search(words) is not None
        promised |= {sentence.start} if promises or offers else set()
        bargains = promises or offers or _calls(words, phrases)
    return frozenset(promised)


def _calls(words: str, phrases: ProsePhrases) -> bool:
    """Whether a sentence begins with the name of another power and speaks to it: "Turkey, I want peace"."""
    call = phrases.addressed.match(words)
    return call is not None and ("," in call.group() or words[call.end() : call.end() + 1] in CALLING)
