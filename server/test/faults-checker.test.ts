import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkInvariants, type Invariant, type Violation } from '../../reliability/checker/check-invariants.ts';
import { type AnsweredOrder, isOf, isOk, type OkCall } from '../../reliability/checker/read-record.ts';
import { watchSettled } from '../../reliability/faults/freeze-worker.ts';
import { randomFrom } from '../../reliability/faults/random.ts';
import { openRig, type Rig } from '../../reliability/faults/rig.ts';
import type { ActName } from '../../reliability/load/acts.ts';
import { createRecorder, type RecordedCall, type Recorder } from '../../reliability/record/recorder.ts';
import { decodeId, encodeId } from '../src/base/ids.ts';

// Issue 6, «Faults»: the checker's positive controls. What is broken on purpose is found, and nothing else.

const SEED = 6;
/** One act after another, so that each finds something to do. */
const SCENARIO: readonly { only: readonly ActName[]; acts: number }[] = [
  { only: ['placeOrder'], acts: 60 },
  { only: ['replay', 'retrieveOrder', 'retrieveGift', 'list', 'press'], acts: 120 },
  { only: ['fail', 'redirect', 'claim', 'spend'], acts: 120 },
  { only: ['reset'], acts: 20 },
  { only: ['placeOrder', 'retrieveGift'], acts: 40 },
];

/** A copy of the database, and of what clients saw, to break something in. */
interface Copy {
  sql(text: string, values?: unknown[]): Promise<unknown>;
  calls: RecordedCall[];
  messages: Recorder['messages'][number][];
}

interface Control {
  name: string;
  expected: readonly Invariant[];
  breakIt(copy: Copy): Promise<unknown>;
}

const okCalls = ({ calls }: Copy, ...operations: Parameters<typeof isOf>[1][]): OkCall[] =>
  calls.filter(isOk).filter((call) => isOf(call, ...operations));

/** The first order of an organization that never resets. */
function firstOrder(copy: Copy): { call: OkCall; order: AnsweredOrder } {
  const resetting = new Set(okCalls(copy, 'reset').map(({ organizationId }) => organizationId));
  const call = okCalls(copy, 'placeOrder').find(({ organizationId }) => !resetting.has(organizationId));
  assert.ok(call);
  return { call, order: call.outcome.answer as AnsweredOrder };
}

const firstOrderId = (copy: Copy) => decodeId('ord', firstOrder(copy).order.order_id);

const controls: readonly Control[] = [
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

describe('the checker', () => {
  let rig: Rig;
  let found: Violation[] | undefined;
  before(async () => {
    const random = randomFrom(SEED);
    rig = await openRig({ random, messageTakesMs: 0 });
    const server = await rig.startServer();
    const urls = [server.url];
    let world: ReturnType<Rig['startLoad']>['world'] | undefined;
    for (const { only, acts } of SCENARIO) {
      if (only.includes('reset')) world = world?.filter(({ organization }) => organization.resets);
      const load = rig.startLoad({ urls, only, steers: false, perSecond: 1_000, ...(world && { world }) });
      while (load.acts() < acts) await new Promise((resolve) => setTimeout(resolve, 10));
      await load.stop();
      world = load.world;
    }
    assert.ok(await rig.settle());
    found = await rig.check(server.url);
    // A database is copied when nobody uses it.
    server.signal('SIGTERM');
    await server.ended;
  });
  after(() => rig.close());

  test('finds nothing where nothing was broken', () => {
    assert.deepEqual(found, []);
  });

  test('beside it, the look for what a late worker changes finds it, and nothing where it changes nothing', async () => {
    await rig.copyDatabase('late_worker');
    const copy = { sql: <Row>(text: string, values?: unknown[]) => rig.sqlOn<Row>('late_worker', text, values) };
    const lateChanges = await watchSettled(copy);
    assert.deepEqual(await lateChanges(), []);
    const [late] = await copy.sql<{ delivery_id: string }>(
      `update deliveries set sent_at = sent_at + interval '90 seconds' where delivery_id =
         (select delivery_id from deliveries where environment = 'live' and state = 'sent' limit 1) returning delivery_id`,
    );
    assert.ok(late);
    const changes = await lateChanges();
    assert.equal(changes.length, 1);
    assert.match(changes[0] ?? '', new RegExp(`^delivery ${late.delivery_id} was `));
  });

  for (const [index, { name, expected, breakIt }] of controls.entries())
    test(`finds ${name}, as ${expected.join(' and ')}`, async () => {
      const database = `control_${index}`;
      const { recorder } = rig;
      let target = rig.target;
      const copy: Copy = {
        async sql(text, values) {
          // A lie in the record needs no copy of the database.
          if (target === rig.target) await rig.copyDatabase(database);
          target = { ...rig.target, database };
          return await rig.sqlOn(database, text, values);
        },
        calls: structuredClone([...recorder.calls]),
        messages: [...recorder.messages],
      };
      await breakIt(copy);
      const broken = createRecorder();
      for (const call of copy.calls) broken.add(call);
      for (const message of copy.messages) broken.message(message);
      broken.expectMessages('email');
      for (const [id, text] of recorder.seenEntries) broken.seenEntries.set(id, text);
      const violations = await checkInvariants({ target, recorder: broken });
      assert.deepEqual(
        [...new Set(violations.map(({ invariant }) => invariant))],
        expected,
        JSON.stringify(violations),
      );
    });
});
