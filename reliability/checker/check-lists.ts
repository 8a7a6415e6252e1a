import { decodeId } from '../../server/src/platform/base/ids.ts';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';
import { createHttpClient, outcomeOfApi } from '../load/send.ts';
import {
  type AnsweredGift,
  type AnsweredOrder,
  acknowledgedOrders,
  isOf,
  isOk,
  mayBeDeleted,
  ownerOf,
  resetsOf,
} from './read-record.ts';
import { violationsOf } from './select-faulty.ts';
import type { Check, CheckContext, CheckKey, Violation } from './violation.ts';

/** I5: an acknowledged order exists and is listed once, the latest first; resets count exactly. */
export const checkLists: Check = async (context) => [
  ...(await checkAcknowledged(context)),
  ...checkRising(context),
  ...(await checkResets(context)),
  ...(await walkLists(context)),
];

const storedOrders = async ({ sql }: CheckContext) => {
  const { rows } = await sql.query<{ order_id: string; owner: string; gifts: number }>(
    `select order_id, organization_id || ' ' || environment as owner,
       (select count(*)::integer from gifts g where g.organization_id = o.organization_id
         and g.environment = o.environment and g.order_id = o.order_id) as gifts
     from orders o order by order_id desc`,
  );
  return rows;
};

async function checkAcknowledged(context: CheckContext): Promise<Violation[]> {
  const resets = resetsOf(context.recorder.calls);
  const stored = new Set((await storedOrders(context)).map(({ order_id }) => order_id));
  const wrong = acknowledgedOrders(context.recorder.calls).flatMap(({ call, order: { order_id } }) => {
    const exists = stored.has(decodeId('ord', order_id) ?? '');
    if (!exists && !mayBeDeleted(call, resets)) return [`Order ${order_id} was acknowledged, and is gone.`];
    const outlived = resets.some(
      (reset) => isOk(reset) && ownerOf(reset) === ownerOf(call) && reset.startedAtMs > call.endedAtMs,
    );
    return exists && outlived ? [`Order ${order_id} was acknowledged before a reset, and is still there.`] : [];
  });
  return violationsOf('I5', [...new Set(wrong)]);
}

/** An order that began after another was acknowledged is listed before it. */
function checkRising({ recorder }: CheckContext): Violation[] {
  const wrong: string[] = [];
  const placed = acknowledgedOrders(recorder.calls).filter(({ call }) => call.outcome.status === 201);
  for (const orders of Map.groupBy(placed, ({ call }) => ownerOf(call)).values()) {
    const byStart = orders.toSorted((a, b) => a.call.startedAtMs - b.call.startedAtMs);
    const byEnd = orders.toSorted((a, b) => a.call.endedAtMs - b.call.endedAtMs);
    let greatest = '';
    let ended = 0;
    for (const { call, order } of byStart) {
      for (let next = byEnd[ended]; next !== undefined && next.call.endedAtMs < call.startedAtMs; next = byEnd[ended]) {
        if (next.order.order_id > greatest) greatest = next.order.order_id;
        ended += 1;
      }
      if (order.order_id < greatest)
        wrong.push(`Order ${order.order_id} is later than ${greatest}, and listed after it.`);
    }
  }
  return violationsOf('I5', wrong);
}

