"""One operation of the service."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote

from ._json import check_text


_EXAMPLES = {"month": " such as 2026-11"}


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    mark: str
    """The member that tells an answer of the service from other JSON, such as a gateway's."""
    expected: type | str = str
    """Its type, or its text."""
    takes_key: bool = False
    """Whether all attempts carry an `Idempotency-Key`."""
    is_sent_once: bool = False
    """Whether a repeat could do more than the first request, or answer something else."""
    may_use_all_time: bool = False
    """Whether one attempt may take as long as the whole call."""
    takes_expand: bool = False
    """Whether a call can ask for more about the gifts of the answer. A list takes it as a parameter."""

    def marks(self, answer: object) -> bool:
        """Whether the service wrote this answer."""
        if not isinstance(answer, dict):
            return False
        value = cast("dict[str, object]", answer).get(self.mark)
        return type(value) is self.expected if isinstance(self.expected, type) else value == self.expected

    def path_of(self, *ids: str) -> str:
        """Put the ids into the path. Refuse an id that would lead to another path."""
        path = self.path
        for one in ids:
            before, _, rest = path.partition("{")
            name, _, after = rest.partition("}")
            path = f"{before}{quoted_id(name, one)}{after}"
        return path


def quoted_id(name: str, text: str) -> str:
    """name: of the argument, such as `gift_id`."""
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{name} must be a text{_EXAMPLES.get(name, '')}.")
    if text.strip(". ") == "":
        raise ValueError(f"{name} is missing.")
    check_text(name, text)
    return quote(text, safe="")


def later_operation(method: str, path: str, has_key: bool) -> Operation:
    """An operation that this version does not know. Its answer is any JSON object."""
    if not path.startswith("/"):
        raise ValueError("The path must begin with a slash.")
    if any(character <= " " or character in "#\x7f" for character in path):
        raise ValueError("The path must have no blanks and no fragment.")
    is_sent_once = method.upper() != "GET" and not has_key
    return Operation(method.upper(), path, "", object, takes_key=has_key, is_sent_once=is_sent_once)


def is_key(key: object) -> bool:
    """Return whether a request can carry the idempotency key as it is."""
    return isinstance(key, str) and re.fullmatch(r"[!-~]([ -~]{0,253}[!-~])?", key) is not None
