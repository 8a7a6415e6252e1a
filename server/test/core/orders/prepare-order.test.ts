import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { prepareOrder } from '../../../src/core/orders/prepare-order.ts';
import type { OrderInputBody } from '../../../src/core/orders/schema.ts';
import { steerOrder } from '../../../src/core/sandbox/steer-order.ts';
import type { KeyCaller } from '../../../src/platform/authentication/caller.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { timeOfId } from '../../../src/platform/base/id-time.ts';
import { createIdGenerator } from '../../../src/platform/base/ids.ts';
import { readConfig } from '../../../src/platform/configuration/config.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const DOMAIN = 'sandbox.example';
const TTL_DAYS = 30;
const config = readConfig({ PORT: '0', SANDBOX_MAIL_DOMAIN: DOMAIN, LINK_TTL_DAYS: String(TTL_DAYS) });

const sandbox: KeyCaller = {
  organizationId: '01a1fdfa-467b-7000-8000-000000000001',
  environment: 'sandbox',
  keyHash: Buffer.from('c0ffee', 'hex'),
};
const live: KeyCaller = { ...sandbox, environment: 'live' };

type GiftInput = OrderInputBody['gifts'][number];
const mail = (email: string, more: Partial<GiftInput> = {}): GiftInput => ({
  amount: 2500,
  category: 'coffee',
  delivery: { method: 'email', email },
  ...more,
});
const steered = (name: string) => mail(`${name}@${DOMAIN}`);
const link: GiftInput = { amount: 1000, category: 'books', delivery: { method: 'link' } };

/** Ids count up. */
function createIds() {
  let made = 0;
  const next = () => {
    made += 1;
    return `id ${made}`;
  };
  return { next };
}

function prepare(buyer: KeyCaller, gifts: GiftInput[], traceparent?: string) {
  const deps = { config, ids: createIds() } as unknown as Parameters<typeof steerOrder>[0];
  const beginning = steerOrder(deps, buyer, 'key 1', gifts);
  const request = { buyer, idempotencyKey: 'key 1', fingerprint: 'abcd', body: { gifts }, beginning, traceparent };
  return { ...prepareOrder(deps, request, NOW), effects: beginning?.effects };
}

const untouched = {
  opened_at: null,
  claimed_at: null,
  card_id: null,
  spent_cents: 0,
  recipient_name: null,
  sender_name: null,
  message: null,
  delivery_state: 'pending',
  link_version: 1,
  link_expires_at: new Date(NOW.getTime() + TTL_DAYS * 86_400_000),
};

test('an order’s record has all columns of its rows', () => {
  const gifts: GiftInput[] = [
    mail('ada@example.com', { personalization: { recipient_name: 'Ada', sender_name: 'Charles' } }),
    { amount: 1500, category: 'travel', delivery: { method: 'phone', phone: '+44 (0)20 7946 0018' } },
    link,
  ];
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { record, invalidGift, effects } = prepare(live, gifts, traceparent);
  const lock = createHash('sha256').update(`${live.organizationId} live key 1`).digest().readBigInt64BE();
  assert.deepEqual([invalidGift, effects], [undefined, undefined]);
  assert.deepEqual(record, {
    organization_id: live.organizationId,
    environment: 'live',
    key_hash: '\\xc0ffee',
    client_address: '',
    placed_by: null,
    key_lock: lock.toString(),
    idempotency_key: 'key 1',
    fingerprint: '\\xabcd',
    order_id: 'id 1',
    entry_id: 'id 7',
    amount_cents: 5000,
    categories: ['coffee', 'travel', 'books'],
    may_be_placed: true,
    created_at: NOW,
    completes_at: null,
    pending_gifts: null,
    gifts: [
      {
        ...untouched,
        gift_id: 'id 2',
        position: 0,
        delivery_id: 'id 3',
        amount_cents: 2500,
        category_id: 'coffee',
        method: 'email',
        address: 'ada@example.com',
        recipient_name: 'Ada',
        sender_name: 'Charles',
      },
      {
        ...untouched,
        gift_id: 'id 4',
        position: 1,
        delivery_id: 'id 5',
        amount_cents: 1500,
        category_id: 'travel',
        method: 'phone',
        address: '+442079460018',
      },
      {
        ...untouched,
        gift_id: 'id 6',
        position: 2,
        delivery_id: null,
        amount_cents: 1000,
        category_id: 'books',
        method: 'link',
        address: null,
        delivery_state: null,
      },
    ],
    recipients: null,
    addresses: null,
    traceparent,
  });
});

