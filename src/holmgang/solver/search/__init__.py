"""Look-ahead search within a time limit, for games that are too large for a table."""
