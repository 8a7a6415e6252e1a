# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions
from .._params import ENTRY_PARAMS, EntryParams
from .._types import Balance, BalanceEntry
from .._typing import Unpack
from .lists import AsyncListing
from .send import AsyncSender


@hides_variables
class AsyncBalanceResource:
    """What the organization can spend, and each change of it."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def retrieve(self, **options: Unpack[CallOptions]) -> Balance:
        """
        Retrieve the balance.

        What the organization can spend in this environment, and the latest change.
        """
        return await self._sender.send(Balance, "retrieveBalance", options)

    def entries(self, **params: Unpack[EntryParams]) -> AsyncListing[BalanceEntry]:
        """
        List changes of the balance.

        All entries of the ledger in this environment, most recent first, each with the balance after it.

        Codes of its errors: `cursor_invalid`.
        """
        return AsyncListing[BalanceEntry](self._sender, "listBalanceEntries", params, ENTRY_PARAMS, "entry_id")
