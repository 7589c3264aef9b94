"""The same rules at native speed.

`kernels.py` has loops over any game, in plain Python. `packing.py` converts states to rows of
numbers. `binding.py` copies all of these for one ruleset. `compiler.py` compiles a kernel, and
`drafts.py` the functions that it calls; no other module imports numba. `objects.py` caches compiled
code and loads it without numba. `native.py` combines them; the rest of Holmgang calls only that.
"""
