"""Draws maps (`drawing`) and makes the boards they are drawn on (`making`)."""
