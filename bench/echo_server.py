"""The yardstick of `bench.live`: a server on the same uvicorn that answers and does nothing else.

    python -m bench.echo_server PORT SIZE

A frame of a WebSocket is answered as our server answers a choice: with an acknowledgement, and with
two frames of SIZE bytes, one for each player. A POST is answered with an acknowledgement.
"""

import sys
from typing import Any

import uvicorn

DONE = '{"type":"done","id":"c1234"}'
HEADERS = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(DONE))]


def make_app(size: int) -> Any:
    change = "x" * size

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await receive()
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send({"type": "http.response.body", "body": DONE.encode()})
            return
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": change})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "text": DONE})
            await send({"type": "websocket.send", "text": change})
            await send({"type": "websocket.send", "text": change})

    return app


def main() -> None:
    port, size = int(sys.argv[1]), int(sys.argv[2])
    uvicorn.run(
        make_app(size),
        host="127.0.0.1",
        port=port,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
    )


if __name__ == "__main__":
    main()
