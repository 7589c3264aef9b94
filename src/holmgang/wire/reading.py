"""Reading JSON of the protocol, with errors for people: what was wrong, where, what is allowed."""

import re
from typing import Any, TypeVar

import msgspec

from holmgang.errors import MessageError
from holmgang.games.shape import JsonObject, brief, printable

Message = TypeVar("Message")

PLACE = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)
UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)


def decode(content: bytes | str, kind: type[Message]) -> Message:
    """The message in JSON text. Raises `MessageError`.

    >>> from holmgang.wire.match import Command
    >>> decode('{"id": "a", "type": "forfeit"}', Command).type
    'forfeit'
    """
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        raise MessageError(explained(str(error), kind)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise MessageError("this is not JSON") from None


def convert(value: Any, kind: type[Message]) -> Message:
    """The message in a JSON value. Raises `MessageError`."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise MessageError(explained(str(error), kind)) from None


def explained(said: str, kind: type) -> str:
    """What msgspec says of a message, with the place first, and with what is allowed there. Values
    are not repeated: one may be a password.
    """
    found = PLACE.fullmatch(said)
    problem, place = found.groups() if found else (said, "")
    schema = schema_at(kind, place)
    where = printable(place.replace("[...]", ""))
    if unknown := UNKNOWN.fullmatch(problem):
        fields = ", ".join(schema.get("properties", {}))
        problem = f"unknown field {brief(unknown[1])}; the fields are {fields}"
    elif missing := MISSING.fullmatch(problem):
        problem = f"{missing[1]} is missing"
    elif problem.startswith("Invalid enum value"):
        allowed = ", ".join("null" if each is None else str(each) for each in words(schema))
        return f"{where} is one of {allowed}"
    elif problem.startswith("Expected "):
        problem = problem.replace("Expected ", "expected ", 1).replace("`", "")
    return f"{where}: {problem}" if where else problem


def schema_at(kind: type, place: str) -> JsonObject:
    """The JSON Schema of a field, by its path."""
    schema = msgspec.json.schema(kind)
    definitions = schema.get("$defs", {})
    found = resolved(schema, definitions)
    for name in filter(None, place.split(".")):
        found = resolved(found.get("properties", {}).get(name, {}), definitions)
    return found


def resolved(schema: JsonObject, definitions: JsonObject) -> JsonObject:
    """The schema itself instead of a reference; of several, the object."""
    if "$ref" in schema:
        return resolved(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for each in schema.get("anyOf", ()):
        if "$ref" in each:
            return {**schema, **resolved(each, definitions)}
    return schema


def words(schema: JsonObject) -> list[Any]:
    """The values that a schema allows."""
    allowed: list[Any] = list(schema.get("enum", ()))
    for each in schema.get("anyOf", ()):
        allowed += each.get("enum", [None] if each.get("type") == "null" else [])
    return allowed
