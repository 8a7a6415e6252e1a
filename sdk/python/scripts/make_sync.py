"""Makes the synchronous client from the asynchronous one. `--check` only says whether the files are current."""

import re
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "bestow_sdk" / "_async"
TARGET = SOURCE.parent / "_sync"
HEADER = "# Made by scripts/make_sync.py from ../_async. Do not change it here.\n"

REPLACEMENTS = [
    (r"\basync (?=(def|for|with)\b)", ""),
    (r"\bawait ", ""),
    (r"Callable\[\[float\], Awaitable\[object\]\]", "Callable[[float], object]"),
    (r"import Awaitable, Callable", "import Callable"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"httpx\.AsyncClient", "httpx.Client"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"__aiter__", "__iter__"),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"\baiter_raw\b", "iter_raw"),
    (r"\baclose\b", "close"),
    (r"_async\b", "_sync"),
]


def make_sync(text: str) -> str:
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    # Imports in the order of their new names.
    names = re.compile(r"^(from \S+ import )([\w, ]+)$", re.MULTILINE)
    return names.sub(lambda line: line[1] + ", ".join(sorted(line[2].split(", "), key=sort_key)), text)


def sort_key(name: str) -> tuple[int, str]:
    """Constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def main() -> int:
    old: list[str] = []
    for source in sorted(SOURCE.glob("*.py")):
        target = TARGET / source.name
        made = HEADER + make_sync(source.read_text())
        if not target.exists() or target.read_text() != made:
            old.append(source.name)
            if "--check" not in sys.argv:
                target.write_text(made)
    if old and "--check" in sys.argv:
        print(f"Run scripts/make_sync.py: {', '.join(old)} changed.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
