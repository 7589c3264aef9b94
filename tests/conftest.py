"""What all tests share: Hypothesis tries the same examples on every run, and not too many."""

from hypothesis import settings

settings.register_profile("holmgang", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("holmgang")
