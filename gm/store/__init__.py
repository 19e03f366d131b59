"""The desk's store on a database: SQLite in one file, or PostgreSQL.

SQLAlchemy is used here and nowhere else, and here only its Core: the desk's frozen records are the objects, so there
is nothing for an ORM to track. A table's columns bear the names of its record's fields (`tables`); what is not a
plain value is turned to JSON by the column's type (`columns`). `games` and `mailbag` hold the queries, `prepared` makes
those ready for the driver that are asked all the time, `database` the engine, its transactions and its faults.
"""
