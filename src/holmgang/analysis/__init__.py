"""What a finished or an imagined duel was worth: skill and luck, round by round."""
