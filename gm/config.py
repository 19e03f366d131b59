"""Reads gm.toml and the environment into one frozen `Config`.

Every key may come from the environment too: GM_RELAY__PASSWORD sets `password` in `[relay]`. Paths in gm.toml are
relative to its folder: mail servers, cron and operators start commands in any. A wrong value raises ConfigError, one
line with file, key and what is expected (`gm.setting_errors`).
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import fields, force_setattr

from gm.errors import ConfigError
from gm.setting_errors import (
    WrongSetting,
    check_addresses,
    check_host,
    check_network,
    check_own_address,
    check_secret,
    check_url,
    database_place,
    describe_error,
    expanded,
    near_name,
    quoted,
)

PREFIX = "gm_"
DATABASE = "gm.sqlite"

ServerPort = Annotated[int, Meta(ge=1, le=65535)]
ListenPort = Annotated[int, Meta(ge=0, le=65535)]
Texts = Annotated[tuple[str, ...], Meta(description='a list of texts like ["one", "two"]')]
NotEmpty = Annotated[str, Meta(min_length=1)]
Days = Annotated[int, Meta(ge=1, le=36_500)]


class Secret:
    """A text that prints as stars."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_secret_value(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "**********"


class ConfigSection(Struct, frozen=True, forbid_unknown_fields=True):
    """A section checks and normalises itself when it is made. Raises WrongSetting."""


class ImapConfig(ConfigSection, frozen=True):
    """A mailbox to poll, with a password or OAuth2 (`token_command` prints an access token)."""

    host: str
    user: str
    port: ServerPort = 993
    security: Literal["tls", "starttls", "none"] = "tls"
    password: Secret | None = None
    token_command: str = ""
    folder: str = "INBOX"
    processed: str = "Processed"
    poll_seconds: Annotated[float, Meta(gt=0, le=3600)] = 90
    idle: bool = True

    def __post_init__(self) -> None:
        check_host(self.host)


class ListenConfig(ConfigSection, frozen=True):
    """The embedded server for incoming letters: "lmtp" behind Postfix, "smtp" for direct mail."""

    host: str = "127.0.0.1"
    port: ListenPort = 8025
    protocol: Literal["smtp", "lmtp"] = "lmtp"
    socket: str = ""
    relays: Annotated[tuple[str, ...], Meta(description='a list of addresses like ["192.0.2.7", "10.0.0.0/8"]')] = ()
    """Addresses or networks of our mail servers, e.g. "192.0.2.7": only they may deliver. Empty: anybody may."""

    def __post_init__(self) -> None:
        check_host(self.host, all_addresses=True)
        expanded("socket", self.socket)
        for relay in self.relays:
            check_network(relay)

    @property
    def open_to_strangers(self) -> bool:
        """Whether senders other than our own mail servers can deliver here."""
        if self.socket or self.relays:
            return False
        return self.protocol == "smtp" or self.host not in ("127.0.0.1", "::1", "localhost")


class RelayConfig(ConfigSection, frozen=True):
    """Where letters are sent: a provider's submission server, or Postfix on this machine."""

    host: str = "127.0.0.1"
    port: ServerPort = 25
    security: Literal["tls", "starttls", "none"] = "none"
    user: str = ""
    password: Secret | None = None
    token_command: str = ""
    timeout: Annotated[float, Meta(gt=0, le=600)] = 60

    def __post_init__(self) -> None:
        check_host(self.host)


def missing_login(section: ImapConfig | RelayConfig) -> str:
    """What a login lacks; "" if it is whole, or none is meant. Passwords may be in the environment of the server alone,
    so only commands that log in ask.
    """
    ways = bool(section.password and section.password.get_secret_value()) + bool(section.token_command)
    if ways and not section.user:
        return "has a login without `user`"
    name = "IMAP" if isinstance(section, ImapConfig) else "RELAY"
    if ways != 1 and (section.user or name == "IMAP"):
        return f"give either password or token_command; a password in the environment is GM_{name}__PASSWORD"
    return ""


class HealthConfig(ConfigSection, frozen=True):
    """A port for monitoring: /healthz and /metrics. Keep it inaccessible from outside."""

    host: str = "127.0.0.1"
    port: ListenPort = 9125

    def __post_init__(self) -> None:
        check_host(self.host, all_addresses=True)


class SiteConfig(ConfigSection, frozen=True):
    """The public site, which the server writes whenever public facts change."""

    folder: NotEmpty
    url: str = ""
    """Where the folder is served, e.g. "https://games.example.org": for feeds, previews and the webhook."""
    title: str = ""
    language: str = "en"
    """Of the list of games. A game's page is in the game's language."""

    def __post_init__(self) -> None:
        expanded("folder", self.folder)
        if self.url:
            check_url(self.url)
            force_setattr(self, "url", self.url.rstrip("/"))


