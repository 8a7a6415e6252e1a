import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announceExpiry } from '../../../src/core/gifts/cancel/announce-expiry.ts';
import { expireGifts } from '../../../src/core/gifts/cancel/expire-gifts.ts';
import { giftStates } from '../../../src/core/gifts/gift/state.ts';
import { holdGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { holdGifts, releaseGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { type ApiClient, assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';
import type { TestOrganization } from '../../harness/test-service.ts';

// What `expand` adds to gifts and orders.

const DAY_MS = 86_400_000;
const { mail, service, send } = openMailService();

const now = () => new Date(service.clock.now()).toISOString();
const later = async (seconds = 60) => {
  await service.clock.setTime(service.clock.now() + seconds * 1000);
  return now();
};

async function ordered(api: ApiClient, one: object = emailGift('someone')): Promise<string> {
  const { body } = await api.order([one]);
  return body.gifts[0].gift_id;
}

const historyOf = async (api: ApiClient, giftId: string) =>
  (await api.get(`/v1/gifts/${giftId}?expand=history`)).body.history;

/** The parts of a new gift's history; all others are null. */
const untouched = (ordered_at: string) => ({
  state: 'sent',
  ordered_at,
  scheduled_for: null,
  sent_at: ordered_at,
  delivered_at: null,
  failed_at: null,
  failure: null,
  opened_at: null,
  claimed_at: null,
  spent: { amount: 0, last_at: null },
  declined_at: null,
  canceled_at: null,
  cancel_reason: null,
  refunded: 0,
  expires_at: null,
  held_since: null,
  erased_at: null,
});

const heldGift = ({ organizationUuid }: TestOrganization, giftId: string) => ({
  scope: { organizationId: organizationUuid, environment: 'sandbox' as const },
  giftId: decodeId('gift', giftId) ?? '',
  actor: OPERATOR,
});

test('the history of a gift has its state and the time of each step', async () => {
  const { sandbox } = await service.organization();
  const giftId = await ordered(sandbox);
  let expected: object = untouched(now());
  assert.deepEqual(await historyOf(sandbox, giftId), expected);
  const steps: [act: string, added: (at: string) => object][] = [
    ['deliver', (at) => ({ state: 'delivered', delivered_at: at })],
    ['open', (at) => ({ state: 'opened', opened_at: at })],
    ['claim', (at) => ({ state: 'claimed', claimed_at: at })],
    ['spend', (at) => ({ state: 'spent', spent: { amount: 2500, last_at: at } })],
  ];
  for (const [act, added] of steps) {
    expected = { ...expected, ...added(await later()) };
    const { body } = await sandbox.post(`/v1/sandbox/gifts/${giftId}/${act}?expand=history`);
    assert.deepEqual(body.history, expected, act);
    assert.deepEqual(await historyOf(sandbox, giftId), expected, act);
  }
});

test('each state has its word, in the gift and as a filter of both lists', async () => {
  const organization = await service.organization();
  const { organizationId, sandbox, live } = organization;
  await setProgram(service.service.deps, {
    organizationId,
    program: 'award',
    unclaimedAfterDays: 30,
    reminderDays: [],
    actor: OPERATOR,
  });
  const made: Record<string, string> = {};
  made['expired'] = await ordered(sandbox, linkGift());
  await service.clock.setTime(service.clock.now() + 24 * DAY_MS);
  await announceExpiry(service.service.deps);
  await service.clock.setTime(service.clock.now() + 8 * DAY_MS);
  await expireGifts(service.service.deps);
  // Someone who gives the word as a reason does not make it true.
  const reason = { reason: 'expired' };
  made['canceled'] = await ordered(sandbox);
  await sandbox.post(`/v1/gifts/${made['canceled']}/cancel`, reason);
  made['waiting'] = await ordered(sandbox, gift({ send_at: new Date(service.clock.now() + DAY_MS).toISOString() }));
  made['sent'] = await ordered(sandbox, linkGift());
  for (const state of ['delivered', 'opened', 'claimed', 'spent'] as const)
    made[state] = await ordered(sandbox, emailGift(state));
  made['failed'] = await ordered(sandbox, emailGift('bounced'));
  made['partly_spent'] = await ordered(sandbox, emailGift('claimed'));
  await service.sql('update gifts set spent_cents = 100 where organization_id = $1 and gift_id = $2', [
    organization.organizationUuid,
    decodeId('gift', made['partly_spent'] ?? ''),
  ]);
  made['declined'] = await ordered(sandbox, linkGift(1234));
  const { link } = (await sandbox.get(`/v1/gifts/${made['declined']}`)).body.delivery;
  await createRecipient(service).press(link, 'decline');
  made['on_hold'] = await ordered(sandbox);
  await holdGift(service.service.deps, heldGift(organization, made['on_hold'] ?? ''));

  const states = Object.keys(giftStates).filter((state) => state !== 'sending');
  assert.deepEqual(Object.keys(made).sort(), [...states].sort());
  for (const state of states) {
    assert.equal((await historyOf(sandbox, made[state] ?? ''))?.state, state);
    const { body: gifts } = await sandbox.get(`/v1/gifts?state=${state}&expand=history`);
    assert.deepEqual(
      gifts.data.map(({ gift_id }: { gift_id: string }) => gift_id),
      [made[state]],
      state,
    );
    assert.equal(gifts.has_more, false);
    const { body: orders } = await sandbox.get(`/v1/orders?state=${state}&expand=history`);
    assert.deepEqual(
      orders.data
        .map((order: { history: object }) => order.history)
        .map((one: { gifts_by_state: object }) => one.gifts_by_state),
      [{ [state]: 1 }],
      state,
    );
  }
  await holdGifts(service.service.deps, { organizationId, actor: OPERATOR });
  const { body: held } = await sandbox.get('/v1/gifts?state=on_hold&limit=100');
  assert.equal(held.data.length, 7, 'all that nobody has claimed');
  await releaseGifts(service.service.deps, { organizationId, actor: OPERATOR });

  // In live, a message waits for its provider.
  mail.answer(() => 'accept');
  const giftId = await ordered(live, gift());
  assert.deepEqual((await live.get('/v1/gifts?state=sending')).body.data.length, 1);
  const { sent_at, state } = await historyOf(live, giftId);
  assert.deepEqual([state, sent_at], ['sending', null]);
  await send();
  assert.equal((await historyOf(live, giftId)).state, 'sent');
  assert.deepEqual((await live.get('/v1/gifts?state=sent')).body.data.length, 1);
});

test('lists are filtered by each time, and sorted as before', async () => {
  const { sandbox } = await service.organization();
  const [first, second, never] = [await ordered(sandbox), await ordered(sandbox), await ordered(sandbox)];
  const times: Record<string, string> = {};
  for (const [act, giftId] of [
    ['deliver', second],
    ['deliver', first],
    ['open', second],
    ['open', first],
    ['claim', second],
    ['claim', first],
  ] as const) {
    times[`${act} ${giftId}`] = await later();
    await sandbox.post(`/v1/sandbox/gifts/${giftId}/${act}`);
  }
  const found = async (query: string) => {
    const { body } = await sandbox.get(`/v1/gifts?${query}`);
    const orders = (await sandbox.get(`/v1/orders?${query}`)).body;
    const ids = body.data.map(({ gift_id }: { gift_id: string }) => gift_id);
    const ofOrders = orders.data.flatMap((order: { gifts: { gift_id: string }[] }) =>
      order.gifts.map((g) => g.gift_id),
    );
    assert.deepEqual(ofOrders, ids, query);
    return ids;
  };
  for (const [act, what] of [
    ['deliver', 'delivered'],
    ['open', 'opened'],
    ['claim', 'claimed'],
  ] as const) {
    const [early, late] = [times[`${act} ${second}`], times[`${act} ${first}`]];
    assert.deepEqual(await found(`${what}_after=2026-01-01T00:00:00Z`), [second, first]);
    assert.deepEqual(await found(`${what}_after=${early}`), [first]);
    assert.deepEqual(await found(`${what}_before=${late}`), [second]);
    assert.deepEqual(await found(`${what}_after=${early}&${what}_before=${late}`), []);
    assert.deepEqual(await found(`${what}_after=${early}&state=claimed`), [first]);
    assert.deepEqual(await found(`${what}_after=${early}&state=failed`), []);
  }
  assert.deepEqual(await found('ordered_after=2026-01-01T00:00:00Z'), [never, second, first]);
  assert.deepEqual(await found('ordered_after=2026-01-01T00:00:00Z&created_before=2026-01-02T00:00:00Z'), []);
  const { body } = await sandbox.get('/v1/gifts?opened_after=2026-01-01T00:00:00Z&limit=1');
  assert.deepEqual([body.data[0].gift_id, body.has_more], [second, true]);
  const { body: next } = await sandbox.get(
    `/v1/gifts?opened_after=2026-01-01T00:00:00Z&limit=1&starting_after=${second}`,
  );
  assert.deepEqual([next.data[0].gift_id, next.has_more], [first, false]);
  for (const query of ['opened_after=yesterday', 'state=lost', 'claimed_before='])
    assertError(await sandbox.get(`/v1/gifts?${query}`), 'parameter_invalid', query.split('=')[0]);
  assert.deepEqual(await found(`opened_after=2026-01-01t00:00:00z`), [second, first]);
  const { body: lost } = await sandbox.get('/v1/gifts?opened_after=2026-01-01T00:00:00+01:00');
  assert.match(lost.error.message, /Write its \+ as %2B\.$/);
});

test('an order says who placed it, when, what it cost and what became of its gifts', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const at = now();
  const body = { gifts: [emailGift('opened'), emailGift('bounced'), linkGift()], external_id: 'A-1' };
  const headers = { 'Idempotency-Key': 'one' };
  const placed = await sandbox.post('/v1/orders?expand=order,history,card', body, headers);
  const { ordered_by: orderedBy, ...history } = placed.body.history;
  assert.deepEqual(history, {
    created_at: at,
    amount: 7500,
    currency: 'USD',
    gifts_by_state: { opened: 1, failed: 1, sent: 1 },
  });
  assert.deepEqual([orderedBy.kind, orderedBy.id.slice(0, 4), typeof orderedBy.name], ['key', 'key_', 'string']);
  const [first] = placed.body.gifts;
  assert.deepEqual(first.order, { order_id: placed.body.order_id, external_id: 'A-1' });
  assert.equal(first.card, null);
  const replay = await sandbox.post('/v1/orders?expand=order,history,card', body, headers);
  assert.deepEqual([replay.status, replay.body], [200, placed.body]);
  // A client that kept the order resumes it without the parts.
  const resumed = await sandbox.post('/v1/orders', body, headers);
  const { order_id, history: none } = resumed.body;
  assert.deepEqual([resumed.status, order_id, none], [200, placed.body.order_id, undefined]);
  const { order_id: orderId } = placed.body;
  assert.deepEqual((await sandbox.get(`/v1/orders/${orderId}?expand=order,history,card`)).body, placed.body);
  assert.deepEqual((await sandbox.get('/v1/orders?expand=order,history,card')).body.data, [placed.body]);
  const { body: canceled } = await sandbox.post(`/v1/orders/${orderId}/cancel?expand=history`);
  assert.deepEqual(canceled.history.gifts_by_state, { canceled: 3 });
});

test('an answer without expand stays the same, and begins the answer with every part', async () => {
  const { sandbox, keys } = await service.organization();
  const giftId = await ordered(sandbox, emailGift('claimed'));
  const text = async (path: string) =>
    (await fetch(service.url + path, { headers: { Authorization: `Bearer ${keys.sandbox}` } })).text();
  const plain = await text(`/v1/gifts/${giftId}`);
  const expanded = await text(`/v1/gifts/${giftId}?expand=order,history,deliveries,card`);
  assert.ok(expanded.startsWith(plain.slice(0, -1)), 'the parts come last');
  const { card, deliveries } = JSON.parse(expanded);
  assert.deepEqual(card, { kind: 'card', category: 'coffee', left: 2500 });
  assert.deepEqual(
    deliveries.map((one: { state: string; channel: string }) => [one.state, one.channel]),
    [['delivered', 'email']],
  );
  for (const list of ['gifts', 'orders']) {
    const page = JSON.parse(
      await text(`/v1/${list}?expand=history&status=claimed`.replace(/orders(.*)&status.*/, 'orders$1')),
    );
    assert.ok(page.data.every((one: { history?: object }) => one.history !== undefined));
  }
});

test('an unknown part is refused with those there are, before anything happens', async () => {
  const { sandbox } = await service.organization();
  const giftId = await ordered(sandbox);
  for (const expand of ['histories', 'history,', '', 'history, card', 'HISTORY'])
    for (const path of [`/v1/gifts/${giftId}`, '/v1/gifts', '/v1/orders']) {
      const answer = await sandbox.get(`${path}?expand=${encodeURIComponent(expand)}`);
      assertError(answer, 'parameter_invalid', 'expand');
      assert.match(answer.body.error.message, /order, history, deliveries, card/);
    }
  assertError(await sandbox.get('/v1/gifts?expand=history&expand=card'), 'parameter_invalid', 'expand');
  const refused = [
    await sandbox.post('/v1/orders?expand=x', { gifts: [linkGift()] }, { 'Idempotency-Key': 'x' }),
    await sandbox.post(`/v1/gifts/${giftId}/cancel?expand=x`),
    await sandbox.put(`/v1/gifts/${giftId}/delivery?expand=x`, { method: 'email', email: 'a@example.com' }),
    await sandbox.post(`/v1/sandbox/gifts/${giftId}/open?expand=x`),
  ];
  for (const answer of refused) assertError(answer, 'parameter_invalid', 'expand');
  const { body } = await sandbox.get('/v1/orders?expand=history');
  assert.deepEqual(
    body.data.map((order: { history: { gifts_by_state: object } }) => order.history.gifts_by_state),
    [{ sent: 1 }],
  );
});
