import type { Deps } from '../../deps.ts';
import * as queries from '../queries.ts';
import type { DeliveryEvent, Failure } from './delivery-event.ts';

/**
 * Settles deliveries, thousands in two statements. Events may arrive twice and in any order: a failure is final, and
 * repeated events change nothing.
 */
export async function recordEvents(
  deps: Pick<Deps, 'clock' | 'database'>,
  events: readonly DeliveryEvent[],
): Promise<void> {
  const delivered = new Map<string, queries.DeliveryEventRow>();
  const failed = new Map<string, queries.DeliveryEventRow>();
  for (const { reference, verdict } of events) {
    const row = {
      organization_id: reference.organizationId,
      environment: reference.environment,
      gift_id: reference.giftId,
      delivery_id: reference.deliveryId,
    };
    if (verdict === 'delivered') delivered.set(row.delivery_id, row);
    else if (isGraver(verdict, failed.get(row.delivery_id)))
      failed.set(row.delivery_id, {
        ...row,
        reason: verdict.reason,
        unless_delivered: verdict.unlessDelivered === true,
      });
  }
  const now = new Date(deps.clock.now());
  // Not on the read connection: these statements wait for the gifts' locks.
  const { pool } = deps.database;
  if (delivered.size > 0) await queries.recordDelivered(pool, [JSON.stringify([...delivered.values()]), now]);
  if (failed.size > 0) await queries.recordFailures(pool, [JSON.stringify([...failed.values()]), now]);
}

const isGraver = ({ unlessDelivered }: Failure, known: queries.DeliveryEventRow | undefined) =>
  known === undefined || (known.unless_delivered === true && !unlessDelivered);
