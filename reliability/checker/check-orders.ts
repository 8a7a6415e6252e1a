import { isDeepStrictEqual } from 'node:util';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { RETRIED_CODES } from '../load/client.ts';
import type { SentGift } from '../load/state.ts';
import type { RecordedCall } from '../record/recorder.ts';
import {
  type AnsweredGift,
  acknowledgedOrders,
  isOf,
  lastMomentMs,
  mayBeDeleted,
  ownerOf,
  resetsOf,
} from './read-record.ts';
import { selectFaulty, violationsOf } from './select-faulty.ts';
import type { Check, CheckContext, TableCheck, Violation } from './violation.ts';

/** I2: an order has one debit, the sum of its 1 to 10 gifts, which are in the order sent. */
export const checkDebits: Check = async (context) => [
  ...(await checkStoredDebits(context)),
  ...checkOrderSent(context),
];

export const checkStoredDebits: TableCheck = async ({ sql }) => [
  ...(await selectFaulty(sql, 'I2', WRONG_DEBITS)),
  ...(await selectFaulty(sql, 'I2', WRONG_GIFTS)),
  ...(await selectFaulty(sql, 'I2', STRAY_ENTRIES)),
];

const WRONG_DEBITS = `
  select format('Order %s of %s cents has %s debits, which come to %s.', o.order_id, o.amount_cents, count(e.entry_id),
    coalesce(-sum(e.amount_cents), 0)) as text
  from orders o
  left join ledger_entries e on e.organization_id = o.organization_id and e.environment = o.environment
    and e.order_id = o.order_id and e.kind = 'order'
  group by o.organization_id, o.environment, o.order_id, o.amount_cents
  having count(e.entry_id) <> 1 or -sum(e.amount_cents) <> o.amount_cents`;

/** The pending gifts of a processing order count too. */
const WRONG_GIFTS = `
  select format('Order %s of %s cents has %s gifts of %s cents in all, at %s.', o.order_id, o.amount_cents,
    count(g.position), coalesce(sum(g.amount_cents), 0), array_agg(g.position order by g.position)) as text
  from orders o
  left join lateral (
    select position, amount_cents from gifts g where g.organization_id = o.organization_id
      and g.environment = o.environment and g.order_id = o.order_id
    union all
    select p.position, p.amount_cents
    from jsonb_to_recordset(coalesce(o.pending_gifts, '[]')) as p (position smallint, amount_cents integer)
  ) g on true
  group by o.organization_id, o.environment, o.order_id, o.amount_cents
  having count(g.position) not between 1 and 10 or sum(g.amount_cents) <> o.amount_cents
    or array_agg(g.position::integer order by g.position) <> array(select generate_series(0, count(g.position)::integer - 1))`;

const STRAY_ENTRIES = `
  select format('Entry %s debits order %s, which does not exist.', e.entry_id, e.order_id) as text
  from ledger_entries e
  left join orders o on o.organization_id = e.organization_id and o.environment = e.environment
    and o.order_id = e.order_id
  where e.order_id is not null and o.order_id is null`;

type Gift = SentGift | AnsweredGift;

/** The fields of a gift that a redirect does not change. */
const lasting = ({ amount, category, personalization }: Gift) => ({
  amount,
  category,
  recipient: personalization?.recipient_name,
});

/** The address of a gift before a redirect. */
const destination = ({ delivery: { method, ...address } }: Gift) => ({
  method,
  email: 'email' in address ? address.email : undefined,
  phone: 'phone' in address ? address.phone : undefined,
});

const isAsSent = (answered: AnsweredGift, sent: SentGift, isNew: boolean) => {
  const senderName = sent.personalization?.sender_name ?? answered.personalization.sender_name;
  return (
    isDeepStrictEqual(lasting(answered), lasting(sent)) &&
    answered.personalization.sender_name === senderName &&
    (!isNew || isDeepStrictEqual(destination(answered), destination(sent)))
  );
};

