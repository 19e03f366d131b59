"""Reads gm.toml and the environment into one frozen `Config`.

Every key may come from the environment too: GM_RELAY__PASSWORD sets `password` in `[relay]`. A wrong value raises
ConfigError, one line with file, key and what is expected.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings import SettingsError as EnvironmentFault

from gm.errors import ConfigError

SECRET_LEAST = 16
"""A shorter secret could be guessed, and with it every reply address."""
TOO_SHORT = f"is too short, it could be guessed; give {SECRET_LEAST} random characters or more"
ADDRESS = re.compile(r"[^@\s<>,;\"]+@[^@\s<>,;\"]+")


class ConfigSection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ImapConfig(ConfigSection):
    """A mailbox to poll, with a password or OAuth2 (`token_command` prints an access token)."""

    host: str
    user: str
    port: int = Field(default=993, ge=1, le=65535)
    security: Literal["tls", "starttls", "none"] = "tls"
    password: SecretStr | None = None
    token_command: str = ""
    folder: str = "INBOX"
    processed: str = "Processed"
    poll_seconds: float = Field(default=90, gt=0, le=3600)
    idle: bool = True

    @model_validator(mode="after")
    def _one_way_in(self) -> ImapConfig:
        if (self.password is None) == (not self.token_command):
            raise ValueError("give either password or token_command")
        return self


class ListenConfig(ConfigSection):
    """The embedded server for incoming letters: "lmtp" behind Postfix, "smtp" for direct mail."""

    host: str = "127.0.0.1"
    port: int = Field(default=8025, ge=0, le=65535)
    protocol: Literal["smtp", "lmtp"] = "lmtp"
    socket: str = ""
    relays: Annotated[tuple[str, ...], NoDecode] = ()
    """Addresses or networks of our mail servers, e.g. "192.0.2.7": only they may deliver. Empty: anybody may."""

    @field_validator("relays", mode="before")
    @classmethod
    def _relays(cls, value: object) -> tuple[str, ...]:
        relays = _parse_list(value)
        if relays is None:
            raise ValueError('should be a list of addresses like ["192.0.2.7", "10.0.0.0/8"]')
        for relay in relays:
            try:
                network = ipaddress.ip_network(relay)
            except ValueError:
                raise ValueError(f'"{relay}" is not an address or network like 192.0.2.7 or 10.0.0.0/8') from None
            if not network.prefixlen:
                raise ValueError(f'"{relay}" names everybody; name your own mail servers, or leave relays out')
        return relays

    @property
    def open_to_strangers(self) -> bool:
        """Whether senders other than our own mail servers can deliver here."""
        if self.socket or self.relays:
            return False
        return self.protocol == "smtp" or self.host not in ("127.0.0.1", "::1", "localhost")


class RelayConfig(ConfigSection):
    """Where letters are sent: a provider's submission server, or Postfix on this machine."""

    host: str = "127.0.0.1"
    port: int = Field(default=25, ge=1, le=65535)
    security: Literal["tls", "starttls", "none"] = "none"
    user: str = ""
    password: SecretStr | None = None
    token_command: str = ""
    timeout: float = Field(default=60, gt=0, le=600)


class HealthConfig(ConfigSection):
    """A port for monitoring: /healthz and /metrics. Keep it inaccessible from outside."""

    host: str = "127.0.0.1"
    port: int = Field(default=9125, ge=0, le=65535)


class SiteConfig(ConfigSection):
    """The public site, which the server writes whenever public facts change."""

    folder: str = Field(min_length=1)
    url: str = ""
    """Where the folder is served, e.g. "https://games.example.org": for feeds, previews and the webhook."""
    title: str = ""
    language: str = "en"
    """Of the list of games. A game's page is in the game's language."""

    @field_validator("url")
    @classmethod
    def _url(cls, value: str) -> str:
        return _check_url(value).rstrip("/") if value else ""


