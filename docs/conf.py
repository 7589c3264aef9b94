"""The site of the documents and the API reference: `make docs`."""

from holmgang.version import VERSION

project = "Holmgang"
author = "The Holmgang authors"
copyright = author  # noqa: A001 - Sphinx names it
release = version = VERSION

extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Holmgang {VERSION}"
html_copy_source = False
html_show_sphinx = False

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
default_role = "code"  # docstrings write names in single backticks
myst_heading_anchors = 4
suppress_warnings = [
    "myst.xref_missing",  # links to files of the repository, which are not pages
    "myst.header",
    "misc.highlighting_failure",  # transcripts with lines that are cut off
    "docutils",  # docstrings are plain text, not reStructuredText
    "ref",
]
