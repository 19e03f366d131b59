"""Renders orders, errors, help and views as text and HTML."""
