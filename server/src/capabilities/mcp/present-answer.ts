import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';

const PROCESSING =
  'The order is paid for; its remaining gifts are created within a minute. Call get_order with this order_id until its status is processed. Do not place it again.';

/**
 * Adds to orders and gifts, and to those of a list, the address of their page in the portal, and to an order that is
 * `processing` what to do next.
 */
export function presentAnswer(publicUrl: string, { organizationId, environment }: Scope, body: object): object {
  const base = `${publicUrl}/portal/${encodeId('org', organizationId)}/${environment}`;
  const present = (value: object): object => {
    const { gift_id, delivery, order_id, status, gifts, data } = value as Partial<Record<string, unknown>>;
    // An entry of the balance names a gift too.
    if (typeof gift_id === 'string' && delivery !== undefined)
      return { ...value, portal_url: `${base}/gifts/${gift_id}` };
    if (typeof order_id === 'string' && Array.isArray(gifts))
      return {
        ...value,
        gifts: gifts.map(present),
        portal_url: `${base}/orders/${order_id}`,
        ...(status === 'processing' ? { next_step: PROCESSING } : {}),
      };
    return Array.isArray(data) ? { ...value, data: data.map(present) } : value;
  };
  return present(body);
}
