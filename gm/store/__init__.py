"""The store on a database: SQLite in one file, or PostgreSQL.

SQLAlchemy is used here and nowhere else, and only its Core: the game's frozen records are the objects, so an ORM would
have nothing to track. Columns are named after the fields of the records (`schema.tables`); values that are not plain
become JSON (`column_types`, `stored_values`). `queries.games` and `queries.mail_queues` hold most queries. Only for
speed are `prepared_statements`, `read_cache`, and `sqlite_file`, which uses `sqlite3` alone.
"""
