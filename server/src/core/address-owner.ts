import type { PoolClient } from 'pg';
import type { Deps } from './deps.ts';

export interface ErasedCounts {
  gifts: number;
  messages: number;
  /** Messages not sent yet. */
  messages_cancelled: number;
  /** Gifts redirected to another address, which stays. */
  gifts_elsewhere: number;
  /** Opened, unclaimed gifts: no address is left for a fresh link. */
  gifts_unclaimed: number;
  orders_processing: number;
  /** Orders whose idempotency key or external id contains the address. */
  idempotency_keys_left: number;
}

interface Erased extends Partial<ErasedCounts> {
  /** Whether the owner had anything of the address that the audit log tells of. */
  isFound?: boolean;
  /** Appends events, as the last change of the transaction. */
  announce?: () => Promise<void>;
}

/** A recipient's address in one organization. */
interface RecipientAddress {
  /** UUID. */
  organizationId: string;
  /** In lower case. */
  address: string;
}

/**
 * Erases what one owner of tables has of a recipient, in the caller's transaction.
 *
 * @throws OperatorError if it cannot be erased now
 */
export type EraseOfAddress = (
  client: PoolClient,
  deps: Pick<Deps, 'clock'>,
  recipient: RecipientAddress,
) => Promise<Erased>;