function checkOrderSent({ recorder }: CheckContext): Violation[] {
  const wrong = acknowledgedOrders(recorder.calls).filter(({ call, order }) => {
    const { gifts } = call.request as { gifts: SentGift[] };
    const expected = order.status === 'processing' ? gifts.slice(0, order.gifts.length) : gifts;
    if (order.gifts.length !== expected.length) return true;
    return expected.some((sent, n) => !isAsSent(order.gifts[n] as AnsweredGift, sent, call.outcome.status === 201));
  });
  return violationsOf(
    'I2',
    wrong.map(
      ({ order }) => `Order ${order.order_id} was answered with other gifts than were sent, or in another order.`,
    ),
  );
}

/** I3: a key places at most one order, and every replay returns it, until a reset frees the key. */
export const checkKeys: Check = async (context) => {
  const { recorder } = context;
  const resets = resetsOf(recorder.calls);
  const byKey = Map.groupBy(
    acknowledgedOrders(recorder.calls),
    ({ call }) => `${ownerOf(call)} ${call.idempotencyKey}`,
  );
  const wrong = [...byKey].flatMap(([key, all]) => {
    const ids = new Set(all.map(({ order }) => order.order_id));
    const [first] = all;
    if (first === undefined || ids.size === 1 || all.some(({ call }) => mayBeDeleted(call, resets))) return [];
    return [`${key} was answered with ${ids.size} orders: ${[...ids].join(', ')}.`];
  });
  const twicePlaced = [...Map.groupBy(acknowledgedOrders(recorder.calls), ({ order }) => order.order_id)].flatMap(
    ([id, all]) => {
      const placed = all.filter(({ call }) => call.outcome.status === 201).length;
      const keys = new Set(all.map(({ call }) => `${ownerOf(call)} ${call.idempotencyKey}`)).size;
      return placed > 1 || keys > 1 ? [`Order ${id} was answered as new ${placed} times, to ${keys} keys.`] : [];
    },
  );
  const refused = recorder.calls.flatMap((call) => {
    const { outcome } = call;
    if (!isOf(call, 'placeOrder', 'replay') || outcome.kind !== 'failed' || RETRIED_CODES.has(outcome.code)) return [];
    const known = byKey
      .get(`${ownerOf(call)} ${call.idempotencyKey}`)
      ?.find((each) => each.call.endedAtMs < call.startedAtMs && !mayBeDeleted(each.call, resets));
    return known === undefined ? [] : [`${known.order.order_id} was acknowledged, then its key got ${outcome.code}.`];
  });
  const texts = [...wrong, ...twicePlaced, ...refused];
  return [...(await checkStoredKeys(context)), ...violationsOf('I3', texts)];
};

export const checkStoredKeys: TableCheck = ({ sql }) => selectFaulty(sql, 'I3', KEYS_USED_TWICE);

const KEYS_USED_TWICE = `
  select format('%s orders of %s (%s) have the key %s.', count(*), organization_id, environment, idempotency_key) as text
  from orders group by organization_id, environment, idempotency_key having count(*) > 1`;

interface StoredOrder {
  order_id: string;
  owner: string;
  idempotency_key: string;
  created_ms: number;
}

/** How far the clocks of two processes on this machine may differ. */
const CLOCKS_APART_MS = 100;

