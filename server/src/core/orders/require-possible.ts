import type { PoolClient } from 'pg';
import { destination } from '../../platform/base/destination.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { capRefusal } from '../caps/cap-refusal.ts';
import { startsOf } from '../caps/window.ts';
import type { Deps } from '../deps.ts';
import type { GiftInputBody } from '../gifts/gift/schema.ts';
import { selectLimitBelow } from './approval-queries.ts';
import { linkRefusalOf } from './place-order.ts';

/** In cents: an order, and what one recipient gets of it. */
export interface OrderSize {
  orderCents: number;
  recipientCents: number;
  /** Position of the first gift without an address; undefined: every gift has one. */
  link?: number | undefined;
}

export function sizeOf(gifts: readonly Pick<GiftInputBody, 'amount' | 'delivery'>[]): OrderSize {
  const ofRecipients = new Map<string, number>();
  let orderCents = 0;
  for (const { amount, delivery } of gifts) {
    orderCents += amount;
    const { address } = destination(delivery);
    if (address === null) continue;
    const recipient = address.toLowerCase();
    ofRecipients.set(recipient, (ofRecipients.get(recipient) ?? 0) + amount);
  }
  const link = gifts.findIndex(({ delivery }) => delivery.method === 'link');
  return {
    orderCents,
    recipientCents: Math.max(0, ...ofRecipients.values()),
    link: link === -1 ? undefined : link,
  };
}

/**
 * Requires that an order that is asked for can be placed on some day: no limit of the member, of their team or of the
 * organization is below it. What was spent today does not count.
 *
 * @param senderId UUID of the member who asks
 * @throws BestowError as the order would be refused; the message says that no day helps
 */
export async function requirePossible(
  client: PoolClient,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  { organizationId, environment }: Scope,
  senderId: string,
  { orderCents, recipientCents, link }: OrderSize,
): Promise<void> {
  const size = [orderCents, recipientCents, link !== undefined] as const;
  const [limit] = await selectLimitBelow(client, [organizationId, environment, senderId, ...size]);
  if (limit === undefined) return;
  const { of, period, cap_cents } = limit;
  if (period === 'recipient' && link !== undefined && of !== 'organization')
    throw linkRefusalOf({ position: link, rule: 'link' });
  const window = period === 'recipient' ? 'day' : period;
  const cap = {
    of: period !== 'recipient' ? of : of === 'organization' ? period : (`${of}_recipient` as const),
    period: window,
    cap_cents,
    window_started_at: startsOf(clock.now())[window].toISOString(),
  };
  throw capRefusal('order', cap, config.currency, true);
}