/** The deleted and the remaining orders are those that were placed. */
async function checkResets(context: CheckContext): Promise<Violation[]> {
  const { calls } = context.recorder;
  const resets = Map.groupBy(resetsOf(calls), ({ organizationId }) => organizationId);
  if (resets.size === 0) return [];
  const stored = Map.groupBy(await storedOrders(context), ({ owner }) => owner);
  const wrong: string[] = [];
  for (const [organizationId, ofOne] of resets) {
    const done = ofOne
      .filter(isOk)
      .map(({ outcome }) => outcome.answer as { orders_deleted: number; gifts_deleted: number });
    // A reset without an answer may have deleted anything.
    if (done.length < ofOne.length) continue;
    const sum = (field: 'orders_deleted' | 'gifts_deleted') => done.reduce((all, counts) => all + counts[field], 0);
    const left = stored.get(`${decodeId('org', organizationId)} sandbox`) ?? [];
    const attempts = calls.filter(
      (call) =>
        call.organizationId === organizationId && call.environment === 'sandbox' && isOf(call, 'placeOrder', 'replay'),
    );
    // A processing order may not have all of its gifts yet.
    const known = new Map<string, { least: number; most: number }>();
    for (const { call, order } of acknowledgedOrders(attempts))
      if (!known.has(order.order_id))
        known.set(order.order_id, { least: order.gifts.length, most: giftsSent(call.request) });
    // Each unknown attempt may have placed an order. After a lost connection the server may place one again.
    const unknown = attempts.filter(({ outcome }) => outcome.kind === 'unknown');
    const again = context.recorder.crashesAtMs.length;
    const orders = sum('orders_deleted') + left.length;
    if (orders < known.size || orders > known.size + unknown.length + again)
      wrong.push(
        `Resets of ${organizationId} deleted ${orders - left.length} orders and left ${left.length}; its clients know of ${known.size} to ${known.size + unknown.length + again}.`,
      );
    const gifts = sum('gifts_deleted') + left.reduce((all, order) => all + order.gifts, 0);
    const total = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
    const least = total([...known.values()].map((order) => order.least));
    const most =
      total([...known.values()].map((order) => order.most)) +
      total(unknown.map(({ request }) => giftsSent(request))) +
      MOST_GIFTS * again;
    if (gifts < least || gifts > most)
      wrong.push(
        `Resets of ${organizationId} and what they left come to ${gifts} gifts; its clients know of ${least} to ${most}.`,
      );
  }
  return violationsOf('I5', wrong);
}

const MOST_GIFTS = 10;

const giftsSent = (request: unknown) => (request as { gifts: unknown[] }).gifts.length;

async function walkLists(context: CheckContext): Promise<Violation[]> {
  const { url, keys, sql } = context;
  if (url === undefined) return [];
  const wrong: string[] = [];
  for (const key of keys) {
    const owner = [decodeId('org', key.organizationId), key.environment];
    const walkedOrders = (await walk<AnsweredOrder>(url, key, 'orders')).map(({ order_id }) =>
      decodeId('ord', order_id),
    );
    const walkedGifts = (await walk<AnsweredGift>(url, key, 'gifts')).map(({ gift_id }) => decodeId('gift', gift_id));
    for (const [name, walked] of [
      ['order', walkedOrders],
      ['gift', walkedGifts],
    ] as const) {
      const { rows } = await sql.query<{ id: string }>(
        `select ${name}_id as id from ${name}s where organization_id = $1 and environment = $2 order by ${name}_id desc`,
        owner,
      );
      const index = rows.findIndex(({ id }, place) => id !== walked[place]);
      if (index !== -1 || rows.length !== walked.length)
        wrong.push(
          `A walk of the ${name}s of ${owner.join(' ')} found ${walked.length} of ${rows.length}, and another at place ${index}.`,
        );
    }
  }
  return violationsOf('I5', wrong);
}

/** Reads all pages of a list. @throws if one cannot be read */
async function walk<Item extends object>(url: string, { key }: CheckKey, list: 'orders' | 'gifts'): Promise<Item[]> {
  const http = createHttpClient(HUNG_AFTER_MS);
  const items: Item[] = [];
  try {
    for (let cursor = ''; ; ) {
      const path = `/v1/${list}?limit=100${cursor}`;
      const outcome = outcomeOfApi(
        await http.send(url, { method: 'GET', path, headers: { Authorization: `Bearer ${key}` } }),
      );
      if (outcome.kind !== 'ok') throw new Error(`${path} cannot be read: ${JSON.stringify(outcome)}.`);
      const { data, has_more } = outcome.answer as { data: Item[]; has_more: boolean };
      items.push(...data);
      if (!has_more) return items;
      const last = data.at(-1) as { order_id?: string; gift_id?: string } | undefined;
      cursor = `&starting_after=${list === 'orders' ? last?.order_id : last?.gift_id}`;
    }
  } finally {
    http.close();
  }
}
