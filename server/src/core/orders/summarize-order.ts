import { encodeId } from '../../platform/base/ids.ts';
import { presentReferences } from '../gifts/gift/present-references.ts';
import type { OrderSummary } from './portal-schema.ts';
import type { OrderSummaryRow } from './search-queries.ts';

export function summarizeOrder(row: OrderSummaryRow): OrderSummary {
  return {
    order_id: encodeId('ord', row.order_id),
    status: row.is_processing ? 'processing' : 'processed',
    amount: row.amount_cents,
    gift_count: row.gift_count,
    created_at: row.created_at,
    idempotency_key: row.idempotency_key,
    key: row.key_id === null ? null : { key_id: encodeId('key', row.key_id), name: row.key_name, hint: row.key_hint },
    member: { member_id: encodeId('mem', row.member_id), email: row.member_email },
    ...presentReferences(row),
  };
}