test('the lock of a key differs between environments and organizations', () => {
  const locks = [sandbox, live, { ...live, organizationId: '01a1fdfa-467b-7000-8000-000000000003' }].map(
    (caller) => prepare(caller, [link]).record.key_lock,
  );
  assert.equal(new Set(locks).size, 3);
});

test('a steered gift begins in the state of its address', () => {
  const { record, effects } = prepare(sandbox, [steered('spent'), steered('failed'), steered('claimed')]);
  assert.deepEqual(effects, ['spent', undefined, 'claimed']);
  assert.equal(record.may_be_placed, true);
  const [spent, other, claimed] = record.gifts;
  assert.deepEqual([spent?.claimed_at, spent?.card_id, spent?.spent_cents], [NOW, 'id 2', 2500]);
  assert.deepEqual([other?.claimed_at, other?.card_id, other?.spent_cents], [null, null, 0]);
  assert.deepEqual([claimed?.opened_at, claimed?.spent_cents, 'isSpent' in (claimed ?? {})], [NOW, 0, false]);
});

test('gifts from the first processing address on wait twenty seconds', () => {
  const { record } = prepare(sandbox, [link, steered('processing'), link, steered('processing')]);
  assert.deepEqual(record.completes_at, new Date(NOW.getTime() + 20_000));
  const positions = (gifts: { position: number }[] | null) => gifts?.map(({ position }) => position);
  assert.deepEqual(positions(record.gifts), [0]);
  assert.deepEqual(positions(record.pending_gifts), [1, 2, 3]);
  assert.ok(record.entry_id > (record.pending_gifts?.at(-1)?.gift_id ?? ''));
  const first = prepare(sandbox, [steered('processing'), link]).record;
  assert.deepEqual([positions(first.gifts), positions(first.pending_gifts)], [[], [0, 1]]);
});

test('the first failing address decides the refusal', async () => {
  const refusalOf = (names: string[], isFirstTry = true) => {
    const gifts = names.map(steered);
    assert.equal(prepare(sandbox, gifts).record.may_be_placed, !names.some((name) => failing.includes(name)));
    const pool = { query: async () => ({ rows: isFirstTry ? [{}] : [] }) };
    const clock = { now: () => NOW.getTime() };
    const deps = { clock, config, ids: createIds(), database: { pool } } as unknown as Parameters<typeof steerOrder>[0];
    return steerOrder(deps, sandbox, 'key 1', gifts)?.refusal?.();
  };
  const failing = ['internal-error', 'insufficient-balance', 'rate-limited'];
  assert.equal(await refusalOf(['opened', 'internal-error', 'insufficient-balance']), 'internal_error');
  assert.equal(await refusalOf(['insufficient-balance', 'internal-error']), 'insufficient_balance');
  assert.equal(await refusalOf(['rate-limited', 'internal-error']), 'rate_limit_exceeded');
  assert.equal(await refusalOf(['rate-limited', 'internal-error'], false), 'internal_error');
  assert.equal(await refusalOf(['rate-limited', 'opened'], false), undefined);
  assert.equal(await refusalOf(['response-lost', 'slow', 'processing']), undefined);
});

test('names the first live gift to the sandbox mail domain', () => {
  const { record, invalidGift } = prepare(live, [link, mail('a@example.com'), steered('spent'), steered('anyone')]);
  assert.equal(invalidGift?.param, 'gifts[2].delivery.email');
  assert.equal(record.may_be_placed, false);
  assert.equal(prepare(live, [steered('anyone')]).invalidGift?.position, 0);
});

test('ids have the time of the order, by which lists filter, while the clock goes on', () => {
  let nowMs = NOW.getTime();
  const clock = { ...systemClock, now: () => (nowMs += 1) };
  const deps = { config, ids: createIdGenerator(clock) };
  const request = {
    buyer: live,
    idempotencyKey: 'key 1',
    fingerprint: 'abcd',
    body: { gifts: [mail('a@b.test'), link] },
  };
  const { record } = prepareOrder(deps, { ...request, beginning: undefined, traceparent: undefined }, NOW);
  const ids = [
    record.order_id,
    record.entry_id,
    ...record.gifts.flatMap(({ gift_id, delivery_id }) => [gift_id, delivery_id]),
  ];
  for (const id of ids.filter((one) => one !== null)) assert.deepEqual(timeOfId(id), NOW);
});
