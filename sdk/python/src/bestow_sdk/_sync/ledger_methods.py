# Made by scripts/make_sync.py from ../_async. Do not change it here.
# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions
from .._types import LedgerCheckpoint, LedgerStatement
from .._typing import Unpack
from .send import Sender


@hides_variables
class LedgerMethods:
    """Proofs that no entry of the ledger was changed or removed."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def statement(self, month: str, **options: Unpack[CallOptions]) -> LedgerStatement:
        """
        Retrieve a signed statement.

        All sealed entries of a month with opening and closing balance, signed. `verify_statement` and `bestow ledger
        verify-statement` check it without the service.
        """
        return self._sender.send(LedgerStatement, "retrieveLedgerStatement", options, month)

    def checkpoint(self, **options: Unpack[CallOptions]) -> LedgerCheckpoint:
        """
        Retrieve a signed checkpoint.

        The size and root of the tree of all sealed entries, signed. Keep one: a later proof of consistency shows that
        nothing before it was rewritten.
        """
        return self._sender.send(LedgerCheckpoint, "retrieveLedgerCheckpoint", options)
