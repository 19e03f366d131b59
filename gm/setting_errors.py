"""Checks values of settings, and says in one line which is wrong and what is expected of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct, ValidationError, inspect

ADDRESS = re.compile(r"[^@\s<>,;\"]+@[^@\s<>,;\"]+")
SECRET_LEAST = 16
"""A shorter secret could be guessed, and with it every reply address."""
NAME_MOST = 255
"""Bytes of a file's name."""
DATABASE_FORMS = "write a file's path, or postgresql+psycopg://user:password@host/name"

PLACE = re.compile(r" - at `\$\.?(.*)`$")
MISSING = re.compile(r"Object missing required field `(.*)`$")
UNKNOWN = re.compile(r"Object contains unknown field `(.*)`$")
LIKENESS = 0.83
"""Of a mistyped name to the right one: two letters of six exchanged, or one of `listen` missing."""
LIKENESS_IN_FILE = 0.8
"""A file holds no names of others: two letters of five exchanged are enough."""


class WrongSetting(ValueError):
    """`key` is wrong in its section; "": what is set in the section does not go together."""

    def __init__(self, key: str, fault: str) -> None:
        super().__init__(fault)
        self.key = key


def describe_error(error: ValidationError, kind: type[Struct]) -> tuple[str, str]:
    """Returns the key, with its section ("imap.port"), and what is wrong with its value."""
    place = PLACE.search(str(error))
    path = [part.partition("[")[0] for part in place[1].split(".")] if place else []
    reason = str(error)[: place.start()] if place else str(error)
    if isinstance(error.__cause__, WrongSetting):
        return ".".join(filter(None, [*path, error.__cause__.key])), reason
    if name := MISSING.match(reason):
        return ".".join([*path, name[1]]), "is missing"
    expected = inspect.type_info(kind)
    for key in path:
        expected = next(field.type for field in _section(expected).fields if field.name == key)
    if name := UNKNOWN.match(reason):
        top = _section(inspect.type_info(kind))
        return ".".join([*path, name[1]]), "is not a known setting" + _advice(name[1], _section(expected), top)
    return ".".join(path), f"should be {_describe_type(expected)}"


def _advice(name: str, section: inspect.StructType, top: inspect.StructType) -> str:
    """What is most likely meant by a name that is unknown in its section: another one there, or the same elsewhere."""
    known = [field.name for field in section.fields]
    if meant := near_name(name, known, LIKENESS_IN_FILE) or _same_letters(name, known):
        return f"; do you mean {meant}?"
    if name in {field.name for field in top.fields}:
        return f" of a section: write `{name}` above the first [section]"
    parts = {field.name: _options(field.type)[0] for field in top.fields}
    sections = {of: part for of, part in parts.items() if isinstance(part, inspect.StructType)}
    if within := [f"[{of}]" for of, part in sections.items() if _has(part, name)] if section == top else []:
        return f" outside of a section: write `{name}` below {' or '.join(within)}"
    return (
        f"; sections are {', '.join(f'[{of}]' for of in sections)}"
        if section == top
        else f"; known are {', '.join(known)}"
    )


def _same_letters(name: str, known: Iterable[str]) -> str:
    return next((word for word in known if sorted(word) == sorted(name.lower())), "")


def _has(section: inspect.StructType, name: str) -> bool:
    return any(field.name == name for field in section.fields)


def near_name(name: str, known: Iterable[str], likeness: float = LIKENESS) -> str:
    """The known name that somebody has mistyped; "" if none is near."""
    return next(iter(get_close_matches(name.lower(), list(known), 1, likeness)), "")


def _section(kind: inspect.Type) -> inspect.StructType:
    return next(option for option in _options(kind) if isinstance(option, inspect.StructType))


