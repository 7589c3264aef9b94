"""The server for browsers and programs: HTTP, WebSockets, sessions, limits, pages.

It has no rules and no SQL: matches are `holmgang.live`'s, stored data `holmgang.store`'s. Only this
package imports FastAPI, Starlette and uvicorn.
"""
