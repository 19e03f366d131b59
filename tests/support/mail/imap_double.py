"""An IMAP server of a few lines with the habits of others: what Dovecot and pymap never do, and RFC 9051 allows.

    with Double("lazy search") as server:
        server.deliver(raw)

lazy search      SEARCH knows only the letters that SELECT, NOOP or IDLE have told of
early exists     a letter that came is told before IDLE's "+"; it is never told again
one breath       IDLE's "+" and what came just before it are one packet
split search     SEARCH answers in several lines, the first of them empty
silent search    no line at all where SEARCH finds nothing
esearch          SEARCH is answered by ESEARCH, as of RFC 9051, though nobody asked for it
no search        SEARCH is refused; "bad search": it is unknown; "odd search": its answer is no list of numbers
no flags         a FETCH of flags alone is refused
told in search   letters in `later` come while SEARCH answers that there are none, and are told of there alone
told while moved the letters in `later` come while others are moved, and that is the only time they are told of
no idle          IDLE is announced, and refused
login disabled   LOGIN is refused, AUTHENTICATE PLAIN is not
xoauth2          a token opens it, by that mechanism; "oauthbearer": by that one
challenges       of a token that is wrong it says why in a challenge, and NO when that has got its answer
odd challenge    what it says before it hears a password is no base64
other then       capabilities are other ones after login, and told only when asked for
chatty           unasked FETCH, EXISTS, EXPUNGE and OK stand between the answers, which come backwards and in halves
odd dates        INTERNALDATE is none
full             MOVE is refused, [OVERQUOTA]
throttled        every FETCH of a letter is refused, [THROTTLED]
goodbye          BYE after every twelfth command

`refused`: numbers of letters (the first is 1) whose text it says NO to; `nothing`: whose text it gives as NIL.
"""

from __future__ import annotations

import base64
import contextlib
import re
import socket
import threading
from dataclasses import dataclass, field

USER, PASSWORD, TOKEN = "gm", "secret", "the=token"
SPOKEN = {
    "xoauth2": (f"user={USER}\x01auth=Bearer {TOKEN}\x01\x01", ""),
    "oauthbearer": (f"n,a={USER},\x01auth=Bearer {TOKEN}\x01\x01", "AQ=="),
}
"""What is said to come in by a token, and after a refusal."""
NUMBERS = re.compile(r"\d+(?::(?:\d+|\*))?")


class Double:
    def __init__(self, *habits: str) -> None:
        self.habits = set(habits)
        self.letters: dict[int, bytes] = {}
        self.moved: list[int] = []
        self.later: list[bytes] = []
        self.refused: set[int] = set()
        self.nothing: set[int] = set()
        self.commands: list[str] = []
        self.connections = 0
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = [self._listener]

    def __enter__(self) -> Double:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def deliver(self, *letters: bytes) -> None:
        with self._lock:
            for raw in letters:
                self.letters[1 + len(self.letters) + len(self.moved)] = raw

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                self._open.append(client)
                threading.Thread(target=_Session(self, client).talk, daemon=True).start()


