"""The tree at the top of errors.py names every error that Holmgang raises on purpose."""

import importlib
import pkgutil
import re

import holmgang
from holmgang import errors


def subclasses(kind):
    return {kind.__name__: kind.__module__} | {
        name: module
        for child in kind.__subclasses__()
        for name, module in subclasses(child).items()
        if module.startswith("holmgang.")
    }


def test_the_tree_is_complete():
    for module in pkgutil.walk_packages(holmgang.__path__, "holmgang."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    tree = errors.__doc__.split("\n\n")[1]
    drawn = re.findall(r"^[│├└─ ]*(\w+)(?: +(\S+\.py):)?", tree, re.MULTILINE)
    shown = {name: file or "errors.py" for name, file in drawn}
    defined = {
        name: f"{module.removeprefix('holmgang.').replace('.', '/')}.py"
        for name, module in subclasses(errors.HolmgangError).items()
    }
    assert shown == defined
