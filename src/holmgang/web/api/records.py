"""Uploaded records, to be watched here."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from holmgang.live.refusal import Refused
from holmgang.web.api import openapi
from holmgang.web.parts import ServerParts, answer_json
from holmgang.wire.match import UploadedMatch


def router(parts: ServerParts) -> APIRouter:
    """The request to upload a record."""
    routes = APIRouter(prefix="/api/records", tags=["records"])

    @routes.post("", **openapi.uploading)
    async def upload(request: Request) -> Response:
        """Stores a record as a match to watch, if it replays correctly."""
        person = await parts.sessions.person(request)
        parts.check("upload", request, None if person is None else person.id)
        try:
            body = await request.body()
            text = body.decode()
        except UnicodeDecodeError:
            raise Refused("bad", "a record is text in UTF-8") from None
        parts.limits.check(
            "upload data",
            parts.address(request),
            None if person is None else person.id,
            tokens=len(body) / 1000,
        )
        return answer_json(UploadedMatch(match=await parts.service.upload(text)), status=201)

    return routes
