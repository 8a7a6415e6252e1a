"""One call with all its attempts, without input and output: the asynchronous and the synchronous client share it."""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from types import TracebackType
from typing import Any

import httpx

from ._answer import Answer, Response
from ._errors import ApiError, BestowError, ConnectionError, Facts, TimeoutError, api_error_of
from ._frames import clear_variables
from ._json import parse_json
from ._no_answer import NoAnswer, explain_failure, explain_foreign
from ._options import Attempt, Options
from ._plan import Plan

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 10.0
LONGEST_ATTEMPT_SECONDS = 86_400.0
"""A socket takes no infinite timeout."""
WRONG_ADDRESS_SECONDS = 2.0
"""Calls to a wrong address end after this time. An address that has answered before is right: its service restarts."""
logger = logging.getLogger("bestow_sdk")


@dataclass
class Address:
    """What all clients of an address share."""

    has_answered: bool = False
    """Whether the service has answered there."""


@dataclass(frozen=True)
class Session:
    """What the calls of a client share."""

    options: Options
    address: Address = field(default_factory=Address)


@dataclass
class Tried:
    """What one attempt brought."""

    phase: str = ""
    """`connecting`, then `sent`; empty if the transport does not tell."""
    status: int | None = None
    headers: httpx.Headers | None = None
    body: bytes | None = field(default=None, repr=False)
    """None if the answer did not come whole."""
    error: BaseException | None = None
    is_late: bool = False
    is_too_large: bool = False

    def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Follow the events of httpcore. A transport may send a request more than once."""
        if event.endswith(".send_request_headers.started"):
            is_to_proxy = getattr(details.get("request"), "method", None) == b"CONNECT"
            self.phase = self.phase if is_to_proxy else "sent"
        elif event.startswith("connection.connect") and self.phase == "":
            self.phase = "connecting"


@dataclass(frozen=True)
class Step:
    """What follows an attempt: an answer, or an error with the pause before the next attempt."""

    answer: Answer | None = field(default=None, repr=False)
    error: BestowError | None = None
    pause: float | None = None


@dataclass
class Call:
    """A context: an error that is not the client's and ends the call passes through, and carries the key."""

    session: Session
    plan: Plan
    facts: Facts = field(init=False)
    started: float = field(init=False)
    attempted: float = field(init=False)
    longest_pause: float = FIRST_PAUSE_SECONDS
    least_elapsed: float = 0.0
    """What the pauses and the late attempts must have taken; a `pause` of tests takes less."""
    ends: float = 0.0
    """How much has passed at the end of an attempt that is late."""
    tried: Tried | None = None
    """The attempt that is under way."""

    def __post_init__(self) -> None:
        self.facts = Facts(idempotency_key=self.plan.idempotency_key)
        self.started = self.attempted = monotonic()

    @property
    def is_read(self) -> bool:
        return self.plan.operation.method == "GET"

    @property
    def elapsed(self) -> float:
        return max(monotonic() - self.started, self.least_elapsed)

    def begin_attempt(self, tried: Tried) -> float:
        """Return the seconds that the attempt may take."""
        self.tried = tried
        self.attempted = monotonic()
        if self.facts.attempts == 0:
            # A store may have kept the order first.
            self.started = self.attempted
        elapsed = self.elapsed
        seconds = max(min(self.plan.try_timeout, self.plan.timeout - elapsed, LONGEST_ATTEMPT_SECONDS), 0.001)
        self.ends = elapsed + seconds
        return seconds

    def end_attempt(self, tried: Tried) -> Step:
        """Judge the attempt, and tell the hook and the log of it."""
        self.tried = None
        self._count(tried)
        if tried.is_late:
            self.least_elapsed = self.ends
        if tried.error is not None:
            self._clean(tried.error)
        step = self._judge(tried)
        if step.answer is not None or isinstance(step.error, ApiError):
            self.session.address.has_answered = True
        self._report(step)
        return step

    def __enter__(self) -> Call:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Add the facts to what ended the call from outside: a cancellation, Ctrl+C, a mistake in a transport."""
        if error is None or isinstance(error, BestowError):
            return
        if self.tried is not None:
            self._count(self.tried)
            if self.tried.phase != "connecting" and not self.is_read:
                self.facts = replace(self.facts, outcome_unknown=True)
        failure = ConnectionError(f"The call was ended by {type(error).__name__}{self._outcome()}.", self.facts)
        if self.tried is not None:
            self._report(Step(error=failure))
        if self.is_read:
            return
        failure.__context__, error.__context__ = error.__context__, failure
        add_note = getattr(error, "add_note", None)
        if add_note is not None:  # Python 3.11
            add_note(f"{failure} Its idempotency_key is {self.plan.idempotency_key!r}.")

    def _clean(self, error: BaseException) -> None:
        """The request of a failed attempt has the API key, the body and the query. The error keeps only its address."""
        clear_variables(error, sys.exc_info()[1])
        if isinstance(error, httpx.RequestError):
            error.request = httpx.Request(self.plan.operation.method, self.session.options.base_url)

    def _count(self, tried: Tried) -> None:
        attempts = self.facts.attempts + 1
        self.facts = replace(self.facts, attempts=attempts, status=tried.status, headers=tried.headers)

    def _judge(self, tried: Tried) -> Step:
        content = parse_json(tried.body)
        error = api_error_of(content, self.facts)
        # Below 400 the service writes no error object: something on the way changed the answer.
        if error is not None and tried.status is not None and tried.status >= 400:
            return Step(error=error, pause=self._pause(error, error.retryable, False))
        is_success = tried.status is not None and 200 <= tried.status < 300
        if is_success and error is None and self._is_ours(content):
            return Step(answer=Answer(content, Response.of(self.facts)))
        known = self._explain(tried)
        is_unsent = tried.phase == "connecting"
        if not (self.is_read or is_unsent):
            self.facts = replace(self.facts, outcome_unknown=True)
        attempts = "" if self.facts.attempts == 1 else f" ({self.facts.attempts} attempts)"
        kind = TimeoutError if tried.is_late else ConnectionError
        failure = kind(f"{known.reason}{attempts}{self._outcome()}.", self.facts)
        failure.__cause__ = tried.error
        may_retry = not known.is_final and (is_unsent or not self.plan.operation.is_sent_once)
        return Step(error=failure, pause=self._pause(failure, may_retry, known.is_unconnected))

    def _explain(self, tried: Tried) -> NoAnswer:
        base_url = self.session.options.base_url
        if tried.is_late:
            limit = self.plan.timeout if self.elapsed >= self.plan.timeout else self.plan.try_timeout
            reason = f"No answer came from {base_url} within {limit:g} seconds"
            return NoAnswer(reason, tried.phase == "connecting")
        if tried.error is not None:
            # Also of an answer that was cut, whatever its status: a retry may get the whole one.
            return explain_failure(base_url, tried.error)
        if tried.is_too_large:
            return NoAnswer(f"HTTP {tried.status} of {base_url} has more than the 16 MiB that the client reads")
        return explain_foreign(base_url, tried.status or 0, tried.headers or httpx.Headers())

    def _outcome(self) -> str:
        return ": the outcome is unknown" if self.facts.outcome_unknown else ""

    def _is_ours(self, content: object) -> bool:
        operation = self.plan.operation
        return isinstance(content, dict) if operation.mark == "" else operation.marks(content)

    def _pause(self, error: BestowError, may_retry: bool, is_unconnected: bool) -> float | None:
        """Return the seconds before the next attempt; None if there is no next one."""
        longest, self.longest_pause = self.longest_pause, min(2 * self.longest_pause, LONGEST_PAUSE_SECONDS)
        if not may_retry or self.facts.attempts > self.plan.max_retries:
            return None
        # Half of the pause is random, so that clients that failed together do not retry together.
        seconds = max(longest / 2, error.retry_after) + random.random() * longest / 2
        is_wrong = is_unconnected and not self.session.address.has_answered
        limit = min(self.plan.timeout, WRONG_ADDRESS_SECONDS) if is_wrong else self.plan.timeout
        elapsed = self.elapsed + seconds
        if elapsed >= limit:
            return None
        self.least_elapsed = elapsed
        return seconds

    def _report(self, step: Step) -> None:
        method, path = self.plan.operation.method, self.plan.path.partition("?")[0]
        response = Response.of(self.facts)
        duration = monotonic() - self.attempted
        request_id = step.error.request_id if step.error else response.request_id
        attempt = Attempt(
            method,
            path,
            self.facts.attempts,
            duration,
            self.facts.status,
            request_id,
            response.is_replay,
            step.error,
            step.pause,
        )
        logger.debug(
            "%s %s attempt=%d status=%s request_id=%s duration=%.3fs error=%s pause=%s",
            method,
            path,
            attempt.attempt,
            attempt.status,
            request_id,
            duration,
            type(step.error).__name__ if step.error else None,
            step.pause,
        )
        hook = self.session.options.on_attempt
        if hook is None:
            return
        try:
            hook(attempt)
        except Exception:
            # An order that was placed must not be lost to a mistake in the metrics.
            logger.exception("on_attempt failed")
