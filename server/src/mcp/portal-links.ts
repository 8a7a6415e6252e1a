import { encodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';

/** Adds to orders and gifts, and to those of a list, the address of their page in the portal. */
export function withPortalLinks(publicUrl: string, { organizationId, environment }: Scope, body: object): object {
  const base = `${publicUrl}/portal/${encodeId('org', organizationId)}/${environment}`;
  const link = (value: object): object => {
    const { gift_id, order_id, gifts, data } = value as Partial<Record<string, unknown>>;
    if (typeof gift_id === 'string') return { ...value, portal_url: `${base}/gifts/${gift_id}` };
    if (typeof order_id === 'string' && Array.isArray(gifts))
      return { ...value, gifts: gifts.map(link), portal_url: `${base}/orders/${order_id}` };
    return Array.isArray(data) ? { ...value, data: data.map(link) } : value;
  };
  return link(body);
}
