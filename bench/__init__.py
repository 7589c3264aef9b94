"""Benchmarks: `make bench` runs them all, interleaved, and writes RESULTS.md as ratios."""
