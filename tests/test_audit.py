"""What `make audit` makes of the answers of pip-audit."""

import pytest
from tests.audit import UNREACHABLE, report

SOUND = {"name": "a", "version": "1", "vulns": []}
SKIPPED = {"name": "b", "skip_reason": "Dependency not found on PyPI"}
WEAK = {"name": "c", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["2.1"]}]}


@pytest.mark.parametrize(
    ("answer", "lines", "code"),
    [
        (None, [UNREACHABLE], 2),
        ([SKIPPED], [UNREACHABLE], 2),
        ([SOUND, SKIPPED], ["No answer about b; no vulnerability known in the others."], 2),
        ([SOUND], ["No vulnerability is known in 1 packages."], 0),
        ([SOUND, SKIPPED, WEAK], ["c 2: X-1, fixed in 2.1"], 1),
    ],
    ids=["no answer", "all skipped", "some skipped", "sound", "vulnerable"],
)
def test_report(answer, lines, code):
    given = None if answer is None else {"dependencies": answer}
    assert report(given) == (lines, code)
