"""How much of a letter we look at, so that no letter costs more than two seconds or 200 MB, whatever is in it.

Every number is far above what people and their mail programs send, and every step of reading is linear up to it.
"""

from __future__ import annotations

HEADER_BLOCK = 64 * 1024
"""Bytes of a header block that are kept; the rest of the block is skipped."""
ONE_HEADER = 8 * 1024
"""Bytes of one header's value."""
PARTS = 100
DEPTH = 10
TEXT = 512 * 1024
"""Characters of one text part that are looked at, quotes and all."""
TEXT_LINES = 20_000
OWN_LINES = 2_000
OWN_CHARACTERS = 64 * 1024
LINE = 1_000
"""Characters of a line that decide what it is; longer ones are folded into several."""
RECEIVED = 30
"""More Received headers than this are a mail loop."""
TOO_LARGE_HEADER = "x-gm-too-large"
"""Put on top of a letter of which only the headers were fetched."""
