"""The questions of `gm init` on a terminal. Each answer is tested as `gm doctor` does, and may be corrected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

import click

from gm.config import ConfigSection, ImapConfig, ListenConfig, RelayConfig, load_section
from gm.errors import ConfigError
from gm.findings import DoctorFinding
from gm.language.dates.time_zones import city, find_zone, named_zone, near_zones
from gm.server.operators.doctor import check_listener, check_mailbox, check_relay
from gm.server.operators.init import Answers, SettingValue
from gm.setting_errors import WrongSetting, check_addresses, check_own_address

Way = Literal["imap", "lmtp", "smtp", "pipe"]
Section = dict[str, SettingValue]
Settings = TypeVar("Settings", bound=ConfigSection)
WAYS: Mapping[Way, str] = {
    "imap": "gm reads a mailbox at your provider",
    "lmtp": "a mail server on this machine hands letters over at a port (Postfix, Exim …)",
    "smtp": "gm takes letters from everywhere at a port of its own (without TLS; only root takes ports below 1024)",
    "pipe": "a mail server starts `gm deliver` for each letter",
}
TLS_PORTS, STARTTLS_PORTS = (465, 993), (143, 587)
LOCALTIME = Path("/etc/localtime")


def ask_settings(address: str, master: str, zone: str) -> Answers:
    """Asks for what is "". Raises click.Abort when the operator ends it; nothing is written here."""
    click.echo("A few questions; Ctrl-C ends them, and nothing is written. What stands in brackets is taken by Enter.")
    address = _address(address) if address else _ask("The address that players write to", check=_address)
    yours = partial(_person, address)
    master = yours(master) if master else _ask("Your own address (you may create games)", check=yours)
    zone = _zone(zone) if zone else _ask("Time zone of players and games", _local_zone(), check=_zone)
    answers: dict[str, Section] = {"": {"address": address, "masters": (master,), "zone": zone}}
    click.echo("How do letters come to gm?")
    for word, meaning in WAYS.items():
        click.echo(f"  {word:5} {meaning}")
    way = _ask("Your choice", "imap", choices=tuple(WAYS))
    if way == "imap":
        answers["imap"] = _ask_mailbox(address)
    elif way != "pipe":
        answers["listen"] = _ask_listener(way)
    domain = address.rpartition("@")[2]
    if way != "imap" and click.confirm(f"Does all mail of {domain} come to gm, whatever stands before the @?"):
        answers[""]["addresses"] = "domain"
    answers["relay"] = _ask_relay(address, master, answers.get("imap"))
    return answers


def _ask_mailbox(address: str) -> Section:
    section: Section = {"host": f"imap.{address.rpartition('@')[2]}", "port": 993, "user": address}
    while True:
        _ask_place("Mailbox: IMAP server", section)
        section["user"] = _ask("User", str(section["user"]))
        _ask_login(section)
        if _is_accepted(section, ImapConfig, check_mailbox):
            return section


def _ask_listener(way: str) -> Section:
    section: Section = {"protocol": way, "port": 8025 if way == "lmtp" else 25}
    if way == "smtp":
        section["host"] = "0.0.0.0"  # the operator wants letters from everywhere
    while True:
        section["port"] = _ask_port(section["port"])
        if _is_accepted(section, ListenConfig, lambda listen: check_listener(listen)[0]):
            return section


def _ask_relay(address: str, master: str, mailbox: Section | None) -> Section:
    """With a mailbox the relay is mostly the same provider's, with the same login."""
    section: Section = {"host": "127.0.0.1", "port": 25, "user": ""}
    if mailbox is not None:
        host = str(mailbox["host"])
        section = {**mailbox, "host": host.replace("imap", "smtp", 1), "port": 465}
        section.pop("security")
    while True:
        _ask_place("Outgoing letters: SMTP server (relay)", section)
        section["user"] = _ask("User (- for none)", str(section["user"]) or "-")
        if section["user"] == "-":
            section = {**section, "user": ""}
            section.pop("password", None)
            section.pop("token_command", None)
        else:
            _ask_login(section)
        if _is_accepted(section, RelayConfig, lambda relay: check_relay(relay, address, master)):
            return {key: value for key, value in section.items() if value != ""}


def _ask_place(question: str, section: Section) -> None:
    section["host"] = _ask(question, str(section["host"]))
    port = section["port"]
    section["port"] = _ask_port(port)
    usual = "tls" if section["port"] in TLS_PORTS else "starttls" if section["port"] in STARTTLS_PORTS else "none"
    kept = str(section.get("security", usual)) if section["port"] == port else usual
    section["security"] = _ask("Security", kept, choices=("tls", "starttls", "none"))


def _ask_login(section: Section) -> None:
    """A password, or a command that prints an OAuth2 token; Enter keeps what was said before."""
    known = "password" in section or "token_command" in section
    words = "Password (Enter: as before)" if known else "Password (Enter: a command prints an OAuth2 token)"
    password = click.prompt(words, default="", show_default=False, hide_input=True)
    if password:
        section.pop("token_command", None)
        section["password"] = password
    elif not known:
        section["token_command"] = _ask("Command that prints a token")


def _is_accepted(section: Section, kind: type[Settings], check: Callable[[Settings], DoctorFinding]) -> bool:
    """Shows what a test of the section says; the operator may keep what fails, and mend it in gm.toml later."""
    try:
        finding = check(load_section(kind, section))
    except ConfigError as error:
        finding = DoctorFinding("settings", str(error), good=False)
    mark = click.style("ok", fg="green") if finding.good else click.style("WRONG", fg="red")
    click.echo(f"{mark}: {finding.text}")
    return finding.good or not click.confirm("Correct it now?", default=True)


def _ask(
    question: str, usual: str | None = None, *, check: Callable[[str], str] | None = None, choices: tuple[str, ...] = ()
) -> str:
    kind = click.Choice(choices, case_sensitive=False) if choices else None
    return str(click.prompt(question, default=usual, type=kind, value_proc=check)).strip()


def _ask_port(usual: SettingValue) -> int:
    port = click.prompt("Port", default=usual, type=click.IntRange(1, 65535))
    return int(str(port))


def _address(text: str) -> str:
    address = text.strip().lower()
    try:
        check_own_address(address)
    except WrongSetting as error:
        raise click.BadParameter(str(error)) from None
    return address


def _person(own: str, text: str) -> str:
    address = text.strip().lower()
    try:
        check_addresses("", (address,), own)
    except WrongSetting as error:
        raise click.BadParameter(str(error)) from None
    return address


def _zone(text: str) -> str:
    zone = named_zone(text)
    if zone is None:
        near = near_zones(text)
        advice = f"did you mean {' or '.join(near)}?" if near else "write one like Europe/Berlin"
        raise click.BadParameter(f'"{text.strip()}" is not a time zone; {advice}')
    return zone.key


def _local_zone() -> str:
    """The machine's zone, "UTC" where it does not tell."""
    place = str(LOCALTIME.resolve()).partition("/zoneinfo/")[2]
    zone = find_zone(place) if place else None
    return zone.key if zone is not None and city(zone) else "UTC"
