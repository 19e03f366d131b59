"""Header lines of a letter on paper: "GAME: OSIRIS   SEASON: AUTUMN 1907   POWER: TURKEY (T. Whitlow)"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from gm.language.prose.phrases.prose_phrases import ProsePhrases

LABEL = re.compile(r"(?:^|(?<=[\s,;|/(]))(?P<label>[^\W\d_]{2,12}\.?(?: [^\W\d_]{2,10})?)\s*:(?=\s|$)")
REMARK = re.compile(r"\([^()]*\)?")
FEWEST = 2
LONGEST = 200


def header_values(low: str, phrases: ProsePhrases) -> tuple[str, ...]:
    """What stands behind each label of a line in lower case that has nothing but labels and values; () of other lines.
    Values of dates are left out.
    """
    labels = list(_labels(low, phrases)) if len(low) <= LONGEST else []
    if len(labels) < FEWEST or low[: labels[0].start()].strip():
        return ()
    ends = [*(later.start() for _, later in pairwise(labels)), len(low)]
    spans = ((label, low[label.end() : end]) for label, end in zip(labels, ends, strict=True))
    return tuple(REMARK.sub("", value).strip(" ,;|/.") for label, value in spans if not _is_date(label, phrases))


def _labels(low: str, phrases: ProsePhrases) -> Iterator[re.Match[str]]:
    """The labels; none where something before a colon is no label."""
    labels = list(LABEL.finditer(low))
    known = all(phrases.header_label.fullmatch(label["label"].strip(" .")) for label in labels)
    yield from labels if known and len(labels) == low.count(":") else ()


def _is_date(label: re.Match[str], phrases: ProsePhrases) -> bool:
    return phrases.date_label.fullmatch(label["label"].strip(" .")) is not None
