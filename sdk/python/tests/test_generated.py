from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

from bestow_sdk.types import Gift

ROOT = Path(__file__).parent.parent


def test_the_synchronous_client_is_made_from_the_asynchronous_one() -> None:
    script = [sys.executable, str(ROOT / "scripts" / "make_sync.py"), "--check"]
    ran = subprocess.run(script, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_no_word_of_tasks_is_left_in_the_synchronous_client() -> None:
    for file in (ROOT / "src" / "bestow_sdk" / "_sync").glob("*.py"):
        code = file.read_text().partition("\n")[2]
        for word in ("async", "await", "Async", "Awaitable"):
            assert word not in code, file.name


def test_types_are_those_that_pydantic_takes() -> None:
    """Before Python 3.12 it takes no TypedDict of `typing`."""
    expected = importlib.import_module("typing" if sys.version_info[:2] > (3, 11) else "typing_extensions")
    assert type(Gift) is type(expected.TypedDict("Expected", {}))
