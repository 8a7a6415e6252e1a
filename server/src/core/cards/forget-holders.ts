import type { Deps } from '../deps.ts';
import * as queries from './forget-queries.ts';

type ForgetDeps = Pick<Deps, 'clock' | 'database' | 'issuers' | 'log'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Per run, all at once; the rest follow a minute later. */
const MAX_CARDS = 20;
const WAIT_MS = 10_000;

/**
 * Ends at the issuers what they keep of erased recipients, as far as they allow. A card that may still spend works on, and is
 * looked at again a day later; an issuer that does not answer is asked again after an hour.
 */
export async function forgetHolders(deps: ForgetDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  const due = await queries.selectCardsToForget(deps.database.shards, [now, MAX_CARDS]);
  await Promise.all(
    due.map(async (row) => {
      const again = await forget(deps, row);
      const at = again === undefined ? null : new Date(now.getTime() + again);
      await queries.planForgetting(deps.database.pool, [row.organization_id, row.environment, row.gift_id, at]);
    }),
  );
}

/** @returns milliseconds until the next try; undefined if nothing is left to erase */
async function forget(
  { issuers, log }: ForgetDeps,
  row: Awaited<ReturnType<typeof queries.selectCardsToForget>>[number],
): Promise<number | undefined> {
  const { organization_id: organizationId, environment, gift_id: giftId, provider_id: providerId } = row;
  try {
    const issuer = await issuers.open(organizationId, row);
    if (issuer.isLocal || issuer.forgetHolder === undefined) return undefined;
    if (row.left_cents !== null && row.left_cents > 0) return DAY_MS;
    const card = { organizationId, environment, giftId, providerId, valueCents: row.amount_cents };
    await issuer.forgetHolder(card, AbortSignal.timeout(WAIT_MS));
    return undefined;
  } catch (error) {
    log.warn({ err: error, issuer: row.issuer_id }, 'A recipient could not be erased at a card’s issuer.');
    return HOUR_MS;
  }
}
