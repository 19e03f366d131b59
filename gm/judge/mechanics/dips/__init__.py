"""Dips: points for supports, paid and intercepted press (Fin de Siècle)."""
