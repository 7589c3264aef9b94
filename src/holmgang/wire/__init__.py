"""The live protocol as types: everything that travels between a server and its clients.

The server builds these types and the terminal client decodes them. `/api/openapi.json`, the types
of the browser client (`web/static/types.d.ts`) and the tables of docs/live-protocol.md are
generated from them (`make generated`). Requests may have no other fields than these; answers may
get further ones in later versions, which older clients ignore.
"""
