"""Words of denial in clauses about builds: several of them, or one between two kinds of unit."""

from __future__ import annotations

from gm.language.prose.guesses.clause import Clause


def is_contrary(clause: Clause) -> bool:
    """Whether two words of denial stand between two marks, "do not leave Liverpool empty", "waive none of them", or a
    waive excepts places.
    """
    denials = 0
    for token in clause.tokens:
        denials = 0 if token.type == "SEP" else denials + (token.type in ("NO", "NONE", "WAIVE"))
        if denials > 1:
            return True
    return clause.types >= {"WAIVE", "EXCEPT"} or clause.types >= {"WAIVE", "ALL", "PLACE"}


def denies_another_kind(clause: Clause) -> bool:
    """Whether a kind of unit stands before the only "no", and another one behind it."""
    no, kinds = clause.of("NO"), clause.of("KIND")
    before = {token.value for token in kinds if no and token.start_pos < no[0].start_pos}
    behind = {token.value for token in kinds if no and token.start_pos > no[0].start_pos}
    return len(no) == 1 and bool(before) and bool(behind - before)
