"""Words, names and sentences of other languages."""
