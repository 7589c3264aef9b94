"""How long tests wait for something that has to happen.

It happens within a second or so on an idle machine, and only a test that fails waits to the end.
"""

PATIENCE = 300.0
"""Seconds."""
