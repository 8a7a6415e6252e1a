# Made by scripts/make_sync.py from ../_async. Do not change it here.
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import httpx

from .._answer import Answer
from .._body import Body
from .._call import Call, Session, Tried, logger
from .._errors import ApiError, AuthenticationError
from .._http_log import own_request
from .._no_answer import is_of_sending
from .._operation import Operation
from .._operations import OPERATIONS
from .._plan import Extra, Plan, plan_call
from .._query import path_with_query
from .._store import Store, keep
from .._waiting import DeadlinePassed, blocking_sync, check_deadline_sync, limited_sync
from .connections import Connections

Result = TypeVar("Result")
NO_PARAMS: Mapping[str, Any] = {}
Pause = Callable[[float], object]


class Sender:
    """Sends requests and retries until there is a final answer."""

    def __init__(self, session: Session, connections: Connections, pause: Pause) -> None:
        self.session = session
        self.connections = connections
        self.pause = pause

    def send(
        self,
        kind: type[Result],
        name: str,
        call: Mapping[str, Any],
        *ids: str,
        params: Mapping[str, Any] = NO_PARAMS,
        extra: Extra = Extra(),
    ) -> Result:
        """Call an operation by its name in `openapi.json`. `kind` is for type checkers."""
        operation = OPERATIONS[name]
        path = path_with_query(operation.path_of(*ids), params)
        return cast(Result, self.send_to(operation, path, call, extra))

    def send_to(self, operation: Operation, path: str, call: Mapping[str, Any], extra: Extra) -> Answer:
        with Call(self.session, plan_call(self.session.options, operation, path, call, extra)) as running:
            return self._run(running)

    def send_kept(
        self, kind: type[Result], name: str, call: Mapping[str, Any], body: object, is_resumed: bool = False
    ) -> Result:
        """Keep key and body in the store, if there is one, until the service has given a final answer."""
        operation = OPERATIONS[name]
        plan = plan_call(self.session.options, operation, operation.path, call, Extra(body))
        with Call(self.session, plan) as running:
            if self.session.options.store is None:
                return cast(Result, self._run(running))
            return cast(Result, self._run_kept(running, self.session.options.store, is_resumed))

    def _run_kept(self, call: Call, store: Store, is_resumed: bool) -> Answer:
        key = call.plan.idempotency_key or ""
        blocking_sync(keep, store, key, call.plan.body or b"")
        try:
            answer = self._run(call)
        except ApiError as error:
            # A wrong API key says nothing about the attempts of the earlier run, whose outcome is unknown.
            is_other_key = is_resumed and isinstance(error, AuthenticationError)
            if not (error.outcome_unknown or error.retryable or is_other_key):
                blocking_sync(store.forget, key)
            raise
        self._forget(store, key)
        return answer

    def _forget(self, store: Store, key: str) -> None:
        try:
            blocking_sync(store.forget, key)
        except Exception:
            # The order is placed. If it is sent again, the service answers the same order.
            logger.exception("The store failed to forget an order")

    def _run(self, call: Call) -> Answer:
        while True:
            step = call.end_attempt(self._try_once(call))
            if step.answer is not None:
                return step.answer
            if step.error is not None and step.pause is None:
                raise step.error
            self.pause(step.pause or 0)

    def _try_once(self, call: Call) -> Tried:
        http, tried = self.connections.current(), Tried()
        seconds = call.begin_attempt(tried)
        try:
            limited_sync(lambda: self._exchange(http, call.plan, tried, seconds), seconds)
        except (DeadlinePassed, httpx.TimeoutException) as error:
            tried.is_late, tried.error = True, error
        except Exception as error:
            if not is_of_sending(error):
                raise
            tried.error = error
        return tried

    def _exchange(self, http: httpx.Client, plan: Plan, tried: Tried, seconds: float) -> None:
        def trace(event: str, details: Mapping[str, Any]) -> None:
            tried.trace(event, details)

        request = http.build_request(
            plan.operation.method,
            self.session.options.base_url + plan.path,
            content=plan.body,
            headers=plan.headers,
            timeout=seconds,
            extensions={"trace": trace},
        )
        with own_request():
            # A redirect is not followed, so that the key never goes elsewhere.
            response = http.send(request, auth=None, follow_redirects=False, stream=True)
        try:
            tried.status, tried.headers = response.status_code, response.headers
            if response.is_stream_consumed:  # By a transport of tests.
                tried.body = response.content
                return
            body = Body(response.headers)
            for part in response.iter_raw():
                if not body.add(part):
                    tried.is_too_large = True
                    return
                check_deadline_sync()
            tried.body = body.whole()
        finally:
            response.close()
