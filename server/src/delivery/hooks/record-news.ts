import type { Deps } from '../../deps.ts';
import * as queries from '../queries.ts';
import type { Failure, News } from './news.ts';

/**
 * Settles the deliveries that the news is about, thousands in two statements. News may come twice and out of order: a
 * failure is final, whichever came first, and what is known already changes nothing.
 */
export async function recordNews(deps: Pick<Deps, 'clock' | 'database'>, news: readonly News[]): Promise<void> {
  const delivered = new Map<string, queries.DeliveryNewsRow>();
  const failed = new Map<string, queries.DeliveryNewsRow>();
  for (const { reference, verdict } of news) {
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
  // Not on the connection of the reads: these wait for the gifts' locks.
  const { pool } = deps.database;
  if (delivered.size > 0) await queries.recordDelivered(pool, [JSON.stringify([...delivered.values()]), now]);
  if (failed.size > 0) await queries.recordFailures(pool, [JSON.stringify([...failed.values()]), now]);
}

const isGraver = ({ unlessDelivered }: Failure, known: queries.DeliveryNewsRow | undefined) =>
  known === undefined || (known.unless_delivered === true && !unlessDelivered);
