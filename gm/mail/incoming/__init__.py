"""Mail in: IMAP, SMTP, LMTP, pipe."""
