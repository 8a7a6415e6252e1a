"""The service in memory: its answers to requests."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from .input import check_input, normalized
from .memory import Json, Memory
from .operations import ACTS, Call, waits_for_events
from .orders import catch_up
from .refusal import Refusal, invalid
from .rules import RULES
from .webhooks import push

_METADATA = re.compile(r"\w+\[[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}\]")
"""A filter by a pair of metadata."""
_KEY = re.compile("[ -~]{1,255}")
_PARTS = {"history", "resource"}
"""What `expand` can add."""
_PATTERNS = [(one, re.compile(re.sub(r"\\{\w+\\}", "([^/]+)", re.escape(one["path"])))) for one in RULES["operations"]]


@dataclass(frozen=True)
class FakeRequest:
    """A request as the fake got it."""

    method: str
    path: str
    """With its query."""
    body: Any
    """Of JSON; None if there was none."""
    idempotency_key: str | None


@dataclass(frozen=True)
class FakeAnswer:
    status: int
    body: Json
    headers: dict[str, str] = field(default_factory=dict[str, str])
    is_slow: bool = False
    """It takes five seconds, by the clock of the fake."""


class FakeService:
    def __init__(self, sender_name: str) -> None:
        self.memory = Memory()
        self.requests: list[FakeRequest] = []
        self.failures: list[str] = []
        """Codes of errors that refuse the next calls; `response_lost` does a call and loses its answer."""
        self.lock = threading.RLock()
        self._sender_name = sender_name

    def waits(self, request: FakeRequest) -> bool:
        """Whether the request asks for events that are not there yet."""
        with self.lock:
            catch_up(self.memory)
            try:
                return not self.failures and waits_for_events(self.memory, self._read(request))
            except Refusal:
                return False

    def answer(self, request: FakeRequest) -> FakeAnswer | None:
        """Answer; None if the answer is lost. Raise NotImplementedError for what the fake does not have."""
        with self.lock:
            self.requests.append(request)
            failure = self.failures.pop(0) if self.failures else None
            try:
                answer = self._answer(request, failure)
            except Refusal as error:
                answer = self._answer_of(error)
            push(self.memory)
            return None if failure == "response_lost" else answer

    def _answer(self, request: FakeRequest, failure: str | None) -> FakeAnswer | None:
        if failure is not None and failure != "response_lost":
            raise Refusal(failure)
        catch_up(self.memory)
        call = self._read(request)
        name = call.operation["id"]
        if name not in ACTS:
            raise _missing(f"the operation {name}")
        done = ACTS[name](self.memory, call)
        headers = {"Idempotent-Replayed": "true"} if done.is_replay else {}
        return None if done.is_lost else FakeAnswer(done.status, done.body, headers, done.is_slow)

    def _answer_of(self, error: Refusal) -> FakeAnswer:
        rule = RULES["errors"].get(error.code)
        if rule is None:
            raise ValueError(f"The service has no error {error.code}.")
        shown = {"type": rule["type"], "code": error.code, "message": rule["message"], **error.details}
        place = {"doc_url": f"https://bestow.test/docs/errors#{error.code}", "request_id": self.memory.next_id("req")}
        headers = {"Retry-After": str(rule["retry_after"])} if "retry_after" in rule else {}
        return FakeAnswer(rule["status"], {"error": {**shown, **place}}, headers)

    def _read(self, request: FakeRequest) -> Call:
        """Find the operation and check what it is called with."""
        url = urlsplit(request.path)
        pairs = parse_qsl(url.query, keep_blank_values=True)
        for operation, pattern in _PATTERNS:
            match = pattern.fullmatch(url.path) if operation["method"] == request.method else None
            if match is None:
                continue
            query = _read_query(operation, pairs)
            key = request.idempotency_key
            is_key_wrong = operation.get("needs_key") if key is None else not _KEY.fullmatch(key)
            if "needs_key" in operation and is_key_wrong:
                raise invalid("Idempotency-Key", "must be 1 to 255 printable ASCII characters")
            body = _body_of(operation, request.body)
            canonical = json.dumps(body, sort_keys=True)
            bound = f"{request.method} {url.path} {canonical}"
            return Call(operation, (*match.groups(), "")[0], query, body, key, bound, self._sender_name)
        raise Refusal("resource_missing")


def _missing(what: str) -> NotImplementedError:
    return NotImplementedError(
        f"FakeBestow does not have {what}. Test it with a real Bestow: see “Your own tests” of the documentation."
    )


def _body_of(operation: Json, body: Any) -> Any:
    if "body" not in operation:
        return {}
    if body is None and operation["needs_body"]:
        raise Refusal("request_body_invalid")
    given = normalized(operation["body"], {} if body is None else body)
    check_input(operation["body"], given)
    return given


def _read_query(operation: Json, pairs: list[tuple[str, str]]) -> dict[str, str]:
    query = dict(pairs)
    for name, text in pairs:
        root = name.partition("[")[0]
        schema = operation["query"].get(root)
        is_pair = schema is not None and schema.get("type") == "object" and name != root and name.endswith("]")
        if schema is None or (not is_pair and (name != root or schema.get("type") == "object")):
            raise invalid(name, "is not known here")
        if is_pair and not _METADATA.fullmatch(name):
            raise invalid(name, "must be sent as metadata[key]=value")
        if not is_pair:
            is_number = schema.get("type") == "integer" and re.fullmatch("0|[1-9][0-9]*", text)
            check_input(schema, int(text) if is_number else text, name)
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise invalid(name, "must be sent once")
    if "starting_after" in query and "ending_before" in query:
        raise invalid("ending_before", "cannot be sent with starting_after")
    for part in query["expand"].split(",") if "expand" in query else ():
        if part not in _PARTS:
            raise _missing(f"the part “{part}”")
    return query
