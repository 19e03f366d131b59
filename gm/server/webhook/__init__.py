"""The outgoing webhook of `[notify]`: public events, one after the other, as the receiving service wants them."""
