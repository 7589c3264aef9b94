"""The server for browsers and programs: HTTP, WebSockets, sessions, limits, pages.

It has no rules and no SQL: `holmgang.live` has the matches, `holmgang.store` the stored data. Only
this package imports FastAPI, Starlette and uvicorn.
"""
