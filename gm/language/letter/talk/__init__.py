"""Words of a letter that are no orders: questions, consent, requests in a sentence, small talk."""
