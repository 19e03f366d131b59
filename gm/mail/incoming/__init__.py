"""Incoming mail: IMAP, SMTP, LMTP, pipe."""
