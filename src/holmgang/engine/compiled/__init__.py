"""The same rules at native speed.

`kernels.py` holds loops over any game, as plain Python. `packing.py` turns states into rows of
numbers. `binding.py` gives one ruleset copies of them all. `compiler.py` compiles a kernel, and
`drafts.py` what it is made of; no other module imports numba. `objects.py` keeps what was compiled
and loads it again without numba. `native.py` puts them together: it is what the rest of Holmgang
calls.
"""
