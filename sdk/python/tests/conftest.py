from __future__ import annotations

import time

import pytest
from harness import Clock, World

_USERS_OF_TIME = ["_call", "_async.orders", "_sync.orders", "_async.events", "_sync.events"]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in _USERS_OF_TIME:
        monkeypatch.setattr(f"bestow_sdk.{module}.monotonic", lambda: time.monotonic() + clock.offset)
    return clock


@pytest.fixture(params=["async", "sync"])
def world(request: pytest.FixtureRequest, clock: Clock) -> World:
    return World(request.param == "async", clock)
