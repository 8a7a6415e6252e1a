import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import { sessionOf } from '../base/private-internals.ts';
import { endSession } from '../database/end-session.ts';
import { wasRolledBack } from '../database/lost-commit.ts';
import { isReadOnly } from '../database/read-only.ts';
import type { CompletionJob, Jobs } from '../jobs/jobs.ts';
import type { SendMessageJob } from '../jobs/tasks.ts';
import type { OrderRecord } from './order-record.ts';
import { type PlacementRow, placeOrders } from './queries.ts';

export interface PlacementDeps {
  placement: Pool;
  jobs: Jobs;
  log: Logger;
  /** How long to retry an order that may have been committed; 8 seconds by default. */
  knownWithinMs?: number;
}

const REACHED_WITHIN_MS = 1_200;
const KNOWN_WITHIN_MS = 8_000;
const LONGEST_PAUSE_MS = 250;

/**
 * Writes a batch. If the connection is lost while the statement runs, the statement may still commit. So this ends the lost
 * session and runs the batch again until PostgreSQL answers; the idempotency keys prevent a second charge.
 *
 * @throws OutcomeUnknown, or PostgreSQL's error if nothing was written
 */
export async function placeUntilKnown(deps: PlacementDeps, orders: OrderRecord[]): Promise<PlacementRow[]> {
  const startedAtMs = performance.now();
  const lostSessions = new Set<number>();
  // After a lost session, an error in a later session does not prove that the lost one wrote nothing.
  let wasLost = false;
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    let client: PoolClient | undefined;
    try {
      client = await deps.placement.connect();
      for (const session of lostSessions) {
        await endSession(client, session);
        lostSessions.delete(session);
      }
      const rows = await placeOnce(deps.jobs, client, orders);
      client.release();
      return rows;
    } catch (error) {
      if (client !== undefined && !wasLost && (await wasRolledBack(error, client))) {
        client.release(isReadOnly(error) ? (error as Error) : undefined);
        throw error;
      }
      client?.release(error as Error);
      wasLost ||= client !== undefined;
      const session = client && sessionOf(client);
      if (session !== undefined) lostSessions.add(session);
      const elapsedMs = performance.now() - startedAtMs;
      if (!wasLost && elapsedMs > REACHED_WITHIN_MS) throw error;
      if (elapsedMs > (deps.knownWithinMs ?? KNOWN_WITHIN_MS))
        throw new OutcomeUnknown('The connection was lost while the order was being placed.', { cause: error });
      await wait(pauseMs);
    }
  }
}

async function placeOnce(jobs: Jobs, client: PoolClient, orders: OrderRecord[]): Promise<PlacementRow[]> {
  const rows = orders.map((order, n) => ({ n, ...order, gifts: undefined, traceparent: undefined }));
  const gifts = orders.flatMap((order, n) => order.gifts.map((gift) => ({ n, ...gift })));
  const place = () => placeOrders(client, [JSON.stringify(rows), JSON.stringify(gifts)]);
  // Only orders that add jobs need a second statement, and so a transaction.
  if (!orders.some(leavesWork)) return place();
  await client.query('begin');
  try {
    const outcomes = await place();
    const placed = orders.filter((_, n) => outcomes[n]?.outcome === 'placed');
    await jobs.completeOrdersLater(client, placed.flatMap(completionOf));
    await jobs.sendMessagesLater(client, placed.flatMap(messagesOf));
    await client.query('commit');
    return outcomes;
  } catch (error) {
    // The next user of the connection must not inherit the transaction.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

const leavesWork = (order: OrderRecord) => completionOf(order).length > 0 || messagesOf(order).length > 0;

function completionOf({
  organization_id,
  environment,
  order_id,
  created_at,
  completes_at,
  traceparent,
}: OrderRecord): CompletionJob[] {
  if (completes_at === null) return [];
  const startAfterSeconds = (completes_at.getTime() - created_at.getTime()) / 1000;
  return [{ organizationId: organization_id, environment, orderId: order_id, startAfterSeconds, traceparent }];
}

/** Returns the messages about an order's gifts; the sandbox sends none. */
function messagesOf({ organization_id, environment, gifts, traceparent }: OrderRecord): SendMessageJob[] {
  if (environment !== 'live') return [];
  return gifts.flatMap(({ method, gift_id, delivery_id }) =>
    method === 'link' || delivery_id === null
      ? []
      : [
          {
            organizationId: organization_id,
            environment,
            giftId: gift_id,
            deliveryId: delivery_id,
            channel: method,
            traceparent,
          },
        ],
  );
}
