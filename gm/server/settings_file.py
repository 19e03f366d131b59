"""The text of gm.toml: every setting with its meaning, those that were chosen in use, the others behind "# "."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

SettingValue = str | int | bool | tuple[str, ...]
Answers = Mapping[str, Mapping[str, SettingValue]]
"""Section ("" for the top) → key → value."""

TEMPLATE = """# The game master's settings. Every key may come from the environment instead: GM_RELAY__PASSWORD=…
# To use a line that begins with "# key =", remove the "#"; of a section that begins with "# [name]", all its lines.
# address = "gm@example.org"  # players write to it; reply addresses are made from it
# addresses = "domain"  # if all mail of the domain comes here; "plain" without plus-addresses (default: "plus")
# database = "gm.sqlite"
# masters = ["you@example.net"]  # may create games
# zone = "UTC"  # for players and games without a time zone of their own
# registration = "closed"  # by invitation only; default "open": who confirms an address may ask for a seat
# dkim = false  # if no name server can be asked (default: signatures prove the From address)
# authserv_id = "mx.example.org"  # our mail server in Authentication-Results, which proves From too
# outage_minutes = 120  # after a longer outage, deadlines within it move by a day; 0: never (default: 60)
# map_wait_seconds = 60  # how long a letter waits for its map before it leaves without; 0: no maps (default: 300)
# keep_letters_days = 90  # how long raw letters are kept; games are kept for good (default: 180)
# log = "json"  # for log collectors (default: "text")

# Who gets a letter when mail is broken or late (default: the first of `masters`), and a command for when no mail leaves
# operators = ["you@example.net"]
# alarm_command = "/usr/local/bin/page-me"

# Where letters come from: a mailbox …
# [imap]
# host = "imap.example.org"
# port = 993
# security = "tls"  # or "starttls" (port 143), "none"
# user = "gm@example.org"
# password = "sesame"  # better in the environment, as GM_IMAP__PASSWORD; for OAuth2 write token_command instead
# folder = "INBOX"

# … or a port that your mail server delivers to
# [listen]
# protocol = "lmtp"  # or "smtp"
# port = 8025
# host = "127.0.0.1"
# relays = ["127.0.0.1"]  # only these mail servers may deliver

# Where letters go out: a mail server on this machine, or your provider's, with a login
# [relay]
# host = "127.0.0.1"
# port = 25  # a provider's: 465, or 587
# security = "none"  # "tls" at port 465, "starttls" at port 587
# user = "gm@example.org"
# password = "sesame"  # better in the environment, as GM_RELAY__PASSWORD; for OAuth2 write token_command instead

# A web site of the listed games, written whenever something public changes
# [site]
# folder = "/var/www/games"
# url = "https://games.example.org"  # where that folder is served: for feeds, previews and the webhook
# title = "Our games"
# language = "de"  # of the list of games (default: "en")

# A webhook that is told what anybody may know: turns, games that look for players, deadlines that move
# [notify]
# url = "https://example.org/hooks/gm"
# form = "json"  # or "ntfy", "discord", "matrix"
# secret = "a long random text"  # signs each request; better in the environment, as GM_NOTIFY__SECRET
# token = "tk_sesame"  # an access token, sent as Authorization: Bearer; better as GM_NOTIFY__TOKEN

# A port for monitoring: /healthz and /metrics
# [health]
# port = 9125
"""

SECTION = re.compile(r"# \[(\w+)\]$")
SETTING = re.compile(r"# (\w+) = (?:\"[^\"]*\"|\[[^\]]*\]|\w+)(  #.*)?$")
OWN_ADDRESS, OWN_MASTER = '"gm@example.org"', '"you@example.net"'
"""Examples in the template in whose place the operator's own addresses stand."""


def write_settings(answers: Answers) -> str:
    """Fills the template in. Each line that stays a comment works when uncommented; of a whole section, all lines."""
    lines: list[str] = []
    section = ""
    for line in TEMPLATE.splitlines():
        if head := SECTION.match(line):
            section = head[1]
            lines.append(f"[{section}]" if section in answers else line)
        else:
            lines.extend(_fill(line, section, answers))
    return "\n".join(lines) + "\n"


def _fill(line: str, section: str, answers: Answers) -> Iterator[str]:
    setting = SETTING.match(line)
    if setting is None:
        yield line
        return
    key, values = setting[1], answers.get(section, {})
    if key == "password" and "token_command" in values:
        key = "token_command"  # a section takes one of them
    if key in values:
        yield f"{key} = {quote(values[key])}{setting[2] or ''}"
    elif not (key == "authserv_id" and answers.get("listen", {}).get("protocol") == "smtp"):  # refused by `Config`
        line = line.replace(OWN_ADDRESS, quote(answers[""]["address"]))
        yield line.replace(f"[{OWN_MASTER}]", quote(answers[""]["masters"]))


def quote(value: SettingValue) -> str:
    """Writes a TOML value: one of JSON is one of TOML too, if DEL is escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
