import { type EntryParams, type List, listOf } from './list.ts';
import type { Balance, BalanceEntry, LedgerCheckpoint, LedgerProof, LedgerStatement } from './resources.ts';
import type { Answer, CallOptions, Connection } from './send.ts';

/** What the organization can spend. */
export const balanceOf = (connection: Connection) => ({
  retrieve: (options?: CallOptions): Promise<Answer<Balance>> => connection.call('retrieveBalance', {}, options),
  /** Newest first. */
  entries: (params?: EntryParams, options?: CallOptions): List<BalanceEntry> =>
    listOf(connection, { id: 'listBalanceEntries', idOf: ({ entry_id }: BalanceEntry) => entry_id }, params, options),
});

/** Proofs that no entry of the ledger was changed or removed. */
export const ledgerOf = (connection: Connection) => ({
  /** The signed size and root of the ledger. Keep its `note`. */
  checkpoint: (options?: CallOptions): Promise<Answer<LedgerCheckpoint>> =>
    connection.call('retrieveLedgerCheckpoint', {}, options),
  /** Proves that an entry is in the ledger; see `verifyInclusion`. @throws InvalidRequestError `resource_missing` */
  proveEntry: (entryId: string, options?: CallOptions): Promise<Answer<LedgerProof>> =>
    connection.call('retrieveLedgerProof', { query: { entry_id: entryId } }, options),
  /** Proves that the ledger continues the one of an earlier checkpoint; see `verifyConsistency`. */
  proveConsistency: (fromSize: number, options?: CallOptions): Promise<Answer<LedgerProof>> =>
    connection.call('retrieveLedgerProof', { query: { from_size: fromSize } }, options),
  /** All entries of a month, such as `2026-11`, signed; see `verifyStatement`. */
  statement: (month: string, options?: CallOptions): Promise<Answer<LedgerStatement>> =>
    connection.call('retrieveLedgerStatement', { ids: [month] }, options),
});
