import type { PoolClient } from 'pg';
import type { Scope } from '../../platform/base/principal.ts';
import { yearIn } from './days.ts';
import { type GiftOfYear, orderKey } from './order-key.ts';
import { selectDone, setOrdered, setRequested } from './work-queries.ts';

/**
 * Notes the orders and requests of gifts that a process made and could not note, because it died. The caller's transaction has
 * locked their rules.
 *
 * @returns the gifts that have one
 */
export async function noteDone<Gift extends GiftOfYear & { timeZone: string }>(
  client: PoolClient,
  { organizationId, environment }: Scope,
  gifts: readonly Gift[],
  nowMs: number,
): Promise<Gift[]> {
  const byKey = new Map(gifts.map((gift) => [orderKey(gift), gift]));
  const noted: Gift[] = [];
  const done = gifts.length === 0 ? [] : await selectDone(client, [organizationId, environment, [...byKey.keys()]]);
  for (const { order_key, order_id, request_id, amount_cents } of done) {
    const gift = byKey.get(order_key);
    if (gift === undefined) continue;
    const one = [organizationId, environment, gift.ruleId, gift.contactId, gift.year] as const;
    const at = new Date(nowMs);
    if (order_id !== null) await setOrdered(client, [...one, order_id, amount_cents, at, yearIn(gift.timeZone, nowMs)]);
    else if (request_id !== null) await setRequested(client, [...one, request_id, amount_cents, at]);
    noted.push(gift);
  }
  return noted;
}
