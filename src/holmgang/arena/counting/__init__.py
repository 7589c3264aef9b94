"""What results say: the log of them, ratings with intervals, pay-offs, and tests."""
