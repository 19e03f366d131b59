"""Undoes format=flowed (RFC 3676): joins soft line ends, removes space-stuffing, writes quote marks as `> `.

A blank at the end of a short line was typed by a person, so orders on short lines are not joined.
"""

from __future__ import annotations

SIGNATURE = "-- "
NARROW = 50
"""A line this short, together with the next word, was not broken by a program."""


def unflow(lines: list[str], delete_space: bool) -> list[str]:
    out: list[str] = []
    open_depth = -1
    """Quote depth of the open paragraph; -1: none."""
    gathered: list[str] = []
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(">"))
        words = line[depth:].removeprefix(" ")
        soft = words.endswith(" ") and words != SIGNATURE
        if soft and not delete_space:
            following = lines[number + 1][:NARROW].lstrip("> ").split(" ", 1)[0] if number + 1 < len(lines) else ""
            soft = len(words) + len(following) > NARROW
        if open_depth >= 0 and (depth != open_depth or words == SIGNATURE):
            out.append(_quoted(open_depth, gathered))
            gathered = []
        gathered.append(words[:-1] if soft and delete_space else words)
        open_depth = depth if soft else -1
        if not soft:
            out.append(_quoted(depth, gathered))
            gathered = []
    if gathered:
        out.append(_quoted(open_depth, gathered))
    return out


def _quoted(depth: int, gathered: list[str]) -> str:
    words = "".join(gathered)
    return f"{'>' * depth} {words}" if depth else words
