import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectDeliveries } from './message-queries.ts';

/** A message about a gift and what became of it. */
export interface GiftDelivery {
  /** Of the gift's messages, from 1 on; it names the message. */
  number: number;
  channel: 'email' | 'phone';
  address: string;
  /**
   * `pending`: not sent yet (in the sandbox nothing ever is); `sent`: a provider accepted it; `delivered` and `failed`:
   * the news since.
   */
  state: 'pending' | 'sent' | 'delivered' | 'failed';
  /** How often it was tried. */
  tries: number;
  /** Why it failed, or why the latest try did not succeed. */
  reason: string | null;
  /** `smtp`, `twilio` or `outbox` (kept, because nothing is set to send it); null while no provider accepted it. */
  provider: string | null;
  created_at: Date;
  /** When a provider accepted it. */
  sent_at: Date | null;
  /** When it was delivered or failed. */
  settled_at: Date | null;
  /** Whether its link is the one that opens the gift; a redirect ends earlier ones. */
  is_latest: boolean;
}

/** Five redirects and a few fresh links; more is seen only where somebody asked for a fresh link every hour. */
const MAX_SHOWN = 50;

/** The latest messages about a gift, the first one first. @param giftId UUID */
export async function listDeliveries(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
): Promise<GiftDelivery[]> {
  const rows = await selectDeliveries(deps.database.pool, [organizationId, environment, giftId, MAX_SHOWN]);
  return rows.reverse();
}
