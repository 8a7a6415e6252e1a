import type { Deps } from '../deps.ts';
import { applyFacts, type FactSource } from './apply-facts.ts';
import * as queries from './issuer-event-queries.ts';

type EventDeps = Pick<Deps, 'clock' | 'database' | 'issuers' | 'log'>;

const WAIT_MS = 30_000;
const DAY_MS = 86_400_000;
/** An event can come before its card is recorded, which takes seconds; one of a foreign card is given up. */
const UNKNOWN_CARD_MS = 3 * DAY_MS;
export const ISSUER_EVENTS_KEPT_DAYS = 30;
const KEPT_MS = ISSUER_EVENTS_KEPT_DAYS * DAY_MS;

/** Records the facts of a verified event, in its job. @throws so that the job is retried, also while the card is unknown */
export async function recordIssuerEvent(deps: EventDeps, source: FactSource, eventId: string): Promise<void> {
  const { organizationId, issuerId } = source;
  const key = [organizationId, issuerId, eventId] as const;
  const [event] = await queries.selectIssuerEvent(deps.database.pool, [...key]);
  if (event === undefined || event.processed_at !== null) return;
  const [chosen] = await queries.selectIssuer(deps.database.pool, [organizationId, issuerId]);
  const issuer = await deps.issuers.open(organizationId, chosen ?? null);
  if (issuer.isLocal) return;
  const facts = await issuer.ingest(event.body, AbortSignal.timeout(WAIT_MS));
  const unknown = await applyFacts(deps, source, facts);
  const now = new Date(deps.clock.now());
  if (unknown.length > 0) {
    const isOld = now.getTime() - event.received_at.getTime() > UNKNOWN_CARD_MS;
    if (!isOld) throw new Error('An issuer’s event is about a card that is not recorded yet.');
    deps.log.warn({ issuer: issuerId, event: eventId }, 'An issuer’s event is about an unknown card.');
  }
  await queries.markProcessed(deps.database.pool, [...key, now]);
}

/** Deletes events whose facts were recorded 30 days ago. */
export const forgetIssuerEvents = async ({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> => {
  await queries.deleteOldIssuerEvents(database.shards, [new Date(clock.now() - KEPT_MS)]);
};
