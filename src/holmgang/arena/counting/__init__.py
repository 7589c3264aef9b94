"""The log of results, and the ratings, pay-offs and sequential tests derived from it."""
