"""Mail: letters in, letters opened, letters out. Sockets and RFC 5322 live here and nowhere else.

in       smtpd (SMTP, LMTP) | imap over mailbox | pipe  ->  inbox.Received  ->  the Accept that commits it
opened   letter: headers, mime, machine, authentication; body: charset, flowed, armour, html, quotes, reference
out      compose  ->  outbox
"""