class NotifyConfig(ConfigSection):
    """One outgoing webhook, which gets public events. Its URL may hold a secret, so it is never printed."""

    url: SecretStr
    form: Literal["json", "ntfy", "discord", "matrix"] = "json"
    secret: SecretStr | None = None
    """Key of the signature (`gm.server.webhook.post`)."""
    token: SecretStr | None = None
    """An access token of ntfy or Matrix, or of whatever else wants `Authorization: Bearer`."""
    room: str = ""
    """The room id of form "matrix"."""
    timeout: float = Field(default=10, gt=0, le=60)

    @property
    def host(self) -> str:
        return urlsplit(self.url.get_secret_value()).hostname or ""

    @field_validator("url")
    @classmethod
    def _url(cls, value: SecretStr) -> SecretStr:
        _check_url(value.get_secret_value())
        return value

    @model_validator(mode="after")
    def _complete(self) -> NotifyConfig:
        path = urlsplit(self.url.get_secret_value()).path.strip("/")
        if self.form == "json" and self.secret is None:
            raise ValueError('form "json" needs `secret`, with which the receiver checks the signature')
        if self.secret is not None and len(self.secret.get_secret_value()) < SECRET_LEAST:
            raise ValueError(f"secret {TOO_SHORT}")
        if self.form == "ntfy" and not path:
            raise ValueError('form "ntfy" needs the topic in the url, like https://ntfy.sh/our-games')
        if self.form == "matrix" and not (self.room.startswith("!") and self.token is not None):
            raise ValueError('form "matrix" needs `token` and `room`, a room id like "!abc:example.org"')
        if self.room and self.form != "matrix":
            raise ValueError('`room` belongs to form "matrix"')
        return self


def _check_url(value: str) -> str:
    """Raises ValueError, without the URL, which may be secret."""
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("should be an address like https://games.example.org")
    if parts.username or parts.fragment:
        raise ValueError("should have no user name and no #: give a password as `token`")
    return value


