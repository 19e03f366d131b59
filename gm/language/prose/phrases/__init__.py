"""Words of a language around orders, as grammars/prose lists them."""
