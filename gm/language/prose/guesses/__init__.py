"""Guesses of the orders of a clause, one module for each kind of sheet."""
