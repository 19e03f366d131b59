"""Words that mail programs, mailing lists and mail servers write: grammars/mail_programs.toml."""

from __future__ import annotations

import re
import tomllib

from gm.mail.message.charset import normalize_text
from gm.resources import folder

_TABLES = tomllib.loads((folder("grammars") / "mail_programs.toml").read_text(encoding="utf-8"))


def any_of(table: str, kind: str) -> str:
    """The alternatives of a kind of phrase, as a regular expression; each line of the file has some."""
    return "(?:" + "|".join(filter(None, normalize_text(_TABLES[table][kind]).split("\n"))) + ")"


def names(table: str, kind: str) -> frozenset[str]:
    """Headers, or classes of HTML elements, in lower case."""
    return frozenset(_TABLES[table][kind])


def pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)
