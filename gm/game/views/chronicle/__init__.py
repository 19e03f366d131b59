"""A finished game as its people keep it: results, scores, turning points, opened secrets, statements; leagues."""
