"""Duels that only ever go on, too large for one table: solved layer by layer from their end."""
