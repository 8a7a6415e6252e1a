from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
