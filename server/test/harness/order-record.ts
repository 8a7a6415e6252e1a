import type { OrderRecord } from '../../src/core/orders/prepare-order.ts';

/** Returns an order's record for tests without a database. */
export const orderRecord = (more: Partial<OrderRecord> = {}): OrderRecord => ({
  organization_id: '01a1fdfa-467b-7000-8000-000000000001',
  environment: 'sandbox',
  key_hash: '\\x00',
  client_address: '',
  placed_by: null,
  key_lock: '1',
  idempotency_key: 'key',
  fingerprint: '\\x00',
  order_id: '01a1fdfa-467b-7000-8000-000000000002',
  entry_id: '01a1fdfa-467b-7000-8000-000000000004',
  amount_cents: 1000,
  categories: ['coffee'],
  may_be_placed: true,
  created_at: new Date('2026-11-21T12:00:00Z'),
  completes_at: null,
  pending_gifts: null,
  gifts: [],
  recipients: null,
  addresses: null,
  traceparent: undefined,
  ...more,
});
