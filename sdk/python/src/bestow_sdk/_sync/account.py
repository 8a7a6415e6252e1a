# Made by scripts/make_sync.py from ../_async. Do not change it here.
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
from .lists import Listing
from .send import Sender


@hides_variables
class BalanceResource:
    """What the organization can spend."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def retrieve(self, **options: Unpack[CallOptions]) -> Balance:
        return self._sender.send(Balance, "retrieveBalance", options)

    def entries(self, **params: Unpack[EntryParams]) -> Listing[BalanceEntry]:
        """Newest first."""
        return Listing[BalanceEntry](self._sender, "listBalanceEntries", params, ENTRY_PARAMS, "entry_id")


@hides_variables
class CategoriesResource:
    """The catalog."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, **options: Unpack[CallOptions]) -> Listing[Category]:
        """The whole catalog, on one page."""
        return Listing[Category](self._sender, "listCategories", options, frozenset(), "")


@hides_variables
class ContactsResource:
    """People to whom the organization sends gifts."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def save(self, **contact: Unpack[SaveContact]) -> Contact:
        """Add a contact, or change the one of this address. A field that is left out stays, and None removes it."""
        body, options = split_options(contact)
        return self._sender.send(Contact, "saveContact", options, extra=Extra(body))

    def retrieve(self, contact_id: str, **options: Unpack[CallOptions]) -> Contact:
        return self._sender.send(Contact, "retrieveContact", options, contact_id)

    def list(self, **params: Unpack[ContactParams]) -> Listing[Contact]:
        """Newest first."""
        return Listing[Contact](self._sender, "listContacts", params, CONTACT_PARAMS, "contact_id")

    def delete(
        self, contact_id: str, unsent_gifts: Literal["cancel", "keep"] = "cancel", **options: Unpack[CallOptions]
    ) -> DeletedContact:
        """Delete a contact. Gifts that are ordered for it and not sent are canceled, unless `unsent_gifts` is `keep`.

        It is sent once, because a second request answers `resource_missing`.
        """
        params = {"unsent_gifts": None if unsent_gifts == "cancel" else unsent_gifts}
        return self._sender.send(DeletedContact, "deleteContact", options, contact_id, params=params)


@hides_variables
class LedgerResource:
    """Proofs that no entry of the ledger was changed or removed."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def checkpoint(self, **options: Unpack[CallOptions]) -> LedgerCheckpoint:
        """Read the signed size and root of the ledger. Keep its `note`."""
        return self._sender.send(LedgerCheckpoint, "retrieveLedgerCheckpoint", options)

    def prove_entry(
        self, entry_id: str, *, size: int | None = None, **options: Unpack[CallOptions]
    ) -> LedgerProof:
        """Prove that an entry is in the ledger; see `verify_inclusion`."""
        params = {"entry_id": entry_id, "size": size}
        return self._sender.send(LedgerProof, "retrieveLedgerProof", options, params=params)

    def prove_consistency(
        self, from_size: int, *, size: int | None = None, **options: Unpack[CallOptions]
    ) -> LedgerProof:
        """Prove that the ledger continues the one of an earlier checkpoint; see `verify_consistency`."""
        params = {"from_size": from_size, "size": size}
        return self._sender.send(LedgerProof, "retrieveLedgerProof", options, params=params)

    def statement(self, month: str, **options: Unpack[CallOptions]) -> LedgerStatement:
        """Read all entries of a month, such as `2026-11`, signed; see `verify_statement`."""
        return self._sender.send(LedgerStatement, "retrieveLedgerStatement", options, month)


@hides_variables
class HealthResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def __call__(self, **options: Unpack[CallOptions]) -> Health:
        """Ask whether the service is alive."""
        return self._sender.send(Health, "getHealth", options)

    def retrieve(self, **options: Unpack[CallOptions]) -> Health:
        """Deprecated: call `health()`, as in the other clients."""
        return self(**options)

    def openapi(self, **options: Unpack[CallOptions]) -> dict[str, Any]:
        """Read the OpenAPI document of the service."""
        return self._sender.send(dict[str, Any], "getOpenapi", options)
