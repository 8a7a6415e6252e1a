import type { Deps } from '../../core/deps.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { AskedRow } from '../gift-requests/agent-queries.ts';
import { expiryOf } from '../gift-requests/expire-requests.ts';

const AGAIN = 'Only if the person still wants it, call preview_order again.';

const STATES = {
  waiting_for_approval:
    'Nothing is bought yet: give the person the portal_url, where an admin approves or declines the order. Call get_order_request with this order_request_id to see the decision. Do not order it again.',
  approved: 'The order is bought. Call get_order with this order_id. Do not order it again.',
  declined: `Nothing was bought. Tell the person, with the reason if there is one. ${AGAIN}`,
  expired: `No admin decided in time, and nothing was bought. Tell the person. ${AGAIN}`,
} as const;

/** A request as the agent that asked reads it; the amount in cents. */
export function presentRequest(
  { config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>,
  { organizationId, environment }: Scope,
  row: AskedRow,
): object {
  const order_request_id = encodeId('ask', row.request_id);
  const status = statusOf(row);
  return {
    object: 'order_request',
    order_request_id,
    status,
    amount: row.amount_cents,
    currency: config.currency,
    created_at: row.created_at,
    expires_at: expiryOf(row),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.order_id === null ? {} : { order_id: encodeId('ord', row.order_id) }),
    portal_url: `${publicUrl()}/portal/${encodeId('org', organizationId)}/${environment}/gifts/requests/${order_request_id}`,
    next_step: STATES[status],
  };
}

function statusOf({ state, order_id }: AskedRow): keyof typeof STATES {
  if (order_id !== null) return 'approved';
  return state === 'declined' || state === 'expired' ? state : 'waiting_for_approval';
}
