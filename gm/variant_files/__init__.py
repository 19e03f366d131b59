"""Finds and loads variants: files in, `Variant` values out."""
