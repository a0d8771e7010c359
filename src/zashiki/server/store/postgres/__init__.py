"""A store in a PostgreSQL database, which any number of servers may share."""
