"""Matches, tournaments and leagues: their schedules, workers and pages."""
