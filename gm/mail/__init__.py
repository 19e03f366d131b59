"""Mail: receives, reads and sends letters. Sockets and RFC 5322 are used here and nowhere else.

incoming    SMTP and LMTP server, IMAP poller, pipe: each makes a `Received` and hands it to an `Accept`, which commits
message     parses a letter: headers, MIME, automatic mail, body, quotes
outgoing    writes letters and hands them to a relay
"""
