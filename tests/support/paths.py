"""Where the tests find the project's folders and their own data."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
CASES = TESTS / "cases"
CORPUS = TESTS / "language" / "corpus"
DIALOGUES = TESTS / "dialogues"
LETTERS_GOLDEN = TESTS / "game" / "letters" / "golden"
MAIL_LETTERS = TESTS / "mail" / "message" / "letters"
MAIL_MACHINES = TESTS / "mail" / "message" / "machines"
MAIL_KEYS = TESTS / "mail" / "message" / "keys"
STARTED = DIALOGUES / "started.part"
VARIANTS = ROOT / "variants"
MEMORY = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)
"""A folder in memory, where there is one: a site waits for the disk twice with each file, a
database with each commit."""
