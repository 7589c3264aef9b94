"""A quicker encoder for positions, where many are encoded; `import holmgang` does not need it."""

from functools import partial

import orjson

from holmgang.engine.course import Encoder

QUICK = Encoder(orjson.dumps, partial(orjson.dumps, option=orjson.OPT_SORT_KEYS))
