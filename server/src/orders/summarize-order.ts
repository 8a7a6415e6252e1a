import { encodeId } from '../base/ids.ts';
import type { OrderSummaryRow } from './search-queries.ts';

/** An order as the portal's lists show it. Amounts are cents. */
export interface OrderSummary {
  order_id: string;
  status: 'processing' | 'processed';
  amount: number;
  /** Includes gifts not created yet. */
  gift_count: number;
  created_at: Date;
  idempotency_key: string;
  key: { key_id: string; name: string; hint: string };
  member: { member_id: string; email: string };
}

export function summarizeOrder(row: OrderSummaryRow): OrderSummary {
  return {
    order_id: encodeId('ord', row.order_id),
    status: row.is_processing ? 'processing' : 'processed',
    amount: row.amount_cents,
    gift_count: row.gift_count,
    created_at: row.created_at,
    idempotency_key: row.idempotency_key,
    key: { key_id: encodeId('key', row.key_id), name: row.key_name, hint: row.key_hint },
    member: { member_id: encodeId('mem', row.member_id), email: row.member_email },
  };
}