class Config(BaseSettings):
    """The operator's settings. Secrets print as stars."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix="GM_", env_nested_delimiter="__", populate_by_name=True
    )

    address: str
    """The mailbox that players write to, e.g. "gm@example.org". Reply addresses derive from it."""
    addresses: Literal["plus", "domain", "plain"] = "plus"
    """"plus": gm+ostend.token@example.org (one mailbox). "domain": ostend+france.token@example.org (catch-all).
    "plain": gm@example.org alone, where plus-addresses are not delivered; replies are known by their Ref line."""
    database: str = Field(default="gm.sqlite", min_length=1)
    """A file (SQLite) or a postgresql+psycopg:// URL."""
    secret: SecretStr | None = None
    """Key of reply addresses and message ids. Without it, a file `secret` is created beside the database."""
    masters: Annotated[tuple[str, ...], NoDecode] = ()
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
    variants: Annotated[tuple[str, ...], NoDecode] = ()
    """More folders with variants."""
    max_letter_bytes: int = Field(default=1_000_000, ge=10_000, le=50_000_000)
    tick_seconds: float = Field(default=5, gt=0, le=300)
    map_wait_seconds: float = Field(default=300, ge=0, le=86_400)
    """How long a letter waits for its map, which is drawn apart, before it leaves without. 0: no maps."""
    hold_until_polled: bool = True
    """No deadline fires before the mailbox was read once after it."""
    outage_minutes: float = Field(default=60, ge=0, le=10_080)
    """After a longer outage of the server, deadlines within it move by a day. 0: never."""
    imap: ImapConfig | None = None
    listen: ListenConfig | None = None
    relay: RelayConfig = RelayConfig()
    health: HealthConfig | None = None
    site: SiteConfig | None = None
    notify: NotifyConfig | None = None
    operators: Annotated[tuple[str, ...], NoDecode] = ()
    """Who gets a letter when mail is broken or late; default: the first of `masters`."""
    alarm_command: str = ""
    """A command that gets alarms on standard input, for when no letter can leave."""
    keep_letters_days: int = Field(default=180, ge=1, le=36_500)
    """How long the raw bytes of processed letters are kept. Orders, results and press stay."""
    keep_maps_days: int = Field(default=30, ge=1, le=36_500)
    """How long drawn maps are kept; they are drawn again on request."""
    log: Literal["text", "json"] = "text"

    @field_validator("masters", "variants", "operators", mode="before")
    @classmethod
    def _list(cls, value: object) -> object:
        """Accepts one value, several separated by commas (environment), or JSON."""
        texts = _parse_list(value)
        if texts is None:
            raise ValueError('should be a list of texts like ["one", "two"]')
        return texts

    @field_validator("address", "masters", "operators")
    @classmethod
    def _addresses(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for address in (value,) if isinstance(value, str) else value:
            if not ADDRESS.fullmatch(address):
                raise ValueError(f'"{address}" is not an email address like gm@example.org')
        return value.lower() if isinstance(value, str) else tuple(address.lower() for address in value)

    @model_validator(mode="before")
    @classmethod
    def _somebody_hears(cls, values: Any) -> Any:
        if isinstance(values, dict) and _parse_list(values.get("operators", ())) == ():
            return {**values, "operators": (_parse_list(values.get("masters", ())) or ())[:1]}
        return values

    @model_validator(mode="after")
    def _no_strangers_vouch(self) -> Config:
        if self.authserv_id and self.listen is not None and self.listen.open_to_strangers:
            raise ValueError(
                "authserv_id makes gm believe a header that anybody who reaches [listen] can write: name your mail "
                'server there, as in relays = ["192.0.2.7"], or remove authserv_id'
            )
        return self

    @field_validator("secret")
    @classmethod
    def _secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < SECRET_LEAST:
            raise ValueError(TOO_SHORT)
        return value

    @field_validator("zone")
    @classmethod
    def _zone(cls, value: str) -> str:
        """The key of the zone; other names that letters may use are taken too."""
        try:
            return ZoneInfo(value).key
        except (KeyError, ValueError, OSError):
            from gm.language.dates.time_zones import named_zone, near_zones  # only for what is no key

        if zone := named_zone(value):
            return zone.key
        advice = f"do you mean {' or '.join(near)}?" if (near := near_zones(value)) else "write one like Europe/Berlin"
        raise ValueError(f'"{value}" is not a time zone; {advice}')

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, so that passwords can stay out of it."""
        return env_settings, init_settings


def _parse_list(value: object) -> tuple[str, ...] | None:
    """Returns None if the value is no list of texts in any form."""
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.lstrip().startswith("[") else value.split(",")
        except ValueError:
            return None
    if not isinstance(value, list | tuple):
        return None
    texts = tuple(text.strip() for text in value if isinstance(text, str))
    return tuple(text for text in texts if text) if len(texts) == len(value) else None


def find_config(config: Path | None) -> Config:
    """Loads the given file, else ./gm.toml, else /etc/gm/gm.toml, else the environment alone."""
    if config is None:
        config = next((p for p in (Path("gm.toml"), Path("/etc/gm/gm.toml")) if p.exists()), None)
    if config is None and "GM_ADDRESS" not in os.environ:
        raise ConfigError("no gm.toml here or in /etc/gm; `gm init` writes one")
    return load_config(config)


def load_config(path: Path | None) -> Config:
    """Loads gm.toml (None: the environment alone). Raises ConfigError."""
    values: dict[str, Any] = {}
    if path is not None:
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ConfigError(f"{path}: no such file; `gm init` writes one") from None
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read ({error})") from None
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path}: not valid TOML: {error}") from None
    try:
        return Config(**values)
    except ValidationError as error:
        raise ConfigError(_first_error(error, path)) from None
    except EnvironmentFault as error:
        raise ConfigError(f"environment: {' '.join(str(error).split())}") from None


Section = TypeVar("Section", bound=ConfigSection)


def load_section(kind: type[Section], values: Mapping[str, object]) -> Section:
    """A section of gm.toml by itself. Raises ConfigError."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as error:
        raise ConfigError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None


def _first_error(error: ValidationError, path: Path | None) -> str:
    detail = error.errors()[0]
    key = ".".join(str(part) for part in detail["loc"]) or "settings"
    where = str(path) if path else "environment"
    message = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "missing":
        message = "is missing"
    if detail["type"] == "extra_forbidden":
        message = "is not a known setting"
    return f"{where}: {key}: {message}"