class NotifyConfig(ConfigSection, frozen=True):
    """One outgoing webhook, which gets public events. Its URL may hold a secret, so it is never printed."""

    url: Secret
    form: Literal["json", "ntfy", "discord", "matrix"] = "json"
    secret: Secret | None = None
    """Key of the signature (`gm.server.webhook.post`)."""
    token: Secret | None = None
    """An access token of ntfy or Matrix, or of whatever else wants `Authorization: Bearer`."""
    room: str = ""
    """The room id of form "matrix"."""
    timeout: Annotated[float, Meta(gt=0, le=60)] = 10

    @property
    def host(self) -> str:
        from urllib.parse import urlsplit

        return urlsplit(self.url.get_secret_value()).hostname or ""

    def __post_init__(self) -> None:
        from urllib.parse import urlsplit

        check_url(self.url.get_secret_value())
        path = urlsplit(self.url.get_secret_value()).path.strip("/")
        if self.form == "json" and self.secret is None:
            raise WrongSetting("", 'form "json" needs `secret`, with which the receiver checks the signature')
        if self.secret is not None:
            check_secret(self.secret.get_secret_value())
        if self.form == "ntfy" and not path:
            raise WrongSetting("", 'form "ntfy" needs the topic in the url, like https://ntfy.sh/our-games')
        if self.form == "matrix" and not (self.room.startswith("!") and self.token is not None):
            raise WrongSetting("", 'form "matrix" needs `token` and `room`, a room id like "!abc:example.org"')
        if self.room and self.form != "matrix":
            raise WrongSetting("", '`room` belongs to form "matrix"')


class Config(ConfigSection, frozen=True):
    """The operator's settings."""

    address: str
    """The mailbox that players write to, e.g. "gm@example.org". Reply addresses derive from it."""
    addresses: Literal["plus", "domain", "plain"] = "plus"
    """"plus": gm+ostend.token@example.org (one mailbox). "domain": ostend+france.token@example.org (catch-all).
    "plain": gm@example.org alone, where plus-addresses are not delivered; replies are known by their Ref line."""
    database: NotEmpty = DATABASE
    """A file (SQLite), relative to the folder of gm.toml, or a postgresql+psycopg:// URL."""
    secret: Secret | None = None
    """Key of reply addresses and message ids. Without it, a file `secret` is created beside the database."""
    masters: Texts = ()
    """Addresses that may create games, besides the first game master of `gm init`."""
    authserv_id: str = ""
    """Our mail server's name in Authentication-Results, which must remove such headers from outside. Empty: we believe
    no header."""
    dkim: bool = True
    """Verify DKIM signatures, which prove From without any mail server of ours; needs DNS. With False and no
    `authserv_id`, only secret reply addresses may act."""
    registration: Literal["open", "closed"] = "open"
    """ "open": who confirms an address by letter is registered, and may ask for a seat. "closed": game masters seat or
    invite players. Open is safe: the address must answer, and a seat needs a game master's approval."""
    zone: str = "UTC"
    """The time zone of players and games that named none."""
    variants: Texts = ()
    """More folders with variants."""
    max_letter_bytes: Annotated[int, Meta(ge=10_000, le=50_000_000)] = 1_000_000
    tick_seconds: Annotated[float, Meta(gt=0, le=300)] = 5
    map_wait_seconds: Annotated[float, Meta(ge=0, le=86_400)] = 300
    """How long a letter waits for its map, which is drawn apart, before it leaves without. 0: no maps."""
    hold_until_polled: bool = True
    """No deadline fires before the mailbox was read once after it."""
    outage_minutes: Annotated[float, Meta(ge=0, le=10_080)] = 60
    """After a longer outage of the server, deadlines within it move by a day. 0: never."""
    imap: ImapConfig | None = None
    listen: ListenConfig | None = None
    relay: RelayConfig = RelayConfig()
    health: HealthConfig | None = None
    site: SiteConfig | None = None
    notify: NotifyConfig | None = None
    operators: Texts = ()
    """Who gets a letter when mail is broken or late; default: the first of `masters`."""
    alarm_command: str = ""
    """A command that gets alarms on standard input, for when no letter can leave."""
    keep_letters_days: Days = 180
    """How long letters are kept, as received and as sent. Orders, results and press stay."""
    keep_maps_days: Days = 30
    """How long drawn maps are kept; they are drawn again on request."""
    log: Literal["text", "json"] = "text"

    def __post_init__(self) -> None:
        if not self.operators:
            force_setattr(self, "operators", self.masters[:1])
        for key in ("address", "masters", "operators"):
            force_setattr(self, key, _lowered(getattr(self, key)))
        check_own_address(self.address)
        for key in ("masters", "operators"):
            check_addresses(key, getattr(self, key), self.address)
        force_setattr(self, "database", database_place(self.database))
        for variant in self.variants:
            expanded("variants", variant)
        force_setattr(self, "zone", _check_zone(self.zone))
        if self.secret is not None:
            check_secret(self.secret.get_secret_value())
        if self.authserv_id and self.listen is not None and self.listen.open_to_strangers:
            raise WrongSetting(
                "authserv_id",
                "makes gm believe a header that anybody who reaches [listen] can write: name your mail "
                'server there, as in relays = ["192.0.2.7"], or remove authserv_id',
            )