def _options(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _describe_type(kind: inspect.Type) -> str:
    match _options(kind)[0]:
        case inspect.Metadata(extra_json_schema={"description": words}):
            return str(words)
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.FloatType(gt=None, ge=least, le=most):
            return f"a number from {least} to {most}"
        case inspect.FloatType(gt=floor, le=most):
            return f"a number above {floor} and at most {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=(*others, last)):
            return ", ".join(map(json.dumps, others)) + f" or {json.dumps(last)}"
        case inspect.StructType():
            return "a section with keys of its own"
    return "a text that is not empty" if kind == inspect.StrType(min_length=1) else "a text"


# ---- values


def quoted(text: str) -> str:
    """On one line, which is not too long."""
    return json.dumps(text[:100], ensure_ascii=False)


def check_secret(text: str) -> None:
    if len(text) < SECRET_LEAST:
        raise WrongSetting(
            "secret", f"is too short, it could be guessed; give {SECRET_LEAST} random characters or more"
        )


def check_addresses(key: str, addresses: Iterable[str], own: str) -> None:
    for address in addresses:
        if not ADDRESS.fullmatch(address):
            raise WrongSetting(key, f"{quoted(address)} is not an email address like you@example.net")
        if address == own:
            raise WrongSetting(key, f"{quoted(address)} is gm's own mailbox: name a person's address")


def check_own_address(address: str) -> None:
    if not ADDRESS.fullmatch(address):
        raise WrongSetting("address", f"{quoted(address)} is not an email address like gm@example.org")
    if not address.isascii():
        raise WrongSetting("address", f"{quoted(address)} should have no letters with accents{_plain(address)}")


def _plain(address: str) -> str:
    mailbox, _, domain = address.rpartition("@")
    try:
        plain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        return ""
    return f": write {mailbox}@{plain}" if mailbox.isascii() else ""


def check_host(host: str, *, all_addresses: bool = False) -> None:
    """`all_addresses`: "" stands for all of this machine."""
    good = (bool(host) or all_addresses) and host.isprintable() and not set(host) & set(" /[]@")
    if good and ":" in host:
        from ipaddress import ip_address

        try:
            ip_address(host)
        except ValueError:
            good = False
    if not good:
        advice = "should be a name or address alone, like mail.example.org or ::1; the port is a setting of its own"
        raise WrongSetting("host", f"{quoted(host)} {advice}, `port`")


def database_place(text: str) -> str:
    """A SQLite file's path, also where it was written as a URL, or a URL of PostgreSQL.

    No error repeats a URL, which may hold a password.
    """
    scheme, mark, rest = text.partition("://")
    kind = scheme.partition("+")[0].lower()
    if text == ":memory:":
        raise WrongSetting("database", f"would forget everything when a command ends; {DATABASE_FORMS}")
    if not mark:
        expanded("database", text)
        return text
    if kind == "sqlite" and len(rest) > 1 and rest[0] == "/":
        return database_place(rest[1:])
    if kind == "sqlite":
        raise WrongSetting("database", f"names no file; {DATABASE_FORMS}")
    if kind not in ("postgresql", "postgres"):
        raise WrongSetting("database", f"we do not speak {quoted(kind)}; {DATABASE_FORMS}")
    if rest.partition("?")[0].count("@") > 1:
        raise WrongSetting(
            "database", "has more than one @: in a name or password write %40 for @, %2F for /, %3A for :"
        )
    return text


def expanded(key: str, text: str) -> Path:
    """A path of the settings; ~ stands for a home."""
    try:
        path = Path(text).expanduser()
        if "\0" not in text and all(len(os.fsencode(part)) <= NAME_MOST for part in path.parts):
            return path
    except (RuntimeError, ValueError):
        pass  # no such user; no bytes
    raise WrongSetting(key, f"{quoted(text)} is no path that a file can have")


def check_network(relay: str) -> None:
    from ipaddress import ip_network

    try:
        network = ip_network(relay)
    except ValueError:
        fault = f"{quoted(relay)} is not an address or network like 192.0.2.7 or 10.0.0.0/8"
        raise WrongSetting("relays", fault) from None
    if not network.prefixlen:
        raise WrongSetting("relays", f'"{relay}" names everybody; name your own mail servers, or leave relays out')


def check_url(value: str) -> None:
    """Its messages do not repeat the URL, which may be secret."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or not value.isascii() or not value.isprintable() or " " in value:
        raise WrongSetting("url", "should be an address like https://games.example.org")
    if parts.username or parts.fragment:
        raise WrongSetting("url", "should have no user name and no #: give a password as `token`")
