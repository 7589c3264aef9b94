"""A faster encoder of positions, for the arena and live matches. It has its own module because
`course.py` needs only the standard library.
"""

from functools import partial

import orjson

from holmgang.engine.course import Encoder

QUICK = Encoder(orjson.dumps, partial(orjson.dumps, option=orjson.OPT_SORT_KEYS))
