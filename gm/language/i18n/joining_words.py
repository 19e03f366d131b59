"""Small words of all languages together, as alternatives of a pattern: grammars/joining_words.toml.

re.compile(rf"\\s(?:{AND})\\s")     between the parts of a list
"""

from __future__ import annotations

from gm.resources import folder, read_table

_TABLE: dict[str, list[str]] = read_table(folder("grammars") / "joining_words.toml")

AND = "|".join(_TABLE["and"])
AND_ALSO = "|".join((*_TABLE["and"], *_TABLE["as_well"]))
OR = "|".join(_TABLE["or"])
BUT = "|".join(_TABLE["but"])
THEN = "|".join(_TABLE["then"])
OTHERWISE = "|".join(_TABLE["otherwise"])
PLEASE = "|".join(_TABLE["please"])
COURTESIES = (*_TABLE["please"], *_TABLE["thanks"])
ARTICLES = frozenset(_TABLE["articles"])