/** I4: an attempt with an error object left nothing. An order must come from an attempt without one, within its time. */
export const checkErrors: Check = async (context) => {
  const { sql, recorder, isClockTrue } = context;
  const attempts = Map.groupBy(
    recorder.calls.filter((call) => isOf(call, 'placeOrder', 'replay')),
    (call) => `${decodeId('org', call.organizationId)} ${call.environment} ${call.idempotencyKey}`,
  );
  const { rows } = await sql.query<StoredOrder>(
    `select order_id, organization_id || ' ' || environment as owner, idempotency_key,
       (extract(epoch from created_at) * 1000)::double precision as created_ms
     from orders`,
  );
  const wrong = rows.flatMap(({ order_id, owner, idempotency_key, created_ms }) => {
    const ofKey = attempts.get(`${owner} ${idempotency_key}`);
    // The order of a client without a record.
    if (ofKey === undefined) return [];
    const possible = ofKey.filter(({ outcome }) => outcome.kind !== 'failed');
    const answers = ofKey.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.code : outcome.kind)).join(', ');
    if (possible.length === 0)
      return [`Order ${order_id} exists, and its key was answered only with errors: ${answers}.`];
    const isWithin = possible.some(
      (call) => created_ms >= call.startedAtMs - CLOCKS_APART_MS && created_ms <= lastMomentMs(call) + CLOCKS_APART_MS,
    );
    if (isWithin || !isClockTrue) return [];
    return [`Order ${order_id} was made while its key was answered with an error; the attempts: ${answers}.`];
  });
  return [...violationsOf('I4', wrong), ...(await checkOrphans(context)), ...(await checkRedirects(context))];
};

export const checkOrphans: TableCheck = ({ sql }) => selectFaulty(sql, 'I4', ORPHANS);

/** Gifts without orders, deliveries without gifts, and jobs without deliveries. */
const ORPHANS = `
  select text from (
    select format('Gift %s has no order.', g.gift_id) as text from gifts g
    where not exists (select from orders o where o.organization_id = g.organization_id
      and o.environment = g.environment and o.order_id = g.order_id)
    union all
    select format('Delivery %s has no gift.', d.delivery_id) from deliveries d
    where not exists (select from gifts g where g.organization_id = d.organization_id
      and g.environment = d.environment and g.gift_id = d.gift_id)
    union all
    select format('Job %s is to send delivery %s, which does not exist.', j.id, j.data->>'deliveryId') from pgboss.job j
    where j.name in ('send-email', 'send-phone') and not exists (
      select from deliveries d where d.organization_id = (j.data->>'organizationId')::uuid
        and d.environment = (j.data->>'environment')::environment and d.gift_id = (j.data->>'giftId')::uuid
        and d.delivery_id = (j.data->>'deliveryId')::uuid)
  ) orphans`;

/** A redirect with an error left no delivery; a successful one left one. */
async function checkRedirects({ sql, recorder }: CheckContext): Promise<Violation[]> {
  const byGift = Map.groupBy(
    recorder.calls.filter((call) => isOf(call, 'redirect')),
    ({ subjectId = '' }) => decodeId('gift', subjectId) ?? '',
  );
  const { rows } = await sql.query<{ gift_id: string; redirect_count: number }>(
    'select gift_id, redirect_count from gifts where gift_id = any($1)',
    [[...byGift.keys()]],
  );
  const count = (calls: readonly RecordedCall[], kind: RecordedCall['outcome']['kind']) =>
    calls.filter(({ outcome }) => outcome.kind === kind).length;
  return violationsOf(
    'I4',
    rows.flatMap(({ gift_id, redirect_count }) => {
      const calls = byGift.get(gift_id) ?? [];
      const least = count(calls, 'ok');
      const most = least + count(calls, 'unknown');
      if (redirect_count >= least && redirect_count <= most) return [];
      return [`Gift ${gift_id} was redirected ${redirect_count} times; its clients know of ${least} to ${most}.`];
    }),
  );
}

/** I6: a processing order becomes processed in time. */
export const checkProcessing: TableCheck = ({ sql, nowMs }) =>
  selectFaulty(
    sql,
    'I6',
    `select format('Order %s should have been processed at %s.', order_id, completes_at) as text from orders
     where completes_at < to_timestamp($1::double precision / 1000)`,
    [nowMs - OVERDUE_AFTER_MS],
  );

const OVERDUE_AFTER_MS = 30_000;
