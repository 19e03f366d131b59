"""Orders, events and views as text and HTML."""
