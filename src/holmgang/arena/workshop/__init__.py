"""For those who write bots: a bot to begin with, and an examination of one that is there."""
