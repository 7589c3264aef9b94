"""The judge: runs bots as processes, contained and timed, and plays their games."""
