import type { PoolClient } from 'pg';
import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import { memberBuyer } from '../../core/orders/buyer.ts';
import { cancelOrder } from '../../core/orders/cancel-order.ts';
import { type PlaceDeps, placeOrder } from '../../core/orders/place-order.ts';
import { steerOrder } from '../../core/sandbox/steer-order.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { BatchJob } from '../../platform/jobs/tasks.ts';
import { orderKey } from './order-key.ts';
import type { OneBatch } from './queries.ts';
import * as queries from './work-queries.ts';

/** Then another batch has its turn. A process that stops waits five seconds for a job. */
const STEPS_PER_JOB = 100;
/** Errors that pass by themselves: the job is retried. */
const PASSING = ['resource_locked', 'idempotency_in_progress'];
const NOT_PLACED = 'The batch was canceled before this gift was bought.';

interface Work {
  scope: Scope;
  one: OneBatch;
  run: number;
}

type Locked = queries.WorkRow & { actor: Extract<Actor, { kind: 'member' }> };

/**
 * Works on a batch: places its next orders, or cancels them. Safe to repeat after a crash at any point, and in two processes
 * at once: each order has its own idempotency key, and the batch is locked while one is placed.
 *
 * @throws what placing or canceling an order throws, unless that stops the batch; the job is retried
 */
export async function workOnBatch(
  deps: PlaceDeps,
  { organizationId, environment, batchId, run }: Omit<BatchJob, 'traceparent'>,
): Promise<void> {
  const work: Work = { scope: { organizationId, environment }, one: [organizationId, environment, batchId], run };
  for (let step = 0; step < STEPS_PER_JOB; step += 1) {
    const state = await takeStep(deps, work);
    if (state === 'over') return;
    if (state === 'canceling' && (await cancelNext(deps, work)) === 'over') return;
  }
  await inOrganization(deps.database, organizationId, (client) => queries.continueBatch(client, [...work.one, run]));
}

/** Places the next order, or ends the placing of a batch that is being canceled. */
const takeStep = (deps: PlaceDeps, work: Work): Promise<'running' | 'canceling' | 'over'> =>
  inOrganization(
    deps.database,
    work.scope.organizationId,
    async (client) => {
      const [locked] = await queries.lockForWork(client, [...work.one, work.run]);
      if (locked === undefined) return 'over';
      const open = await queries.selectNext(client, work.one);
      // Nothing is called not placed before that.
      if (locked.state === 'canceling' && open.length > 0) await waitForOrders(client, work.scope);
      if (open.length > 0 && !(await isPlaced(client, work, open))) {
        if (locked.state === 'running') return place(deps, client, work, { ...locked, actor: actorOf(locked) }, open);
        await queries.setRefused(client, [...work.one, null, 'not_placed', NOT_PLACED]);
      }
      if (locked.state === 'canceling') return 'canceling';
      if (open.length > 0) return 'running';
      await queries.setEnded(client, [...work.one, new Date(deps.clock.now())]);
      return 'over';
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );

const actorOf = ({ member_id, email, client_address }: queries.WorkRow) =>
  ({ kind: 'member', memberId: member_id, email, address: client_address }) as const;

const keyOf = ({ one: [, , batchId] }: Work, [first]: readonly queries.OpenRow[]) =>
  orderKey(batchId, first?.row_number ?? 1);

/** Notes an order that was placed before a crash. */
async function isPlaced(client: PoolClient, work: Work, open: readonly queries.OpenRow[]): Promise<boolean> {
  const [organizationId, environment] = work.one;
  const [order] = await queries.selectPlacedOrder(client, [organizationId, environment, keyOf(work, open)]);
  if (order === undefined) return false;
  await queries.setPlaced(client, [...work.one, order.order_id, open.map(({ row_number }) => row_number)]);
  return true;
}

/**
 * Places the order of these rows. A row that is refused gets its error, and the next step places the others under the same
 * key; what no row is to blame for stops the batch.
 */
async function place(
  deps: PlaceDeps,
  client: PoolClient,
  work: Work,
  { actor, sender_member_id: senderId }: Locked,
  open: readonly queries.OpenRow[],
): Promise<'running' | 'over'> {
  const gifts = open.flatMap(({ gift }) => gift ?? []);
  try {
    const key = keyOf(work, open);
    const steering = steerOrder(deps, work.scope, key, gifts);
    const buyer = memberBuyer(work.scope, actor, { senderId: senderId ?? undefined, batchId: work.one[2] });
    const { order } = await placeOrder(deps, buyer, key, { gifts }, steering);
    const orderId = decodeId('ord', order.order_id) ?? '';
    await queries.setPlaced(client, [...work.one, orderId, open.map(({ row_number }) => row_number)]);
    return 'running';
  } catch (error) {
    if (!(error instanceof BestowError) || PASSING.includes(error.code)) throw error;
    const { code, reason, message, param = '' } = error;
    const [path, position] = /^gifts\[(\d+)\]\.?/.exec(param) ?? [];
    const row = position === undefined ? undefined : open[Number(position)];
    if (row !== undefined && path !== undefined) {
      await queries.setRefused(client, [...work.one, row.row_number, code, message.replace(path, '')]);
      return 'running';
    }
    await queries.setStopped(client, [...work.one, reason ?? code, message, new Date(deps.clock.now())]);
    return 'over';
  }
}

/** Cancels what is unclaimed of the next order. Without the batch's lock, because a cancellation locks the balance. */
async function cancelNext(deps: PlaceDeps, work: Work): Promise<'canceling' | 'over'> {
  const { database } = deps;
  const { organizationId } = work.scope;
  const found = await inOrganization(database, organizationId, async (client) => {
    const [locked] = await queries.lockForWork(client, [...work.one, work.run]);
    if (locked === undefined) return undefined;
    const [next] = await queries.selectNextToCancel(client, work.one);
    if (next === undefined) await queries.setEnded(client, [...work.one, new Date(deps.clock.now())]);
    return next && { ...next, actor: actorOf(locked), reason: locked.cancel_reason ?? undefined };
  });
  if (found === undefined) return 'over';
  const { order_id: orderId, row_number, reason, actor } = found;
  await cancelOrder(deps, admitted(work.scope), { orderId, reason, actor }).catch((error: unknown) => {
    // Every gift of it is claimed.
    if (!(error instanceof BestowError) || error.code !== 'gift_already_redeemed') throw error;
  });
  await inOrganization(database, organizationId, (client) =>
    queries.setCanceledTo(client, [...work.one, work.run, row_number]),
  );
  return 'canceling';
}
