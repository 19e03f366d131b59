"""Raw bytes opened: headers, body, quotes, proofs of the sender."""
