"""The command `holmgang serve`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import DatabaseUrl, Games, Trust, need_web

EPILOG = "Example: holmgang serve --port 8080"


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for all interfaces.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Port (default: 8000, or a free one if that is taken)."
        ),
    ] = None,
    games: Games = None,
    database: DatabaseUrl = None,
    bots: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder with bots that can be played against."),
    ] = None,
    trust: Trust = False,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy", help="Take client address and scheme from X-Forwarded headers."
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Number of processes (needs PostgreSQL).")
    ] = 1,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Log as JSON, one object per line.")
    ] = False,
    limits: Annotated[
        bool, typer.Option("--limits/--no-limits", help="Limit requests per address and account.")
    ] = True,
    tables: Annotated[
        bool,
        typer.Option(
            "--tables/--no-tables",
            help="Build exact tables, and puzzles from them, while the machine is idle.",
        ),
    ] = True,
    upload_days: Annotated[
        int, typer.Option(min=1, max=36500, help="Days to keep uploads that nobody looks at.")
    ] = 90,
    upload_mb: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Maximum size of all uploads in megabytes.")
    ] = 1000,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open a browser if there is a display.")
    ] = True,
) -> None:
    """Serve games to browsers and programs."""
    need_web()
    from holmgang.web.server import serve as serve_web
    from holmgang.web.settings import ServerSettings

    serve_web(
        ServerSettings(
            host=host,
            port=port,
            database=database,
            bots=bots,
            trust=trust,
            behind_proxy=behind_proxy,
            workers=workers,
            log_json=log_json,
            opens_browser=open_browser,
            has_limits=limits,
            builds_tables=tables,
            upload_days=upload_days,
            upload_mb=upload_mb,
        )
    )
