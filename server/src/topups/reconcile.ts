import { advanceCursor, findCursor } from '../provider-events/cursor.ts';
import { receiveEvent } from '../provider-events/receive-event.ts';
import { STRIPE } from '../stripe/event-provider.ts';
import { EVENT_TYPES } from './handle-stripe-event.ts';
import { selectOpenTopups, selectTopupsWithoutCosts } from './queries.ts';
import { type SettleDeps, settlePayment } from './settle-payment.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Stripe lists events of 30 days. */
const LONGEST_MS = 29 * DAY_MS;
const MOST_OPEN = 200;
const PAGE = 100;

/**
 * Once a day, lists Stripe's events since the last time and keeps those that never arrived; their jobs follow. An hour of
 * overlap covers events that were created late.
 */
export async function reconcileStripe(deps: SettleDeps): Promise<void> {
  const { stripe, clock, log } = deps;
  if (stripe === undefined) return;
  const nowMs = clock.now();
  const last = await findCursor(deps, STRIPE);
  if (last !== undefined && nowMs - last.getTime() < DAY_MS) return;
  await settleOpen(deps, nowMs);
  const since = Math.max((last?.getTime() ?? nowMs) - HOUR_MS, nowMs - LONGEST_MS);
  let missed = 0;
  const created = { gte: Math.floor(since / 1_000) };
  for await (const event of stripe.events.list({ created, types: [...EVENT_TYPES], limit: PAGE })) {
    if (event.livemode !== deps.config.stripe?.isLive) continue;
    const { id: eventId, type } = event;
    if (await receiveEvent(deps, { provider: STRIPE, eventId, type, body: JSON.stringify(event) })) missed += 1;
  }
  if (missed > 0) log.warn({ missed }, 'Events of Stripe had not arrived; they are worked on now.');
  await advanceCursor(deps, STRIPE, new Date(nowMs));
}

/** Looks at payments that did not end within an hour, and at those of a week whose costs were not known. */
async function settleOpen(deps: SettleDeps, nowMs: number): Promise<void> {
  const { shards } = deps.database;
  for (const { payment_id } of [
    ...(await selectOpenTopups(shards, [new Date(nowMs - HOUR_MS), MOST_OPEN])),
    ...(await selectTopupsWithoutCosts(shards, [new Date(nowMs - 7 * DAY_MS), MOST_OPEN])),
  ])
    if (payment_id !== null) await settlePayment(deps, payment_id);
}
