import { shownUrl } from '../../capabilities/webhooks/endpoint-input.ts';
import type { Deps } from '../../core/deps.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { queues } from '../../platform/jobs/tasks.ts';
import * as queries from './work-queries.ts';

type WorkDeps = Pick<Deps, 'clock' | 'database'>;

/** Rows of a list; what is more waits until these are done. */
const MOST = 100;
/** Of each organization, so that one does not fill the list. */
const MOST_OF_EACH = 20;

/**
 * Lists what waits or fails, of all organizations: queues with the age of their oldest job, endpoints that refuse events,
 * claims without a card, changes of balances for a second person, and stocks of codes. Each list has at most 100 rows, the most
 * urgent first; money is cents. Servers that do not answer are left out.
 */
export async function showWork(deps: WorkDeps) {
  const { shards, home } = deps.database;
  return {
    queues: await sumQueues(deps, [...new Set([...shards, home])]),
    endpoints: (await queries.selectFailingEverywhere.ofLiving(shards, [MOST])).map(({ endpoint_id, url, ...row }) => ({
      ...withOwner(row),
      endpoint_id: encodeId('wh', endpoint_id),
      url: shownUrl(url),
    })),
    claims: (await queries.selectWaitingClaims.ofLiving(shards, [queues.claim.name, MOST])).map(
      ({ gift_id, amount_cents, ...row }) => ({
        ...withOwner(row),
        gift_id: encodeId('gift', gift_id),
        amount: amount_cents,
      }),
    ),
    approvals: (await queries.selectWaitingEverywhere.ofLiving(shards, [MOST])).map(
      ({ approval_id, amount_cents, ...row }) => ({
        ...withOwner(row),
        approval_id: encodeId('apr', approval_id),
        amount: amount_cents,
      }),
    ),
    stocks: (await queries.selectStocks.ofLiving(shards, [today(deps), MOST])).map(
      ({ category_id, value_cents, in_stock, low_stock, ...row }) => ({
        ...withOwner(row),
        category: category_id,
        value: value_cents,
        codes: in_stock,
        is_low: low_stock !== null && in_stock < low_stock,
      }),
    ),
  };
}

/** Lists live messages to recipients that no provider accepted, with masked addresses, newest first. */
export async function listFailingMessages({ database: { shards } }: Pick<WorkDeps, 'database'>) {
  const rows = await queries.selectFailingMessages.ofLiving(shards, [MOST_OF_EACH, MOST]);
  return rows
    .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime())
    .slice(0, MOST)
    .map(({ gift_id, address, ...row }) => ({
      ...withOwner(row),
      gift_id: encodeId('gift', gift_id),
      address: address === null ? null : maskAddress(address),
    }));
}

const today = ({ clock }: WorkDeps) => new Date(clock.now()).toISOString().slice(0, 10);

const withOwner = <Row extends { organization_id: string; name: string }>({ organization_id, name, ...row }: Row) => ({
  ...row,
  organization_id: encodeId('org', organization_id),
  organization_name: name,
});

/** Adds up the queues of all servers, the one with the oldest job first. */
async function sumQueues(deps: WorkDeps, servers: readonly Queryable[]) {
  const sums = new Map<string, Awaited<ReturnType<typeof queries.selectQueues>>[number]>();
  for (const row of await queries.selectQueues.ofLiving(servers, [new Date(deps.clock.now())])) {
    const sum = sums.get(row.queue);
    sums.set(row.queue, sum === undefined ? row : join(sum, row));
  }
  const ageOf = ({ oldest_due_at }: { oldest_due_at: Date | null }) =>
    oldest_due_at?.getTime() ?? Number.POSITIVE_INFINITY;
  return [...sums.values()].sort((a, b) => ageOf(a) - ageOf(b) || (a.queue < b.queue ? -1 : 1));
}

function join<Row extends { waiting: number; due: number; retried: number; oldest_due_at: Date | null }>(
  one: Row,
  other: Row,
): Row {
  return {
    ...one,
    waiting: one.waiting + other.waiting,
    due: one.due + other.due,
    retried: one.retried + other.retried,
    oldest_due_at: earlier(one.oldest_due_at, other.oldest_due_at),
  };
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
