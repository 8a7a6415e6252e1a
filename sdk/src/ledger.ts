import type { LedgerProof } from './bodies.ts';
import { methodsOf } from './methods.ts';
import type { Answer, CallOptions, Connection } from './send.ts';

/** Proofs that no entry of the ledger was changed or removed. */
export type Ledger = ReturnType<typeof methodsOf.ledger> & ReturnType<typeof proofsOf>;

export function ledgerOf(connection: Connection): Ledger {
  return Object.assign(methodsOf.ledger(connection), proofsOf(connection));
}

const proofsOf = (connection: Connection) => ({
  /** Proves that an entry is in the ledger; see `verifyInclusion`. @throws InvalidRequestError `resource_missing` */
  proveEntry: (entryId: string, options?: CallOptions): Promise<Answer<LedgerProof>> =>
    connection.call('retrieveLedgerProof', { query: { entry_id: entryId } }, options),
  /** Proves that the ledger continues the one of an earlier checkpoint; see `verifyConsistency`. */
  proveConsistency: (fromSize: number, options?: CallOptions): Promise<Answer<LedgerProof>> =>
    connection.call('retrieveLedgerProof', { query: { from_size: fromSize } }, options),
});
