"""Several nodes on one PostgreSQL: rights that one holds at a time, and bells between them."""
