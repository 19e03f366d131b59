"""A real Dovecot, while somebody else moves letters or deletes a folder."""

from __future__ import annotations

from imapclient import DELETED, IMAPClient
from mail.incoming.test_imap_poller import Keeper, append, count, session, settings
from support.mail.dovecot import Dovecot
from support.mail.mail_samples import simple, until

from gm.config import ImapConfig, load_section
from gm.mail.incoming.imap_connection import ImapMailbox
from gm.mail.incoming.imap_poller import ImapPoller


def test_a_letter_moved_while_it_is_removed_is_found_where_it_went() -> None:
    """MOVE keeps the mark of deletion, and the expunge that should follow finds nothing in the old folder."""
    with Dovecot() as server:
        login = {"user": server.user, "password": server.password}
        values = {"host": "127.0.0.1", "port": server.port, "security": "none", **login}
        mailbox = ImapMailbox(load_section(ImapConfig, values))
        mailbox.open()
        server.deliver(simple(Message_ID="<check-1@players.test>"), simple(number=2))
        with IMAPClient("127.0.0.1", server.port, ssl=False, timeout=20) as other:
            other.login(server.user, server.password)
            other.select_folder("INBOX")
            uids = other.search(["HEADER", "MESSAGE-ID", "<check-"])
            other.add_flags(uids, [DELETED])
            other.move(uids, "Processed")
            taken = mailbox.take_out("check-")
            assert [(letter.message_id, letter.folder) for letter in taken] == [("check-1@players.test", "Processed")]
            sizes = {name: other.select_folder(name, readonly=True)[b"EXISTS"] for name in ("INBOX", "Processed")}
        mailbox.close()
    assert sizes == {"INBOX": 1, "Processed": 0}


def test_a_deleted_folder_of_taken_letters_is_made_again() -> None:
    keeper = Keeper()
    with Dovecot() as server:
        poller = ImapPoller(settings(server), keeper)
        poller.start()
        until(lambda: poller.polled_until)
        for number in range(2):
            with session(server) as client:
                client.delete_folder("Processed")
            append(server, simple(subject=f"s{number}", number=number))
            until(lambda number=number: len(keeper.kept) == number + 1)
            until(lambda: count(server, "INBOX") == 0)
            assert count(server, "Processed") == 1
        poller.stop()
        assert poller.problem == ""
