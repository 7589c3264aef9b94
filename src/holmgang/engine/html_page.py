"""Single-file web pages that need no network, so that they can be stored, sent and opened anywhere.

`render` fills a template, which is next to the module that uses it. Values are escaped unless they
are `Markup`, so a page is safe whatever players call themselves.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from holmgang.version import VERSION

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE = Path(__file__).parents[1]


def render(template: str, style: str, script: str, **values: object) -> str:
    """The page made from a template (its path in the package), a style and a script."""
    from markupsafe import Markup

    return (
        templates()
        .get_template(template)
        .render(
            style=Markup(style),  # noqa: S704 - files of the package
            script=Markup(script),  # noqa: S704
            policy=policy_of(style, script),
            **values,
        )
    )


@cache
def templates() -> "Environment":
    """The templates of the package. Jinja2 is imported here, because most commands need no page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        autoescape=True,
        finalize=printed,
        loader=FileSystemLoader(PACKAGE),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    found.globals["version"] = VERSION
    found.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return found


def printed(value: object) -> object:
    """A value as a page shows it: text without control characters and bidirectional controls."""
    if type(value) is str and not value.isprintable():
        return "".join(filter(str.isprintable, value))
    return value


def policy_of(style: str, script: str) -> str:
    """A content security policy that allows this style and this script, and nothing else."""
    allowed = (b64encode(sha256(each.encode()).digest()).decode() for each in (style, script))
    return (
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}';"
        " img-src data:; base-uri 'none'; form-action 'none'"
    ).format(*allowed)
