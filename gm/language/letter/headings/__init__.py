"""Headings in a letter: drafts, versions, old and new orders."""
