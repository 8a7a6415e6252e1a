import type { Environment } from '../base/environment.ts';
import type { GiftRecord } from './gift-record.ts';

/** An order ready to write: the statement only decides and writes. */
export interface OrderRecord {
  organization_id: string;
  environment: Environment;
  /** Advisory lock of organization, environment and idempotency key: a signed 64-bit number as text. */
  key_lock: string;
  idempotency_key: string;
  /** SHA-256 in PostgreSQL's format, `\x…`. */
  fingerprint: string;
  order_id: string;
  last_gift_id: string;
  entry_id: string;
  /** The statement checks that the key and the organization's name are still valid. */
  key_id: string;
  organization_name: string;
  amount_cents: number;
  categories: string[];
  /** False if a reason to refuse is known already; the statement then only looks for errors that come before it. */
  may_be_placed: boolean;
  created_at: Date;
  completes_at: Date | null;
  pending_gifts: GiftRecord[] | null;
  gifts: GiftRecord[];
  /** W3C `traceparent` of the request; undefined if tracing is off. */
  traceparent: string | undefined;
}
