"""Parses raw letters: headers, MIME, body, quotes, authentication."""
