from __future__ import annotations

from typing import Any, Literal

from .._frames import hides_variables
from .._options import CallOptions, split_options
from .._params import CONTACT_PARAMS, ENTRY_PARAMS, ContactParams, EntryParams, SaveContact
from .._plan import Extra
from .._types import (
    Balance,
    BalanceEntry,
    Category,
    Contact,
    DeletedContact,
    Health,
    LedgerCheckpoint,
    LedgerProof,
    LedgerStatement,
)
from .._typing import Unpack
from .lists import AsyncListing
from .send import AsyncSender


@hides_variables
class AsyncBalanceResource:
    """What the organization can spend."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def retrieve(self, **options: Unpack[CallOptions]) -> Balance:
        return await self._sender.send(Balance, "retrieveBalance", options)

    def entries(self, **params: Unpack[EntryParams]) -> AsyncListing[BalanceEntry]:
        """Newest first."""
        return AsyncListing[BalanceEntry](self._sender, "listBalanceEntries", params, ENTRY_PARAMS, "entry_id")


@hides_variables
class AsyncCategoriesResource:
    """The catalog."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(self, **options: Unpack[CallOptions]) -> AsyncListing[Category]:
        """The whole catalog, on one page."""
        return AsyncListing[Category](self._sender, "listCategories", options, frozenset(), "")


@hides_variables
class AsyncContactsResource:
    """People to whom the organization sends gifts."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def save(self, **contact: Unpack[SaveContact]) -> Contact:
        """Add a contact, or change the one of this address. A field that is left out stays, and None removes it."""
        body, options = split_options(contact)
        return await self._sender.send(Contact, "saveContact", options, extra=Extra(body))

    async def retrieve(self, contact_id: str, **options: Unpack[CallOptions]) -> Contact:
        return await self._sender.send(Contact, "retrieveContact", options, contact_id)

    def list(self, **params: Unpack[ContactParams]) -> AsyncListing[Contact]:
        """Newest first."""
        return AsyncListing[Contact](self._sender, "listContacts", params, CONTACT_PARAMS, "contact_id")

    async def delete(
        self, contact_id: str, unsent_gifts: Literal["cancel", "keep"] = "cancel", **options: Unpack[CallOptions]
    ) -> DeletedContact:
        """Delete a contact. Gifts that are ordered for it and not sent are canceled, unless `unsent_gifts` is `keep`.

        It is sent once, because a second request answers `resource_missing`.
        """
        params = {"unsent_gifts": None if unsent_gifts == "cancel" else unsent_gifts}
        return await self._sender.send(DeletedContact, "deleteContact", options, contact_id, params=params)


@hides_variables
class AsyncLedgerResource:
    """Proofs that no entry of the ledger was changed or removed."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def checkpoint(self, **options: Unpack[CallOptions]) -> LedgerCheckpoint:
        """Read the signed size and root of the ledger. Keep its `note`."""
        return await self._sender.send(LedgerCheckpoint, "retrieveLedgerCheckpoint", options)

    async def prove_entry(
        self, entry_id: str, *, size: int | None = None, **options: Unpack[CallOptions]
    ) -> LedgerProof:
        """Prove that an entry is in the ledger; see `verify_inclusion`."""
        params = {"entry_id": entry_id, "size": size}
        return await self._sender.send(LedgerProof, "retrieveLedgerProof", options, params=params)

    async def prove_consistency(
        self, from_size: int, *, size: int | None = None, **options: Unpack[CallOptions]
    ) -> LedgerProof:
        """Prove that the ledger continues the one of an earlier checkpoint; see `verify_consistency`."""
        params = {"from_size": from_size, "size": size}
        return await self._sender.send(LedgerProof, "retrieveLedgerProof", options, params=params)

    async def statement(self, month: str, **options: Unpack[CallOptions]) -> LedgerStatement:
        """Read all entries of a month, such as `2026-11`, signed; see `verify_statement`."""
        return await self._sender.send(LedgerStatement, "retrieveLedgerStatement", options, month)


@hides_variables
class AsyncHealthResource:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def __call__(self, **options: Unpack[CallOptions]) -> Health:
        """Ask whether the service is alive."""
        return await self._sender.send(Health, "getHealth", options)

    async def retrieve(self, **options: Unpack[CallOptions]) -> Health:
        """Deprecated: call `health()`, as in the other clients."""
        return await self(**options)

    async def openapi(self, **options: Unpack[CallOptions]) -> dict[str, Any]:
        """Read the OpenAPI document of the service."""
        return await self._sender.send(dict[str, Any], "getOpenapi", options)
