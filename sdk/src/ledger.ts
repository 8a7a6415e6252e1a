import type { LedgerProof } from './bodies.ts';
import { methodsOf } from './methods.ts';
import type { Answer, CallOptions, Connection } from './send.ts';

/** Proofs that no entry of the ledger was changed or removed. */
export type Ledger = ReturnType<typeof methodsOf.ledger> & ReturnType<typeof proofsOf>;
type ProofOptions = CallOptions & { size?: number | undefined };

export const ledgerOf = (connection: Connection) => Object.assign(methodsOf.ledger(connection), proofsOf(connection));

const proofsOf = (connection: Connection) => ({
  /** Proves that an entry is in the ledger, or among its first `size` entries; see `verifyInclusion`. @throws InvalidRequestError `resource_missing` */
  proveEntry: (entryId: string, { size, ...options }: ProofOptions = {}): Promise<Answer<LedgerProof>> =>
    connection.call('retrieveLedgerProof', { query: { entry_id: entryId, size } }, options),
  /** Proves that the ledger continues the one of an earlier checkpoint, up to `size`; see `verifyConsistency`. */
  proveConsistency: (fromSize: number, { size, ...options }: ProofOptions = {}): Promise<Answer<LedgerProof>> =>
    connection.call('retrieveLedgerProof', { query: { from_size: fromSize, size } }, options),
});
