"""A store in one SQLite file, for one server: one writer, batched commits."""
