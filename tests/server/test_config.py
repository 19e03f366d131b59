"""gm.toml and the environment: values, and one line for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.config import load_config
from gm.errors import ConfigError

GOOD = 'address = "GM@example.org"\n[imap]\nhost = "imap.example.org"\nuser = "gm"\npassword = "x"\n'


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for key in ("GM_ADDRESS", "GM_RELAY__PASSWORD", "GM_RELAY__USER"):
        monkeypatch.delenv(key, raising=False)

    def write(text: str) -> Path:
        path = tmp_path / "gm.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_load_config_lowers_the_address(write) -> None:
    settings = load_config(write(GOOD))
    assert settings.address == "gm@example.org"
    assert settings.imap is not None
    assert settings.imap.port == 993
    assert settings.relay.port == 25


def test_the_environment_wins_and_secrets_are_hidden(write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_RELAY__PASSWORD", "hunter2")
    monkeypatch.setenv("GM_RELAY__USER", "gm")
    monkeypatch.setenv("GM_ADDRESS", "other@example.org")
    settings = load_config(write(GOOD))
    assert settings.address == "other@example.org"
    assert settings.relay.password is not None
    assert settings.relay.password.get_secret_value() == "hunter2"
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "address: is missing"),
        ('address = "gm"', '"gm" is not an email address'),
        ('address = "a@b"\ncolour = "red"', "colour: is not a known setting"),
        ('address = "a@b"\nzone = "Europe/Berlni"', "is not a time zone; do you mean Europe/Berlin"),
        ('address = "a@b"\nzone = "Nowhere"', "is not a time zone; write one like Europe/Berlin"),
        ('address = "a@b"\n[imap]\nhost = "h"\nuser = "u"', "either password or token_command"),
        ('address = "a@b"\n[listen]\nport = 70000', "listen.port"),
        ('address = "a@b"\n[listen]\nrelays = ["mx.example.org"]', '"mx.example.org" is not an address or network'),
        ('address = "a@b"\n[listen]\nrelays = ["::/0"]', '"::/0" names everybody'),
        ('address = "a@b"\nauthserv_id = "mx"\n[listen]\nprotocol = "smtp"\nrelays = ["0.0.0.0/0"]', "everybody"),
        ('address = "a@b"\n[listen]\nrelays = 7', "should be a list of addresses"),
        ('address = "a@b"\nauthserv_id = "mx"\n[listen]\nprotocol = "smtp"', 'relays = ["192.0.2.7"]'),
        ('address = "a@b"\nauthserv_id = "mx"\n[listen]\nprotocol = "lmtp"\nhost = "0.0.0.0"', "relays"),
        ('address = "a@b"\n[relay]\nsecurity = "ssl"', 'relay.security: should be "none", "starttls" or "tls"'),
        ('address = "a@b"\n[relay]\nport = 0', "relay.port: should be a whole number from 1 to 65535"),
        ('address = "a@b"\n[relay]\ntimeout = 0', "relay.timeout: should be a number above 0 and at most 600"),
        ('address = "a@b"\noutage_minutes = -1', "outage_minutes: should be a number from 0 to 10080"),
        ('address = "a@b"\ndkim = "perhaps"', "dkim: should be true or false"),
        ('address = "a@b"\ndatabase = ""', "database: should be a text that is not empty"),
        ('address = "a@b"\nsecret = 7', "secret: should be a text"),
        ('address = "a@b"\nmasters = ["a@b", 7]', 'masters: should be a list of texts like ["one", "two"]'),
        ('address = "a@b"\nimap = "imap.example.org"', "imap: should be a section"),
        ('address = "a@b"\n[imap]\nuser = "gm"', "imap.host: is missing"),
        ('address = "a@b"\n[relay]\npasswrd = "x"', "relay.passwrd: is not a known setting; do you mean password?"),
        ('adress = "a@b"', "adress: is not a known setting; do you mean address?"),
        ('address = "a@b"\n[lisen]\nport = 25', "lisen: is not a known setting; do you mean listen?"),
        ('address = "a@b"\n[relay]\nuser = "gm"', "relay: give either password or token_command"),
        ('address = "a@b"\n[relay]\nuser = "gm"\npassword = ""', "environment is GM_RELAY__PASSWORD"),
        ('address = "a@b"\n[relay]\npassword = "x"', "relay: has a login without `user`"),
        ('address = "a@b"\n[realy]\nport = 25', "realy: is not a known setting; do you mean relay?"),
        ('address = "a@b"\n[relay]\naddresses = "plain"', "write `addresses` above the first [section]"),
        ('address = "a@b"\npassword = "x"', "write `password` below [imap] or [relay]"),
        ('address = "a@b', "not valid TOML"),
        ('address = "a@b\n', "not valid TOML: Illegal character '\\n' (at line 1, column 15); a quote is not closed"),
        ("address = gm@example.org", "not valid TOML: Invalid value (at line 1, column 11); a text stands in straight"),
        ("address = “gm@example.org”", 'in straight quotes, like zone = "Europe/Berlin"'),
        ('address = "a@b"\naddress = "a@c"', "that key stands in the file twice"),
        ('address = "a@b"\n[relay]\nport = 25\n[relay]\nport = 26', "that section stands in the file twice"),
        (f'address = "a@b"\n[relay]\nport = {"9" * 5000}', "not valid TOML: a number is too long"),
        (f'address = "a@b"\nx = {"[" * 2000}', "or a list too deep"),
        (f'address = "a@b"\nmasters = "{"[" * 5000}"', "masters: should be a list of texts"),
        ('address = "a@b"\nzoen = "UTC"', "zoen: is not a known setting; do you mean zone?"),
        ('address = "a@b"\n[relay]\nprot = 25', "relay.prot: is not a known setting; do you mean port?"),
        ('address = "a@b"\n[smtp]\nport = 25', "smtp: is not a known setting; sections are [imap], [listen], [relay]"),
        ('address = "a@b"\n[relay]\ncolour = 25', "is not a known setting; known are host, port"),
        ('address = "gm@müller.example"', "should have no letters with accents: write gm@xn--mller-kva.example"),
        ('address = "jörg@b.example"', "should have no letters with accents"),
        ('address = "a\\n@b"', 'address: "a\\n@b" is not an email address'),
        ('address = "a@b"\nmasters = ["A@B"]', "masters: \"a@b\" is gm's own mailbox: name a person's address"),
        ('address = "a@b"\noperators = ["a@b"]', 'operators: "a@b" is gm\'s own mailbox'),
        ('address = "a@b"\ndatabase = ":memory:"', "database: would forget everything"),
        ('address = "a@b"\ndatabase = "mysql://u:geheim@h/n"', 'database: we do not speak "mysql"'),
        ('address = "a@b"\ndatabase = "postgresql+psycopg://u:ge@heim@h:x/n"', "write %40 for @"),
        ('address = "a@b"\ndatabase = "sqlite://gm.sqlite"', "database: names no file"),
        ('address = "a@b"\ndatabase = "~nobody_at_all/gm.sqlite"', "is no path that a file can have"),
        ('address = "a@b"\ndatabase = "a\\u0000b"', "is no path that a file can have"),
        (f'address = "a@b"\nvariants = ["{"x" * 300}"]', "variants: "),
        ('address = "a@b"\n[site]\nfolder = "~nobody_at_all/site"', "site.folder: "),
        ('address = "a@b"\n[listen]\nsocket = "a\\u0000b"', "listen.socket: "),
        ('address = "a@b"\n[relay]\nhost = "127.0.0.1:25"', 'relay.host: "127.0.0.1:25" should be a name or address'),
        ('address = "a@b"\n[relay]\nhost = "smtp://mx.example.org"', "the port is a setting of its own, `port`"),
        ('address = "a@b"\n[relay]\nhost = "mx.example.org "', "relay.host: "),
        ('address = "a@b"\n[relay]\nhost = ""', "relay.host: "),
        ('address = "a@b"\n[imap]\nhost = "[::1]"\nuser = "u"\npassword = "p"', "like mail.example.org or ::1"),
        ('address = "a@b"\n[listen]\nhost = "localhost:8025"', "listen.host: "),
        ('address = "a@b"\n[health]\nhost = "http://localhost"', "health.host: "),
    ],
)
def test_a_mistake_is_one_line_with_file_and_key(write, text: str, message: str) -> None:
    path = write(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value).removesuffix("\n").split("TOML:")[0]
    assert "heim" not in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ('address = "a@b"\n# für alle\n'.encode("latin-1"), 2),
        ('address = "a@b"\n\n# “für” alle\n'.encode("cp1252"), 3),
        ('address = "a@b"\n'.encode("utf-16"), 1),
    ],
)
def test_a_file_in_another_encoding_says_where(tmp_path: Path, raw: bytes, line: int) -> None:
    (tmp_path / "gm.toml").write_bytes(raw)
    with pytest.raises(ConfigError, match=f"gm.toml: line {line} is not UTF-8 text: save the file as UTF-8"):
        load_config(tmp_path / "gm.toml")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gm.toml").write_text(GOOD, encoding="utf-8-sig")
    assert load_config(tmp_path / "gm.toml").address == "gm@example.org"


@pytest.mark.parametrize(
    ("url", "path"), [("sqlite:///my.sqlite", "my.sqlite"), ("sqlite:////srv/my.sqlite", "/srv/my.sqlite")]
)
def test_a_url_of_a_file_is_the_file(write, tmp_path: Path, url: str, path: str) -> None:
    assert load_config(write(f'address = "a@b"\ndatabase = "{url}"')).database == str(tmp_path / path)


def test_a_section_that_the_environment_begins_is_not_looked_for_in_the_file(
    write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GM_IMAP__PASSWORD", "x")
    with pytest.raises(ConfigError, match=r"^environment: imap.host: is missing: GM_IMAP__PASSWORD begins a section"):
        load_config(write('address = "a@b"'))


def test_bytes_of_the_environment_that_are_no_text(write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_RELAY__PORT", "\udcff")
    with pytest.raises(ConfigError, match=r"^environment: GM_RELAY__PORT: is not UTF-8 text"):
        load_config(write(GOOD))


@pytest.mark.parametrize(
    "listen",
    [
        'protocol = "lmtp"',
        'protocol = "lmtp"\nhost = "::1"',
        'protocol = "smtp"\nrelays = ["192.0.2.7", "2001:db8::/32"]',
        'protocol = "smtp"\nsocket = "/run/gm.socket"',
    ],
)
def test_our_own_mail_server_may_vouch(write, listen: str) -> None:
    assert load_config(write(f'address = "a@b"\nauthserv_id = "mx"\n[listen]\n{listen}')).listen is not None


def test_strangers_may_deliver_where_no_header_is_believed(write) -> None:
    assert load_config(write('address = "a@b"\n[listen]\nprotocol = "smtp"')).authserv_id == ""


def test_relays_may_come_from_the_environment(write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_LISTEN__RELAYS", "192.0.2.7, 10.0.0.0/8")
    settings = load_config(write(GOOD)).listen
    assert settings is not None
    assert settings.relays == ("192.0.2.7", "10.0.0.0/8")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("GM_SECERT", "GM_SECRET"),
        ("GM_DATABSE", "GM_DATABASE"),
        ("GM_ADRESS", "GM_ADDRESS"),
        ("GM_KEEP_LETTER_DAYS", "GM_KEEP_LETTERS_DAYS"),
        ("GM_RELAY_PASSWORD", "GM_RELAY__PASSWORD"),
        ("GM_IMPA__HOST", "GM_IMAP__HOST"),
    ],
)
def test_a_mistyped_variable_of_the_environment_is_refused(
    write, monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    monkeypatch.setenv(name, "x")
    with pytest.raises(ConfigError, match=f"{name}: is not a known setting; do you mean {meant}"):
        load_config(write(GOOD))


@pytest.mark.parametrize("name", ["GM_CONFIG", "GM_ATLAS", "GM_MAIL_PASSWORD", "GM_DATABASE_PASSWORD", "GM_NO_SKIPS"])
def test_variables_of_others_are_passed_over(write, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "x")
    assert load_config(write(GOOD)).address == "gm@example.org"


def test_paths_of_the_file_are_relative_to_its_folder(write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    write('address = "a@b"\nvariants = ["mine", "/srv/more"]\n[site]\nfolder = "site"\n[listen]\nsocket = "s"')
    monkeypatch.chdir(tmp_path / "elsewhere")
    settings = load_config(Path("../gm.toml"))
    assert Path(settings.database).resolve() == tmp_path / "gm.sqlite"
    assert [Path(variant).resolve() for variant in settings.variants] == [tmp_path / "mine", Path("/srv/more")]
    assert settings.site is not None
    assert Path(settings.site.folder).resolve() == tmp_path / "site"
    assert settings.listen is not None
    assert Path(settings.listen.socket).resolve() == tmp_path / "s"


def test_a_path_of_the_environment_is_relative_to_where_the_command_starts(
    write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GM_DATABASE", "games.sqlite")
    assert load_config(write(GOOD)).database == "games.sqlite"


def test_a_database_where_the_command_starts_is_not_passed_over_in_silence(
    write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(GOOD)
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "gm.sqlite").touch()
    monkeypatch.chdir(tmp_path / "state")
    with pytest.raises(ConfigError, match=r"for the one here write database = .*state/gm.sqlite"):
        load_config(path)
    (tmp_path / "gm.sqlite").touch()
    assert load_config(path).database == str(tmp_path / "gm.sqlite")


def test_passwords_are_asked_for_only_where_somebody_logs_in(write) -> None:
    path = write('address = "a@b"\n[imap]\nhost = "h"\nuser = "u"\n[relay]\nuser = "u"')
    assert load_config(path, logins=False).imap is not None
    with pytest.raises(ConfigError, match="GM_IMAP__PASSWORD"):
        load_config(path)


def test_a_missing_file_names_gm_init(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="gm init"):
        load_config(tmp_path / "none.toml")


@pytest.mark.parametrize("text", ["ruth@example.org, Otto@example.org", '["ruth@example.org", "otto@example.org"]'])
def test_a_list_may_come_from_the_environment(write, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("GM_MASTERS", text)
    settings = load_config(write(GOOD))
    assert settings.masters == ("ruth@example.org", "otto@example.org")
    assert settings.operators == ("ruth@example.org",)  # else nobody hears an alarm


@pytest.mark.parametrize("text", ["", "[]", "op@example.org"])
def test_operators_default_to_the_first_master(write, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("GM_MASTERS", "ruth@example.org")
    monkeypatch.setenv("GM_OPERATORS", text)
    assert load_config(write(GOOD)).operators == (text if "@" in text else "ruth@example.org",)


@pytest.mark.parametrize(
    ("key", "value"),
    [("GM_MASTERS", "[1"), ("GM_VARIANTS", "[1]"), ("GM_OPERATORS", "[1]"), ("GM_SECRET", ""), ("GM_SECRET", "short")],
)
def test_a_wrong_environment_value_is_one_line(write, monkeypatch: pytest.MonkeyPatch, key: str, value: str) -> None:
    monkeypatch.setenv(key, value)
    with pytest.raises(ConfigError, match=key.removeprefix("GM_").lower()) as caught:
        load_config(write(GOOD))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("GM_RELAY__PORT", "many", "relay.port: should be a whole number"),
        ("GM_RELAY__PASSWRD", "x", "relay.passwrd: is not a known setting"),
        ("GM_DKIM", "perhaps", "dkim: should be true or false"),
        ("GM_RELAY", "127.0.0.1", "relay: should be a section"),
    ],
)
def test_a_wrong_value_of_the_environment_is_not_looked_for_in_the_file(
    write, monkeypatch: pytest.MonkeyPatch, key: str, value: str, fault: str
) -> None:
    monkeypatch.setenv(key, value)
    with pytest.raises(ConfigError, match=f"^environment: {fault}"):
        load_config(write(GOOD))


def test_numbers_and_yes_or_no_may_come_from_the_environment(write, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in (("GM_RELAY__PORT", "587"), ("GM_DKIM", "no"), ("gm_imap__idle", "0"), ("GM_CONFIG", "gm.toml")):
        monkeypatch.setenv(key, value)
    settings = load_config(write(GOOD))
    assert (settings.relay.port, settings.dkim, settings.imap and settings.imap.idle) == (587, False, False)
