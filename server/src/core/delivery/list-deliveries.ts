import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectDeliveries } from './message-queries.ts';

/** A message about a gift, and its status. */
export interface GiftDelivery {
  /** Identifies the message within the gift, from 1. */
  number: number;
  channel: 'email' | 'phone';
  address: string;
  /** `pending`: not sent (always so in the sandbox); `sent`: a provider accepted it; the others come from webhook events. */
  state: 'pending' | 'sent' | 'delivered' | 'failed';
  /** Number of attempts. */
  tries: number;
  /** Why the message or the latest attempt failed. */
  reason: string | null;
  /** `smtp`, `twilio` or `outbox` (not sent: no mail server is configured); null until a provider accepts the message. */
  provider: string | null;
  created_at: Date;
  /** When a provider accepted it. */
  sent_at: Date | null;
  /** When it was delivered or failed. */
  settled_at: Date | null;
  /** Of a reminder: days after the order. */
  reminder_day: number | null;
}

/** Covers five redirects and many renewed links. */
const MAX_SHOWN = 50;

/** Lists the latest messages about a gift, oldest first. @param giftId UUID */
export async function listDeliveries(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
): Promise<GiftDelivery[]> {
  const rows = await selectDeliveries(deps.database.pool, [organizationId, environment, giftId, MAX_SHOWN]);
  return rows.reverse();
}