@dataclass
class _Session:
    server: Double
    client: socket.socket
    inside: bool = False
    known: list[int] = field(default_factory=list)
    """UIDs the client has been told of, by sequence number."""
    count: int = 0

    def talk(self) -> None:
        with contextlib.suppress(OSError, EOFError), self.client.makefile("rb") as lines:
            self.say("* OK double")
            while line := lines.readline().decode("utf-8", "replace").strip():
                self.server.commands.append(line)
                self.count += 1
                if self.has("goodbye") and self.count % 12 == 0:
                    self.say("* BYE I had enough")
                    raise EOFError
                tag, _, rest = line.partition(" ")
                word = rest.removeprefix("UID ").split(" ")[0].lower()
                getattr(self, f"on_{word}", self.on_other)(tag, rest, lines)
        self.client.close()

    def has(self, habit: str) -> bool:
        return habit in self.server.habits

    def say(self, *lines: str | bytes) -> None:
        data = b"".join(line if isinstance(line, bytes) else f"{line}\r\n".encode() for line in lines)
        self.client.sendall(data)

    def tell_of_new(self) -> None:
        fresh = [uid for uid in self.server.letters if uid not in self.known]
        if fresh:
            self.known += fresh
            self.say(f"* {len(self.known)} EXISTS")

    def on_other(self, tag: str, rest: str, lines: object) -> None:
        self.say(f"{tag} OK done")

    def on_capability(self, tag: str, rest: str, lines: object) -> None:
        words = ["IMAP4rev1", "IDLE", "MOVE", "UIDPLUS", "AUTH=PLAIN"]
        if self.has("login disabled") and not self.inside:
            words.append("LOGINDISABLED")
        words += [f"AUTH={mechanism.upper()}" for mechanism in SPOKEN if self.has(mechanism)]
        if self.has("other then"):
            words = ["IMAP4rev1", "UIDPLUS"] if self.inside else [*words]
        self.say(f"* CAPABILITY {' '.join(words)}", f"{tag} OK done")

    def on_login(self, tag: str, rest: str, lines: object) -> None:
        if self.has("login disabled"):
            self.say(f"{tag} NO [PRIVACYREQUIRED] LOGIN is disabled")
        else:
            self.let_in(tag, rest.split()[1:] == [USER, f'"{PASSWORD}"'])

    def on_authenticate(self, tag: str, rest: str, lines: object) -> None:
        self.say("+ speak" if self.has("odd challenge") else "+ ")
        given = base64.b64decode(self.heard(lines)).decode()
        if (mechanism := rest.split()[1].lower()) not in SPOKEN:
            self.let_in(tag, given.split("\0")[1:] == [USER, PASSWORD])
            return
        opening, closing = SPOKEN[mechanism]
        right = self.has(mechanism) and given == opening
        if not right and self.has("challenges"):
            self.say("+ " + base64.b64encode(b'{"status":"401"}').decode())
            if self.heard(lines) != closing:
                raise EOFError
        self.let_in(tag, right)

    def heard(self, lines: object) -> str:
        line: str = lines.readline().decode().strip()  # type: ignore[attr-defined]
        return line

    def let_in(self, tag: str, right: bool) -> None:
        self.inside = right
        self.say(f"{tag} OK in" if right else f"{tag} NO [AUTHENTICATIONFAILED] wrong")

    def on_list(self, tag: str, rest: str, lines: object) -> None:
        self.say('* LIST (\\HasNoChildren) "/" "Processed"', f"{tag} OK done")

    def on_select(self, tag: str, rest: str, lines: object) -> None:
        self.known = sorted(self.server.letters)
        self.say(f"* {len(self.known)} EXISTS", "* OK [UIDVALIDITY 7] fine", f"{tag} OK [READ-WRITE] done")

    def on_noop(self, tag: str, rest: str, lines: object) -> None:
        self.tell_of_new()
        self.say(f"{tag} OK done")

    def on_search(self, tag: str, rest: str, lines: object) -> None:
        if not self.has("lazy search"):
            self.tell_of_new()
        here = [uid for uid in self.known if uid in self.server.letters]
        if self.has("no search") or self.has("bad search"):
            self.say(f"{tag} NO [SERVERBUG] no index" if self.has("no search") else f"{tag} BAD what is that")
            return
        self.say(*self.search_answer(tag, here))
        if self.has("told in search") and not here and self.server.later:
            self.server.deliver(self.server.later.pop())
            self.tell_of_new()
        self.say(f"{tag} OK done")

    def search_answer(self, tag: str, here: list[int]) -> list[str]:
        if self.has("esearch"):
            uids = f" ALL {here[0]},{here[-1]}:{here[1]}" if len(here) > 1 else ""
            return [f'* ESEARCH (TAG "{tag}") UID{uids}']
        if self.has("odd search"):
            return ["* SEARCH none today"]
        if self.has("split search"):
            return ["* SEARCH", *(f"* SEARCH {uid}" for uid in here)]
        return [] if self.has("silent search") and not here else [f"* SEARCH {' '.join(map(str, here))}".rstrip()]

    def on_fetch(self, tag: str, rest: str, lines: object) -> None:
        uids = self.asked(rest.split()[1 + rest.startswith("UID ")])
        if self.has("no flags") and "(FLAGS)" in rest:
            self.say(f"{tag} NO not today")
            return
        if "BODY" in rest and (self.has("throttled") or self.server.refused.intersection(uids)):
            reason = "[THROTTLED] too much" if self.has("throttled") else "the letter cannot be shown"
            self.say(f"{tag} NO {reason}")
            return
        for uid in reversed(uids) if self.has("chatty") else uids:
            if uid in self.server.letters:
                self.give(uid, "BODY" in rest)
        self.say(f"{tag} OK done")

    def give(self, uid: int, text: bool) -> None:
        number, raw = self.known.index(uid) + 1, self.server.letters[uid]
        if self.has("chatty"):
            self.say("* OK [ALERT] have a nice day", f"* {len(self.known)} EXISTS", "* 1 FETCH (FLAGS (\\Seen))")
        if text and uid in self.server.nothing:
            self.say(f"* {number} FETCH (UID {uid} BODY[] NIL)")
        elif text:
            self.say(f"* {number} FETCH (UID {uid} BODY[] {{{len(raw)}}}", raw, ")")
        else:
            date = "00-Xyz-0000 99:99:99 +0000" if self.has("odd dates") else "20-Nov-2026 10:00:00 +0000"
            parts = [f"RFC822.SIZE {len(raw)}", f'INTERNALDATE "{date}"']
            for part in parts if self.has("chatty") else [" ".join(parts)]:
                self.say(f"* {number} FETCH (UID {uid} {part} FLAGS ())")

    def on_move(self, tag: str, rest: str, lines: object) -> None:
        if self.has("full"):
            self.say(f"{tag} NO [OVERQUOTA] no room")
            return
        for uid in self.asked(rest.split()[1 + rest.startswith("UID ")]):
            self.say(f"* {self.known.index(uid) + 1} EXPUNGE")
            self.known.remove(uid)
            del self.server.letters[uid]
            self.server.moved.append(uid)
        if self.has("told while moved") and self.server.later:
            self.server.deliver(self.server.later.pop())
            self.tell_of_new()
        self.say(f"{tag} OK done")

    def on_idle(self, tag: str, rest: str, lines: object) -> None:
        if self.has("no idle"):
            self.say(f"{tag} NO not today")
            return
        if self.has("early exists") and self.server.later:
            self.server.deliver(self.server.later.pop())
            self.tell_of_new()
        if self.has("one breath") and self.server.later:
            self.server.deliver(self.server.later.pop())
            self.known.append(max(self.server.letters))
            self.say("+ idling", f"* {len(self.known)} EXISTS")
        else:
            self.say("+ idling")
        self.client.settimeout(0.05)
        while True:
            with contextlib.suppress(TimeoutError):
                received = self.client.recv(100)
                if not received:
                    raise EOFError  # the client left: it would be read for ever
                if received.upper().startswith(b"DONE"):
                    break
            self.tell_of_new()
        self.client.settimeout(None)
        self.say(f"{tag} OK done")

    def on_logout(self, tag: str, rest: str, lines: object) -> None:
        self.say("* BYE bye", f"{tag} OK done")
        raise EOFError

    def asked(self, text: str) -> list[int]:
        uids: list[int] = []
        for part in NUMBERS.findall(text):
            first, _, last = part.replace("*", str(max(self.known, default=1))).partition(":")
            uids += range(int(first), int(last or first) + 1)
        return [uid for uid in uids if uid in self.known]
