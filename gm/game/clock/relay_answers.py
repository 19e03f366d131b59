"""What relays answer to letters, and whether they answer many letters alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

SEVERAL = 3
"""Different recipients refused with the same kind of answer: the cause is the relay, not a recipient."""
CODE = re.compile(r"[45]\d\d(?: [45]\.\d{1,3}\.\d{1,3})?(?= |$)")


class RefusedAlike(Struct, frozen=True):
    """Letters to so many `addresses` got this kind of `answer`."""

    answer: str
    addresses: int


def answer_kind(answer: str) -> str:
    """The codes that an answer begins with ("554 5.7.1"), which name no recipient; else all of it."""
    code = CODE.match(answer)
    return code[0] if code is not None else answer


def most_refused_alike(refused: Iterable[tuple[str, str]]) -> RefusedAlike | None:
    """`refused`: addresses and answers. None where no SEVERAL addresses got the same kind of answer."""
    kinds = defaultdict[str, set[str]](set)
    for address, answer in refused:
        kinds[answer_kind(answer)].add(address)
    alike = [RefusedAlike(kind, len(addresses)) for kind, addresses in kinds.items() if len(addresses) >= SEVERAL]
    return max(alike, key=lambda each: each.addresses, default=None)