A = TypeVar("A", str, tuple[str, ...])


def _lowered(value: A) -> A:
    return value.lower() if isinstance(value, str) else tuple(address.lower() for address in value)


def _check_zone(value: str) -> str:
    """The key of the zone; other names that letters may use are taken too."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(value).key
    except (KeyError, ValueError, OSError):
        from gm.language.dates.time_zones import named_zone, near_zones  # only for what is no key

    if zone := named_zone(value):
        return zone.key
    advice = f"do you mean {' or '.join(near)}?" if (near := near_zones(value)) else "write one like Europe/Berlin"
    raise WrongSetting("zone", f"{quoted(value)} is not a time zone; {advice}")


def _parse_list(value: object) -> tuple[str, ...] | None:
    """Returns None if the value is no list of texts in any form."""
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.lstrip().startswith("[") else value.split(",")
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, list | tuple):
        return None
    texts = tuple(text.strip() for text in value if isinstance(text, str))
    return tuple(text for text in texts if text) if len(texts) == len(value) else None


def find_config(config: Path | None, *, logins: bool = True) -> Config:
    """Loads the given file, else ./gm.toml, else /etc/gm/gm.toml, else the environment alone.

    `logins`: the command logs in to mailbox and relay, so passwords must be there.
    """
    if config is None:
        config = next((p for p in (Path("gm.toml"), Path("/etc/gm/gm.toml")) if may_exist(p)), None)
    if config is None and "GM_ADDRESS" not in os.environ:
        raise ConfigError("no gm.toml here or in /etc/gm; `gm init` writes one")
    return load_config(config, logins=logins)


def load_config(path: Path | None, *, logins: bool = True) -> Config:
    """Loads gm.toml (None: the environment alone). Raises ConfigError."""
    values = {} if path is None else _read_file(path)
    written = set(values)
    given = _overlay(values, os.environ)
    try:
        if path is not None:
            _place_beside(path, values, given)
        settings = _load(Config, values)
    except WrongSetting as error:
        raise ConfigError(f"{path}: {error.key}: {error}") from None
    except ValidationError as error:
        raise ConfigError(_fault_line(path, written, given, *describe_error(error, Config))) from None
    for name, section in (("imap", settings.imap), ("relay", settings.relay)):
        if logins and section is not None and (fault := missing_login(section)):
            raise ConfigError(f"{path or 'environment'}: {name}: {fault}")
    return settings


def _fault_line(path: Path | None, written: Collection[str], given: Collection[str], key: str, fault: str) -> str:
    """`written` are the keys and sections of the file, `given` the keys that the environment sets."""
    section = key.partition(".")[0]
    variables = [f"{PREFIX}{name.replace('.', '__')}".upper() for name in given if name.startswith(f"{section}.")]
    if path is not None and variables and section not in written and key not in given:
        return f"environment: {key}: {fault}: {variables[0]} begins a section [{section}], which {path} does not have"
    where = path if path is not None and key not in given else "environment"
    return f"{where}: {key or 'settings'}: {fault}"


def may_exist(path: Path) -> bool:
    """Also where this user may not look: opening it then says so."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; `gm init` writes one") from None
    except PermissionError as error:
        advice = "give it to that user (chown), or let everybody read it (chmod 644) if it holds no password"
        raise ConfigError(f"{path}: cannot be read by {user_name()} ({error.strerror}): {advice}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}: line {line} is not UTF-8 text: save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        advice = next((words for start, words in TOML_ADVICE.items() if str(error).startswith(start)), "")
        raise ConfigError(f"{path}: not valid TOML: {error}{advice}") from None
    except (ValueError, RecursionError):  # thousands of digits, lists in lists
        raise ConfigError(f"{path}: not valid TOML: a number is too long, or a list too deep") from None


TOML_ADVICE = {
    "Invalid value": '; a text stands in straight quotes, like zone = "Europe/Berlin"',
    "Illegal character '\\n'": "; a quote is not closed there",
    "Cannot overwrite a value": "; that key stands in the file twice",
    "Cannot declare": "; that section stands in the file twice",
}
"""By how an error of tomllib begins, what people have done."""


def user_name() -> str:
    """Whom this process runs as, for error lines: "user nobody"."""
    import pwd

    try:
        return f"user {pwd.getpwuid(os.geteuid()).pw_name}"
    except KeyError:
        return f"user {os.geteuid()}"


def _place_beside(path: Path, values: dict[str, Any], given: Collection[str]) -> None:
    """Makes relative paths of gm.toml absolute; those of the environment are relative to where the command starts.

    Raises WrongSetting for what can be no path; other wrong values stay.
    """
    folder = path.absolute().parent
    written = values.setdefault("database", DATABASE)
    is_ours = "database" not in given and isinstance(written, str) and written
    database = database_place(written) if is_ours else "://"
    if "://" not in database:
        place = folder / expanded("database", database)
        if not may_exist(place) and (here := Path(database).absolute()).is_file():
            for_one = f'for the one here write database = "{here}"; for a new one start the command in {folder}'
            raise WrongSetting("database", f"there is no {place}; {for_one}")
        values["database"] = str(place)
    if "variants" not in given and (variants := _parse_list(values.get("variants"))) is not None:
        values["variants"] = [str(folder / expanded("variants", variant)) for variant in variants]
    for name, key in (("site", "folder"), ("listen", "socket")):
        section = values.get(name)
        if isinstance(section, dict) and f"{name}.{key}" not in given and isinstance(section.get(key), str):
            section[key] = section[key] and str(folder / expanded(f"{name}.{key}", section[key]))


Section = TypeVar("Section", bound=ConfigSection)


def load_section(kind: type[Section], values: Mapping[str, object]) -> Section:
    """A section of gm.toml by itself. Raises ConfigError."""
    try:
        section = _load(kind, values)
    except ValidationError as error:
        raise ConfigError(": ".join(filter(None, describe_error(error, kind)))) from None
    if isinstance(section, ImapConfig | RelayConfig) and (fault := missing_login(section)):
        raise ConfigError(fault)
    return section


def _load(kind: type[Section], values: Mapping[str, object]) -> Section:
    """Takes "993" for a number too, as the environment gives it. Raises ValidationError."""
    return convert(_prepared(kind, values), kind, strict=False, dec_hook=_secret)


def _secret(kind: type, value: object) -> Secret:
    if not isinstance(value, str):
        raise WrongSetting("", "should be a text")
    return Secret(value)


def _prepared(kind: Any, values: Mapping[str, object]) -> dict[str, object]:
    """Lists and yes or no, as the environment writes them, become values of TOML."""
    prepared = dict(values)
    for field in fields(kind):
        value = values.get(field.name)
        kinds = (field.type, *get_args(field.type))
        if tuple[str, ...] in kinds:
            texts = _parse_list(value)
            prepared |= {} if texts is None else {field.name: texts}
        elif isinstance(value, str):
            prepared[field.name] = BOOLEANS.get(value.lower(), value) if bool in kinds else value
        elif isinstance(value, dict):
            sections = (section for section in kinds if isinstance(section, type) and issubclass(section, Struct))
            prepared[field.name] = next((_prepared(section, value) for section in sections), value)
    return prepared


BOOLEANS = dict.fromkeys(("yes", "y", "on", "t"), True) | dict.fromkeys(("no", "n", "off", "f"), False)
"""Besides true, false, 1 and 0, which msgspec knows."""


def _overlay(values: dict[str, Any], environment: Mapping[str, str]) -> set[str]:
    """The environment wins over the file, so that passwords can stay out of it. Returns the keys that it sets.

    Raises ConfigError for a variable that is nearly one of ours. Others (GM_CONFIG and the like) are passed over.
    """
    given: set[str] = set()
    for name, text in environment.items():
        if not name.lower().startswith(PREFIX):
            continue
        *sections, key = name.lower().removeprefix(PREFIX).split("__")
        if [*sections, key][0] not in Config.__struct_fields__:
            if meant := near_name("__".join([*sections, key]), _variable_names()):
                raise ConfigError(
                    f"environment: {name}: is not a known setting; do you mean {(PREFIX + meant).upper()}?"
                )
            continue
        if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):  # bytes that are no text
            raise ConfigError(f"environment: {name}: is not UTF-8 text")
        place = values
        for section in sections:
            if not isinstance(place.get(section), dict):
                place[section] = {}
            place = place[section]
        place[key] = text
        given.add(".".join([*sections, key]))
    return given


def _variable_names() -> list[str]:
    """Of the environment, without the prefix: "database", "relay__password"."""
    names: list[str] = []
    for field in fields(Config):
        sections = [kind for kind in (field.type, *get_args(field.type)) if isinstance(kind, type)]
        inner = next((kind for kind in sections if issubclass(kind, ConfigSection)), None)
        names += [field.name] if inner is None else [f"{field.name}__{key}" for key in inner.__struct_fields__]
    return names
