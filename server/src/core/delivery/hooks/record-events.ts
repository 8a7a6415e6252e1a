import type { Deps } from '../../deps.ts';
import * as queries from '../queries.ts';
import type { DeliveryEvent, Failure } from './delivery-event.ts';

/** The events of one organization, by delivery. */
interface Settled {
  delivered: Map<string, queries.DeliveryEventRow>;
  failed: Map<string, queries.DeliveryEventRow>;
  refused: Map<string, queries.AccountRefusalRow>;
}

/**
 * Settles deliveries, those of an organization in one statement per verdict: the message's reference, which the provider returns,
 * names the organization. Ignores environments that this process does not serve. Events may arrive twice and in any order:
 * a failure is final, and repeated events change nothing.
 *
 * @throws if an organization's events could not be recorded, after all others were
 */
export async function recordEvents(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'meter'>,
  all: readonly DeliveryEvent[],
): Promise<void> {
  const events = all.filter(({ reference }) => deps.config.serveEnvironments.includes(reference.environment));
  const now = new Date(deps.clock.now());
  const recorded = await Promise.allSettled(
    [...byOrganization(events)].map(async ([organizationId, { delivered, failed, refused }]) => {
      // Not on the read connection: these statements wait for the gifts' locks.
      const { pool } = deps.database;
      const rows = (settled: Settled[keyof Settled]) => JSON.stringify([...settled.values()]);
      if (delivered.size > 0) await queries.recordDelivered(pool, [organizationId, rows(delivered), now]);
      if (failed.size > 0) await queries.recordFailures(pool, [organizationId, rows(failed), now]);
      if (refused.size === 0) return;
      for (const { channel } of await queries.sendRefusedAgain(pool, [organizationId, rows(refused)]))
        deps.meter.delivery(channel, 'account_refused');
    }),
  );
  for (const result of recorded) if (result.status === 'rejected') throw result.reason;
}

function byOrganization(events: readonly DeliveryEvent[]): Map<string, Settled> {
  const organizations = new Map<string, Settled>();
  for (const { reference, verdict } of events) {
    const { organizationId, environment, giftId, deliveryId } = reference;
    const settled = organizations.get(organizationId) ?? {
      delivered: new Map(),
      failed: new Map(),
      refused: new Map(),
    };
    organizations.set(organizationId, settled);
    const row = { environment, gift_id: giftId, delivery_id: deliveryId };
    if (verdict === 'delivered') settled.delivered.set(deliveryId, row);
    else if ('accountReason' in verdict)
      settled.refused.set(deliveryId, { ...row, reason: verdict.accountReason, provider_id: verdict.providerId });
    else if (isGraver(verdict, settled.failed.get(deliveryId)))
      settled.failed.set(deliveryId, {
        ...row,
        reason: verdict.reason,
        unless_delivered: verdict.unlessDelivered === true,
      });
  }
  return organizations;
}

const isGraver = ({ unlessDelivered }: Failure, known: queries.DeliveryEventRow | undefined) =>
  known === undefined || (known.unless_delivered === true && !unlessDelivered);
