"""Solves games with a clock layer by layer from their end, if one table would be too large."""
