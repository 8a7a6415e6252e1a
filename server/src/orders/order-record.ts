import type { Environment } from '../base/environment.ts';
import type { GiftRecord } from './gift-record.ts';

/** An order ready to be written: everything is made beforehand, so that the statement only has to decide and write. */
export interface OrderRecord {
  organization_id: string;
  environment: Environment;
  /** A signed 64-bit number, as text, that stands for organization, environment and idempotency key. */
  key_lock: string;
  idempotency_key: string;
  /** SHA-256 as PostgreSQL reads it: `\x…`. */
  fingerprint: string;
  order_id: string;
  last_gift_id: string;
  entry_id: string;
  /** The API key, and what was taken for granted of it: the statement looks whether it holds. */
  key_id: string;
  organization_name: string;
  amount_cents: number;
  categories: string[];
  /** False where a reason to refuse was already found, and only what comes before it is to be known. */
  may_be_placed: boolean;
  created_at: Date;
  completes_at: Date | null;
  pending_gifts: GiftRecord[] | null;
  /** The gifts created now. */
  gifts: GiftRecord[];
  /** W3C `traceparent` of the request; only where requests are followed. */
  traceparent: string | undefined;
}
