"""The requests of the live protocol (docs/live-protocol.md): one module for each subject."""
