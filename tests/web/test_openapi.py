"""The description of the API: sound, and true of what the server does."""

import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from tests.patience import PATIENCE

PROTOCOL = Path(__file__).parents[2] / "docs" / "live-protocol.md"
METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def described(server):
    with server.program() as program:
        return program.get("/api/openapi.json").json()


def operations(described):
    return [
        (path, method, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]


def test_every_request_of_the_protocol_is_described(described):
    """The table of docs/live-protocol.md and the description have the same requests."""
    page = PROTOCOL.read_text(encoding="utf-8")
    documented = set()
    for methods in re.findall(r"^\| (`(?:GET|POST|DELETE) /api[^|]*)\|", page, re.MULTILINE):
        for method, path in re.findall(r"`(GET|POST|DELETE) (/api/[^`?]*)", methods):
            documented.add((method.lower(), shape(path)))
    listed = {(method, shape(path)) for path, method, _ in operations(described)}
    assert documented == listed


def shape(path):
    """The path with its parameters made alike."""
    return "/".join(
        "*" if part.isupper() or part.startswith("{") else part for part in path.split("/")
    )


def test_every_schema_is_a_schema(described):
    for schema in described["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    for _, _, operation in operations(described):
        body = operation.get("requestBody", {}).get("content", {})
        for content in body.values():
            jsonschema.Draft202012Validator.check_schema(content["schema"])


def test_every_refusal_has_the_one_shape(described):
    for path, method, operation in operations(described):
        for status, answer in operation["responses"].items():
            if status.startswith(("4", "5")):
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Refusal"}, (method, path, status)


@pytest.mark.thorough
def test_schemathesis_finds_nothing(server, tmp_path):
    """Generated requests, valid and not: no 5xx, and every answer as described."""
    played = server.open_match(opponent={"level": "random"}, seat="red", wins_needed=1)
    path = f"/api/matches/{played['match']}"
    with server.program(played["secret"]) as program:
        program.post(f"{path}/commands", json={"id": "f", "type": "forfeit"})
    config = tmp_path / "schemathesis.toml"
    config.write_text(
        f"""
        [parameters]
        "path.id" = "{played["match"]}"
        "path.number" = 1
        "path.round" = 0
        "query.wait" = 0.01
        "path.game" = "bagh"
        """
    )
    done = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            f"--config-file={config}",
            "run",
            f"{server.address}/api/openapi.json",
            "--max-examples=8",
            "--phases=examples,coverage,fuzzing",
            "--seed=1",
            f"--request-timeout={PATIENCE}",
            "--no-color",
            # A request of the right shape can still name a game that there is not, and parameters
            # that nobody knows are ignored. test_hostile_input.py has what must be refused.
            "--exclude-checks=positive_data_acceptance,negative_data_rejection",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    with server.program() as program:
        assert program.get("/health").json()["status"] == "ok"
