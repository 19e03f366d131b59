"""Limits on how much of a letter is read, so that no letter costs more than two seconds or 200 MB.

People and their mail programs stay far below every limit. Each step of reading takes linear time up to it.
"""

from __future__ import annotations

HEADER_BLOCK = 64 * 1024
"""Bytes of a header block that are kept; the rest is skipped."""
ONE_HEADER = 8 * 1024
"""Bytes of one header's value that are kept."""
PARTS = 100
DEPTH = 10
TEXT = 512 * 1024
"""Characters of one text part that are read, with quotes."""
TEXT_LINES = 20_000
OWN_LINES = 2_000
OWN_CHARACTERS = 64 * 1024
ATTACHED_TEXT = 250_000
"""Characters of an attached text file that is opened."""
SAVED_GAME = 8 * 1024 * 1024
"""Characters of an attached file that begins like JSON or XML, unpacked."""
LINE = 1_000
"""Characters of a line that are classified; longer lines are folded."""
REFERENCES = 20
"""`Ref:` lines of one letter that are looked up."""
RECEIVED = 30
"""More `Received` headers than this mean a mail loop."""
TOO_LARGE_HEADER = "x-gm-too-large"
"""Header added to a letter whose body was not fetched."""
