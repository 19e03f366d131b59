"""Positions with their order sheets as CSV, for spreadsheets; the same document as in `json_position`.

    what,power,unit,place,by,value
    variant,,,,,standard
    phase,,,,,S1901R
    unit,Austria,A,Bud,,
    dislodged,Germany,A,Ber,A Mun,Sil Pru        (the attacker and its origin; where it may retreat)
    centre,Austria,,Bud,,
    points,France,IP,Poland,,5                   (the account, and about whom)
    order,Austria,,,,A Bud - Gal                 (of a controlled power: Germany/Poland)

Semicolons and tabs are read as well as commas. The file holds no moved borders and no lines for later phases.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from gm.language.formats.json_values import ExchangeError, clipped

HEAD = ("what", "power", "unit", "place", "by", "value")
Line = tuple[str, str, str, str, str, str]


def write(document: Mapping[str, Any]) -> str:
    kept = io.StringIO()
    made = csv.writer(kept, lineterminator="\n")
    made.writerow(HEAD)
    made.writerows(_lines(document))
    return kept.getvalue()


def _lines(document: Mapping[str, Any]) -> Iterator[Line]:
    yield ("variant", "", "", "", "", document["variant"])
    yield ("phase", "", "", "", "", document["phase"])
    for power, units in document["units"].items():
        for unit in units:
            kind, _, place = unit.partition(" ")
            yield ("unit", power, kind, place, "", "")
    for power, items in document["dislodged"].items():
        for item in items:
            kind, _, place = item["unit"].partition(" ")
            yield ("dislodged", power, kind, place, item["by"], " ".join(item["retreats"]))
    for power, codes in document["centers"].items():
        for code in codes:
            yield ("centre", power, "", code, "", "")
    for account in document.get("ledger", ()):
        purse, power, subject = (account.get(key, "") for key in ("purse", "power", "subject"))
        yield ("points", power, purse, subject, "", str(account["amount"]))
    for power, texts in document.get("orders", {}).items():
        for text in texts:
            yield ("order", power, "", "", "", text)


def read(text: str) -> dict[str, Any]:
    """The part of the document that the lines hold. Raises ExchangeError."""
    first = text.lstrip().partition("\n")[0]
    mark = next((delimiter for delimiter in "\t;," if delimiter in first), ",")
    rows = [row for row in csv.reader(io.StringIO(text.strip()), delimiter=mark) if any(map(str.strip, row))]
    heads = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "what" not in heads:
        raise ExchangeError(f"the first line must be {','.join(HEAD)}")
    document: dict[str, Any] = {"units": {}, "centers": {}, "dislodged": {}, "ledger": [], "orders": {}}
    for row in rows[1:]:
        cells = dict(zip(heads, map(str.strip, row), strict=False))
        _add(document, *(cells.get(name, "") for name in HEAD))
    orders_alone = not (document["units"] or document["centers"])
    return {"orders": document["orders"]} if orders_alone else document


def _add(document: dict[str, Any], what: str, power: str, unit: str, place: str, by: str, value: str) -> None:
    match what.lower():
        case "variant" | "phase" as key:
            document[key] = value
        case "unit":
            document["units"].setdefault(power, []).append(f"{unit} {place}")
        case "dislodged":
            entry = {"unit": f"{unit} {place}", "by": by, "retreats": value.split()}
            document["dislodged"].setdefault(power, []).append(entry)
        case "centre" | "center":
            document["centers"].setdefault(power, []).append(place)
        case "points":
            if not value.lstrip("-").isdigit():
                raise ExchangeError(f"points must be a whole number, not {clipped(value)}")
            account = {"purse": unit, "power": power, "subject": place, "amount": int(value)}
            document["ledger"].append(account)
        case "order":
            document["orders"].setdefault(power, []).append(value)
        case _:
            raise ExchangeError(
                f"no line begins with {clipped(what)}; there are variant, phase, unit, dislodged, centre, points, order"
            )
