"""From letters to statements, and from events to letters. Pure; lark and jinja2 live here only."""
