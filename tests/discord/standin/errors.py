"""Errors as Discord's REST API gives them: a status, a code and a message. The documentation lists
the codes; the statuses are from reports.
"""

MESSAGES = {
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    30005: (400, "Maximum number of guild roles reached (250)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached."),
    30015: (400, "Maximum number of attachments in a message reached (10)"),
    30034: (400, "Maximum number of daily application command creates reached (200)"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50006: (400, "Cannot send an empty message"),
    50013: (403, "Missing Permissions"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    160004: (400, "A thread has already been created for this message"),
    160006: (400, "Maximum number of active threads reached"),
}


class ApiError(Exception):
    """Becomes the answer to the request."""

    def __init__(self, code: int, detail: str = "") -> None:
        self.code = code
        self.status, self.message = MESSAGES[code]
        self.detail = detail
        super().__init__(f"{code} {self.message} {detail}")

    def as_json(self):
        body = {"code": self.code, "message": self.message}
        if self.detail:
            body["errors"] = {"_errors": [{"code": "INVALID", "message": self.detail}]}
        return body


def check(condition, detail: str, code: int = 50035) -> None:
    if not condition:
        raise ApiError(code, detail)
