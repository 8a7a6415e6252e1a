import { advanceCursor, findCursor } from '../provider-events/cursor.ts';
import { receiveEvent } from '../provider-events/receive-event.ts';
import { listWaitingEvents, workOnEvent } from '../provider-events/work-on-event.ts';
import { STRIPE } from '../stripe/event-provider.ts';
import { EVENT_TYPES, handleStripeEvent } from './handle-stripe-event.ts';
import { selectOpenTopups, selectTopupsWithoutCosts } from './queries.ts';
import { type SettleDeps, settlePayment } from './settle-payment.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Stripe lists events of 30 days. */
const LONGEST_MS = 29 * DAY_MS;
const MOST_OPEN = 200;
const PAGE = 100;

/** Once a day, reads the events of Stripe that never arrived. */
export async function reconcileStripe(deps: SettleDeps): Promise<void> {
  const last = await findCursor(deps, STRIPE);
  if (last !== undefined && deps.clock.now() - last.getTime() < DAY_MS) return;
  const missed = await readMissedEvents(deps);
  if (missed > 0) deps.log.warn({ missed }, 'Events of Stripe had not arrived; they are worked on now.');
}

/**
 * Lists Stripe's events since the last time and keeps those that never arrived; their jobs follow. An hour of overlap covers
 * events that were created late.
 *
 * @returns how many had not arrived
 */
async function readMissedEvents(deps: SettleDeps): Promise<number> {
  const { stripe, clock } = deps;
  if (stripe === undefined) return 0;
  const nowMs = clock.now();
  const last = await findCursor(deps, STRIPE);
  await settleOpen(deps, nowMs);
  const since = Math.max((last?.getTime() ?? nowMs) - HOUR_MS, nowMs - LONGEST_MS);
  let missed = 0;
  const created = { gte: Math.floor(since / 1_000) };
  for await (const event of stripe.events.list({ created, types: [...EVENT_TYPES], limit: PAGE })) {
    if (event.livemode !== deps.config.stripe?.isLive) continue;
    const { id: eventId, type } = event;
    if (await receiveEvent(deps, { provider: STRIPE, eventId, type, body: JSON.stringify(event) })) missed += 1;
  }
  await advanceCursor(deps, STRIPE, new Date(nowMs));
  return missed;
}

/**
 * Reads what Stripe did in a time that a restore of the database undid, and books it at once: an automatic top-up must not
 * charge again for what was paid. The work of a minute may have read the events already, and their jobs still wait. What
 * cannot be booked now is left to its job.
 *
 * @returns how many events waited
 */
export async function bookMissedEvents(deps: SettleDeps): Promise<number> {
  const handlers = { [STRIPE]: handleStripeEvent(deps) };
  await readMissedEvents(deps);
  const waiting = await listWaitingEvents(deps, STRIPE);
  for (const eventId of waiting)
    await workOnEvent(deps, handlers, { provider: STRIPE, eventId }).catch((error: unknown) =>
      deps.log.warn({ err: error, event: eventId }, 'An event of Stripe could not be booked yet.'),
    );
  return waiting.length;
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
