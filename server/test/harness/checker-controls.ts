import assert from 'node:assert/strict';
import type { Invariant } from '../../../reliability/checker/check-invariants.ts';
import { type AnsweredOrder, isOf, isOk, type OkCall } from '../../../reliability/checker/read-record.ts';
import type { RecordedCall, Recorder } from '../../../reliability/record/recorder.ts';
import { decodeId, encodeId } from '../../src/base/ids.ts';

/** A copy of the database, and of what clients saw, to break something in. */
export interface Copy {
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  calls: RecordedCall[];
  messages: Recorder['messages'][number][];
  crashesAtMs: number[];
}

/** Something that is broken on purpose, and what the checker says of it. */
interface Control {
  name: string;
  expected: readonly Invariant[];
  breakIt(copy: Copy): Promise<unknown>;
}

const okCalls = ({ calls }: Copy, ...operations: Parameters<typeof isOf>[1][]): OkCall[] =>
  calls.filter(isOk).filter((call) => isOf(call, ...operations));

/** Breaks one of the live deliveries that were sent, and takes its message out of those that arrived. */
async function loseMessage({ sql, messages }: Copy, breakDelivery: string): Promise<void> {
  const [row] = await sql<{ reference: string }>(
    `with broken as (select * from deliveries where environment = 'live' and state = 'sent' order by delivery_id limit 1)
     select replace(organization_id || 'l' || gift_id || delivery_id, '-', '') as reference from broken`,
  );
  const place = messages.findIndex(({ reference }) => reference === row?.reference);
  assert.ok(place >= 0);
  messages.splice(place, 1);
  await sql(
    `with broken as (select * from deliveries where environment = 'live' and state = 'sent' order by delivery_id limit 1)
     ${breakDelivery}`,
  );
}

/** The first order of an organization that never resets. */
function firstOrder(copy: Copy): { call: OkCall; order: AnsweredOrder } {
  const resetting = new Set(okCalls(copy, 'reset').map(({ organizationId }) => organizationId));
  const call = okCalls(copy, 'placeOrder').find(({ organizationId }) => !resetting.has(organizationId));
  assert.ok(call);
  return { call, order: call.outcome.answer as AnsweredOrder };
}

const firstOrderId = (copy: Copy) => decodeId('ord', firstOrder(copy).order.order_id);

