from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from ._errors import Facts
from ._frames import hides_variables


@dataclass(frozen=True)
class Response:
    """How an answer came."""

    status: int
    headers: httpx.Headers
    attempts: int
    idempotency_key: str | None

    @property
    def request_id(self) -> str | None:
        """Give this id to the operator when you ask for help."""
        request_id: str | None = self.headers.get("Request-Id")
        return request_id

    @property
    def is_replay(self) -> bool:
        """Whether the answer is that of an earlier request with the same `Idempotency-Key`."""
        is_replay: bool = self.headers.get("Idempotent-Replayed") == "true"
        return is_replay

    @staticmethod
    def of(facts: Facts) -> Response:
        return Response(facts.status or 0, facts.headers or httpx.Headers(), facts.attempts, facts.idempotency_key)


class Answer(dict[str, Any]):
    """An answer is a plain `dict`; only `response_of` sees how it came."""

    def __init__(self, content: Mapping[str, Any], response: Response) -> None:
        super().__init__(content)
        self.response = response

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


@hides_variables
def response_of(answer: Mapping[str, Any]) -> Response:
    """
    Return how an answer of the client came: status, request id, attempts, and whether it is a replay.

    Raise TypeError for a part or a copy of an answer.
    """
    if not isinstance(answer, Answer):
        raise TypeError("response_of takes what a call of the client returned.")
    return answer.response
