from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions
from .._types import LedgerProof
from .._typing import Unpack
from .ledger_methods import AsyncLedgerMethods


@hides_variables
class AsyncLedgerResource(AsyncLedgerMethods):
    """Proofs that no entry of the ledger was changed or removed."""

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