export const controls: readonly Control[] = [
  {
    name: 'a balance of a cent more',
    expected: ['I1'],
    breakIt: ({ sql }) =>
      sql(`update balances set balance_cents = balance_cents + 1 where organization_id =
        (select organization_id from balances order by 1 limit 1) and environment = 'live'`),
  },
  {
    name: 'a ledger entry that was changed after an earlier check',
    expected: ['I1'],
    breakIt: ({ sql }) =>
      sql(`update ledger_entries set note = 'changed' where kind = 'funding' and environment = 'live'`),
  },
  {
    name: 'a debit that is gone',
    expected: ['I1', 'I2'],
    breakIt: (copy) => copy.sql('delete from ledger_entries where order_id = $1', [firstOrderId(copy)]),
  },
  {
    name: 'a gift of a cent more than was paid',
    expected: ['I2'],
    breakIt: (copy) =>
      copy.sql('update gifts set amount_cents = amount_cents + 1 where order_id = $1', [firstOrderId(copy)]),
  },
  {
    name: 'two gifts of a new order that were answered with each other’s addresses',
    expected: ['I2'],
    async breakIt(copy) {
      const emailed = okCalls(copy, 'placeOrder')
        .filter(({ outcome }) => outcome.status === 201)
        .map(({ outcome }) => (outcome.answer as AnsweredOrder).gifts.filter(({ delivery }) => delivery.email))
        .find((gifts) => gifts.length > 1);
      const [one, other] = emailed ?? [];
      assert.ok(one && other);
      [one.delivery.email, other.delivery.email] = [other.delivery.email ?? '', one.delivery.email ?? ''];
    },
  },
  {
    name: 'a gift that was answered with another sender than was sent',
    expected: ['I2'],
    async breakIt(copy) {
      const named = okCalls(copy, 'placeOrder')
        .flatMap(({ outcome }) => (outcome.answer as AnsweredOrder).gifts)
        .find(({ personalization }) => personalization.recipient_name !== undefined);
      assert.ok(named);
      named.personalization.sender_name = 'Somebody else';
    },
  },
  {
    name: 'two orders of one key, behind a unique index that was dropped',
    expected: ['I3', 'I4'],
    async breakIt({ sql }) {
      await sql('alter table orders drop constraint orders_organization_id_environment_idempotency_key_key');
      await sql(`update orders o set idempotency_key = (select min(idempotency_key) from orders p
        where p.organization_id = o.organization_id and p.environment = o.environment) where environment = 'live'`);
    },
  },
  {
    name: 'a replay that was answered with another order',
    expected: ['I3'],
    async breakIt(copy) {
      const { call, order } = firstOrder(copy);
      const other = okCalls(copy, 'placeOrder').find(
        (each) => each !== call && each.organizationId === call.organizationId && each.environment === call.environment,
      );
      assert.ok(other);
      const { order_id } = other.outcome.answer as AnsweredOrder;
      copy.calls.push({
        ...call,
        operation: 'replay',
        outcome: { ...call.outcome, status: 200, answer: { ...order, order_id } },
      });
    },
  },
  {
    name: 'a replay that was refused though its order was acknowledged before',
    expected: ['I3'],
    async breakIt(copy) {
      const { call } = firstOrder(copy);
      const startedAtMs = call.endedAtMs + 1;
      const outcome = { kind: 'failed', status: 409, code: 'idempotency_key_reused', answer: null } as const;
      copy.calls.push({ ...call, operation: 'replay', startedAtMs, endedAtMs: startedAtMs + 1, outcome });
    },
  },
  {
    name: 'an order that was answered with an error only',
    expected: ['I4'],
    async breakIt(copy) {
      const { idempotencyKey } = firstOrder(copy).call;
      for (const call of copy.calls)
        if (call.idempotencyKey === idempotencyKey)
          call.outcome = { kind: 'failed', status: 500, code: 'internal_error', answer: null };
    },
  },
  {
    name: 'an order that was made while its key was answered with an error',
    expected: ['I4'],
    breakIt: (copy) =>
      copy.sql(`update orders set created_at = created_at - interval '1 minute' where order_id = $1`, [
        firstOrderId(copy),
      ]),
  },
  {
    name: 'a message to be sent for a gift that there is not',
    expected: ['I4'],
    breakIt: ({ sql }) =>
      sql(`update pgboss.job set data = jsonb_set(data, '{giftId}', '"00000000-0000-7000-8000-000000000000"')
        where name = 'send-email'`),
  },
  {
    name: 'an acknowledged order that is gone',
    expected: ['I5'],
    async breakIt(copy) {
      const { order_id } = firstOrder(copy).order;
      const lost = encodeId('ord', '00000000-0000-7000-8000-000000000000');
      for (const { outcome } of okCalls(copy, 'placeOrder', 'replay'))
        if ((outcome.answer as AnsweredOrder).order_id === order_id)
          outcome.answer = { ...(outcome.answer as AnsweredOrder), order_id: lost };
    },
  },
  {
    name: 'a reset that counted an order too many',
    expected: ['I5'],
    async breakIt(copy) {
      const [reset] = okCalls(copy, 'reset');
      assert.ok(reset);
      const counts = reset.outcome.answer as { orders_deleted: number };
      reset.outcome.answer = { ...counts, orders_deleted: counts.orders_deleted + 1 };
    },
  },
  {
    name: 'an order that is still processing an hour after its time',
    expected: ['I6'],
    breakIt: (copy) =>
      copy.sql(`update orders set completes_at = now() - interval '1 hour', pending_gifts = '[]' where order_id = $1`, [
        firstOrderId(copy),
      ]),
  },
  {
    name: 'a message that never arrived',
    expected: ['I7'],
    breakIt: async ({ messages }) => assert.ok(messages.pop()),
  },
  {
    name: 'a message that arrived twice without a crash',
    expected: ['I7'],
    async breakIt({ messages }) {
      const [message] = messages;
      assert.ok(message);
      messages.push(message);
    },
  },
  {
    name: 'a message that arrived twice long after the only crash',
    expected: ['I7'],
    async breakIt({ messages, crashesAtMs }) {
      const [message] = messages;
      assert.ok(message);
      crashesAtMs.push(message.atMs - 60_000);
      messages.push({ ...message, atMs: message.atMs + 1_000 });
    },
  },
  {
    name: 'a live message that was given up',
    expected: ['I7'],
    breakIt: (copy) =>
      loseMessage(
        copy,
        `update deliveries d set state = 'failed', sent_at = null from broken b where d.delivery_id = b.delivery_id`,
      ),
  },
  {
    name: 'a live message that stayed in the outbox',
    expected: ['I7'],
    breakIt: (copy) =>
      loseMessage(
        copy,
        `update deliveries d set provider = 'outbox' from broken b where d.delivery_id = b.delivery_id`,
      ),
  },
  {
    name: 'a live gift that was never to get a message',
    expected: ['I7'],
    breakIt: (copy) =>
      loseMessage(
        copy,
        `, job as (delete from pgboss.job j using broken b where j.data->>'deliveryId' = b.delivery_id::text)
         delete from deliveries d using broken b where d.delivery_id = b.delivery_id`,
      ),
  },
  {
    name: 'a live message that waits for an hour',
    expected: ['I7'],
    breakIt: ({ sql }) =>
      sql(`update deliveries set state = 'pending', created_at = now() - interval '1 hour' where environment = 'live'`),
  },
  {
    name: 'a gift that was claimed and is not any more',
    expected: ['I8'],
    breakIt: ({ sql }) =>
      sql('update gifts set claimed_at = null, card_id = null, spent_cents = 0 where claimed_at is not null'),
  },
  {
    name: 'a gift that was claimed twice',
    expected: ['I8'],
    async breakIt(copy) {
      const [claim] = okCalls(copy, 'claim');
      assert.ok(claim);
      copy.calls.push(claim);
    },
  },
  {
    name: 'an order that another organization was shown',
    expected: ['I9'],
    async breakIt(copy) {
      const { call, order } = firstOrder(copy);
      const foreign = okCalls(copy, 'retrieveGift').find(
        ({ organizationId }) => organizationId !== call.organizationId,
      );
      assert.ok(foreign);
      foreign.outcome.answer = { ...(foreign.outcome.answer as object), note: order.order_id };
    },
  },
  {
    name: 'a link that did not open when it was returned',
    expected: ['I10'],
    async breakIt(copy) {
      const resetting = new Set(okCalls(copy, 'reset').map(({ organizationId }) => organizationId));
      const page = okCalls(copy, 'openPage').find(({ organizationId }) => !resetting.has(organizationId));
      assert.ok(page);
      (page as RecordedCall).outcome = { kind: 'failed', status: 404, code: 'page_404', answer: '' };
    },
  },
];
