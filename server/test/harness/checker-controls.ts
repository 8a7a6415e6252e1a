import assert from 'node:assert/strict';
import type { Invariant } from '../../../reliability/checker/check-invariants.ts';
import { type AnsweredOrder, isOf, isOk, type OkCall } from '../../../reliability/checker/read-record.ts';
import type { ReceivedPush, RecordedCall, Recorder } from '../../../reliability/record/recorder.ts';
import { decodeId, encodeId } from '../../src/platform/base/ids.ts';
import { eventControls } from './event-controls.ts';

/** A copy of the database and of the clients' records, for a control to break. */
export interface Copy {
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  calls: RecordedCall[];
  messages: Recorder['messages'][number][];
  pushes: ReceivedPush[];
  endpoints: Recorder['endpoints'];
  crashesAtMs: number[];
}

/** A deliberate fault and the invariants that the checker must report. */
export interface Control {
  name: string;
  expected: readonly Invariant[];
  breakIt(copy: Copy): Promise<unknown>;
}

const okCalls = ({ calls }: Copy, ...operations: Parameters<typeof isOf>[1][]): OkCall[] =>
  calls.filter(isOk).filter((call) => isOf(call, ...operations));

/** Breaks one sent live delivery and removes its message from the received ones. */
async function loseMessage({ sql, messages }: Copy, breakDelivery: string): Promise<void> {
  const [row] = await sql<{ reference: string }>(
    `with broken as (select * from deliveries where environment = 'live' and state = 'sent' order by delivery_id limit 1)
     select replace(organization_id || 'l' || gift_id || delivery_id, '-', '') as reference from broken`,
  );
  const index = messages.findIndex(({ reference }) => reference === row?.reference);
  assert.ok(index >= 0);
  messages.splice(index, 1);
  await sql(
    `with broken as (select * from deliveries where environment = 'live' and state = 'sent' order by delivery_id limit 1)
     ${breakDelivery}`,
  );
}

/** Finds the first order of an organization without resets. */
function firstOrder(copy: Copy): { call: OkCall; order: AnsweredOrder } {
  const resetting = new Set(okCalls(copy, 'reset').map(({ organizationId }) => organizationId));
  const call = okCalls(copy, 'placeOrder').find(({ organizationId }) => !resetting.has(organizationId));
  assert.ok(call);
  return { call, order: call.outcome.answer as AnsweredOrder };
}

const firstOrderId = (copy: Copy) => decodeId('ord', firstOrder(copy).order.order_id);

export const controls: readonly Control[] = [
  {
    name: 'a balance that is a cent too high',
    expected: ['I1'],
    breakIt: ({ sql }) =>
      sql(`update balances set balance_cents = balance_cents + 1 where organization_id =
        (select organization_id from balances order by 1 limit 1) and environment = 'live'`),
  },
  {
    name: 'a ledger entry changed after an earlier check',
    expected: ['I1'],
    breakIt: ({ sql }) =>
      sql(`update ledger_entries set note = 'changed' where kind = 'funding' and environment = 'live'`),
  },
  {
    name: 'a missing debit',
    expected: ['I1', 'I2'],
    breakIt: (copy) => copy.sql('delete from ledger_entries where order_id = $1', [firstOrderId(copy)]),
  },
  {
    name: 'a gift worth a cent more than was paid',
    expected: ['I2'],
    breakIt: (copy) =>
      copy.sql('update gifts set amount_cents = amount_cents + 1 where order_id = $1', [firstOrderId(copy)]),
  },
  {
    name: 'two gifts answered with each other’s addresses',
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
    name: 'a gift answered with another sender',
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
    name: 'two orders of one key, after the unique index was dropped',
    expected: ['I3', 'I4'],
    async breakIt({ sql }) {
      await sql('alter table orders drop constraint orders_organization_id_environment_idempotency_key_key');
      await sql(`update orders o set idempotency_key = (select min(idempotency_key) from orders p
        where p.organization_id = o.organization_id and p.environment = o.environment) where environment = 'live'`);
    },
  },
  {
    name: 'a replay answered with another order',
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
    name: 'a replay refused though its order was acknowledged',
    expected: ['I3'],
    async breakIt(copy) {
      const { call } = firstOrder(copy);
      const startedAtMs = call.endedAtMs + 1;
      const outcome = { kind: 'failed', status: 409, code: 'idempotency_key_reused', answer: null } as const;
      copy.calls.push({ ...call, operation: 'replay', startedAtMs, endedAtMs: startedAtMs + 1, outcome });
    },
  },
  {
    name: 'an order answered only with an error',
    expected: ['I4'],
    async breakIt(copy) {
      const { idempotencyKey } = firstOrder(copy).call;
      for (const call of copy.calls)
        if (call.idempotencyKey === idempotencyKey)
          call.outcome = { kind: 'failed', status: 500, code: 'internal_error', answer: null };
    },
  },
  {
    name: 'an order created while its key was answered with an error',
    expected: ['I4'],
    breakIt: (copy) =>
      copy.sql(`update orders set created_at = created_at - interval '1 minute' where order_id = $1`, [
        firstOrderId(copy),
      ]),
  },
  {
    name: 'a message job for a gift that does not exist',
    expected: ['I4'],
    breakIt: ({ sql }) =>
      sql(`update pgboss.job set data = jsonb_set(data, '{giftId}', '"00000000-0000-7000-8000-000000000000"')
        where name = 'send-email'`),
  },
  {
    name: 'a missing acknowledged order',
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
    name: 'a reset that counted one order too many',
    expected: ['I5'],
    async breakIt(copy) {
      const [reset] = okCalls(copy, 'reset');
      assert.ok(reset);
      const counts = reset.outcome.answer as { orders_deleted: number };
      reset.outcome.answer = { ...counts, orders_deleted: counts.orders_deleted + 1 };
    },
  },
  {
    name: 'an order still processing an hour after its time',
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
    name: 'a live message that failed',
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
    name: 'a live gift without a message',
    expected: ['I7'],
    breakIt: (copy) =>
      loseMessage(
        copy,
        `, job as (delete from pgboss.job j using broken b where j.data->>'deliveryId' = b.delivery_id::text)
         delete from deliveries d using broken b where d.delivery_id = b.delivery_id`,
      ),
  },
  {
    name: 'a live message pending for an hour',
    expected: ['I7'],
    breakIt: ({ sql }) =>
      sql(`update deliveries set state = 'pending', created_at = now() - interval '1 hour' where environment = 'live'`),
  },
  {
    name: 'a gift that is no longer claimed',
    expected: ['I8', 'I11'],
    breakIt: ({ sql }) =>
      sql('update gifts set claimed_at = null, card_id = null, spent_cents = 0 where claimed_at is not null'),
  },
  {
    name: 'a gift claimed twice',
    expected: ['I8'],
    async breakIt(copy) {
      const [claim] = okCalls(copy, 'claim');
      assert.ok(claim);
      copy.calls.push(claim);
    },
  },
  {
    name: 'an order shown to another organization',
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
    name: 'a returned link that did not open',
    expected: ['I10'],
    async breakIt(copy) {
      const resetting = new Set(okCalls(copy, 'reset').map(({ organizationId }) => organizationId));
      const page = okCalls(copy, 'openPage').find(({ organizationId }) => !resetting.has(organizationId));
      assert.ok(page);
      (page as RecordedCall).outcome = { kind: 'failed', status: 404, code: 'page_404', answer: '' };
    },
  },
  ...eventControls,
];
