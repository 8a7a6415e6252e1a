import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '../../../src/platform/events/event-types.ts';
import { forgetOldEvents } from '../../../src/platform/events/forget-old-events.ts';
import { assertError, emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const DAY_MS = 86_400_000;

interface Listed {
  event_id: string;
  sequence: number;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
  resource?: unknown;
}

const list = async ({ sandbox }: TestOrganization, query = '') => {
  const { status, body } = await sandbox.get(`/v1/events${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { data: Listed[]; has_more: boolean; next_after: number; first_sequence: number };
};
const typesOf = (events: readonly Listed[]) => events.map(({ type }) => type);

test('the feed lists events with ids, oldest first, and says how far it has read', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([emailGift('opened')]);
  const page = await list(organization);
  const created_at = new Date(service.clock.now()).toISOString();
  const orderId = { order_id: order.order_id };
  const giftId = { ...orderId, gift_id: order.gifts[0].gift_id };
  const [, , ...ofOrder] = page.data;
  assert.deepEqual(
    ofOrder.map(({ event_id, ...rest }) => ({ ...rest, event_id: event_id.slice(0, 4) })),
    [
      { type: 'order.created', sequence: 3, data: { ...orderId, status: 'processed' } },
      { type: 'gift.delivered', sequence: 4, data: { ...giftId, delivery: { status: 'sent' } } },
      { type: 'gift.opened', sequence: 5, data: { ...giftId, delivery: { status: 'opened' } } },
    ].map((event) => ({ ...event, created_at, event_id: 'evt_' })),
  );
  const { data, ...ends } = page;
  assert.deepEqual(ends, { object: 'list', has_more: false, next_after: 5, first_sequence: 1 });
  assert.deepEqual(typesOf(data.slice(0, 2)), ['key.created', 'balance.funded']);
  const live = (await organization.live.get('/v1/events')).body;
  assert.deepEqual(typesOf(live.data), ['key.created', 'balance.funded']);
});

test('pages continue without holes, with a filter too', async () => {
  const organization = await service.organization();
  for (let n = 0; n < 4; n += 1) await organization.sandbox.order([linkGift(), emailGift('opened')]);
  const all: Listed[] = [];
  for (let after = 0, more = true; more; ) {
    const page = await list(organization, `?limit=3&after=${after}`);
    all.push(...page.data);
    [after, more] = [page.next_after, page.has_more];
  }
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    Array.from({ length: 14 }, (_, n) => n + 1),
  );
  const opened = await list(organization, '?types=gift.opened,gift.claimed&limit=2');
  assert.deepEqual([typesOf(opened.data), opened.has_more, opened.next_after], [Array(2).fill('gift.opened'), true, 8]);
  const claimed = await list(organization, '?types=gift.claimed&after=2');
  assert.deepEqual([claimed.data, claimed.has_more, claimed.next_after], [[], false, 14]);
});

for (const [given, hint] of [
  ['order.placed', 'There is no type order.placed. Near are order.created, order.processed, order.canceled.'],
  ['gift.claimed,gift.opend', 'There is no type gift.opend. Near are gift.opened.'],
  ['claimed', `There is no type claimed. Known are ${Object.keys(eventTypes).join(', ')}.`],
] as const)
  test(`an unknown type is named, with the near ones: ${given}`, async () => {
    const { sandbox } = await service.organization();
    const { status, body } = await sandbox.get(`/v1/events?types=${given}`);
    assert.equal(status, 422);
    assert.equal(body.error.message.slice(-hint.length), hint);
  });

test('expand=resource reads the order or the gift as it is now', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([emailGift('delivered')]);
  const id = order.gifts[0].gift_id;
  await organization.sandbox.post(`/v1/sandbox/gifts/${id}/open`);
  const { data } = await list(organization, '?expand=resource');
  const [key, , created, delivered] = data.map(({ resource }) => resource);
  assert.equal(key, null);
  assert.deepEqual(created, (await organization.sandbox.get(`/v1/orders/${order.order_id}`)).body);
  assert.deepEqual(delivered, (await organization.sandbox.get(`/v1/gifts/${id}`)).body);
  assertError(await organization.sandbox.get('/v1/events?expand=resource&limit=101'), 'parameter_invalid', 'limit');
});

test('behind resource, expand takes the parts that a read of the order or the gift takes', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([emailGift('opened')]);
  const id = order.gifts[0].gift_id;
  const parts = 'history,deliveries,card,order';
  const { data } = await list(organization, `?expand=resource,${parts}`);
  // biome-ignore lint/suspicious/noExplicitAny: resources of several kinds
  const [, , created, opened] = data.map(({ resource }) => resource as any);
  assert.deepEqual(created, (await organization.sandbox.get(`/v1/orders/${order.order_id}?expand=${parts}`)).body);
  assert.deepEqual(opened, (await organization.sandbox.get(`/v1/gifts/${id}?expand=${parts}`)).body);
  assert.equal(created?.gifts[0].history.state, 'opened');
  for (const expand of ['history', 'resource,', 'resource,resource', 'resource,history,', 'history,resource']) {
    const answer = await organization.sandbox.get(`/v1/events?expand=${expand}`);
    assertError(answer, 'parameter_invalid', 'expand');
    assert.match(answer.body.error.message, /order, history, deliveries/);
  }
});

test('wrong parameters are refused by name', async () => {
  const { sandbox } = await service.organization();
  const wrong = { after: ['-1', 'x', '1.5', ''], limit: ['0', '1001'], wait: ['31', 'x'], expand: ['gift'] };
  for (const [param, values] of Object.entries({ ...wrong, types: ['', 'gift', 'gift.opened,', 'toString'] }))
    for (const value of values)
      assertError(await sandbox.get(`/v1/events?${param}=${value}`), 'parameter_invalid', param);
  assert.equal((await sandbox.get(`/v1/events?types=${Object.keys(eventTypes).join(',')}`)).status, 200);
  assertError(await service.api('bestow-sandbox-wrong').get('/v1/events'), 'api_key_invalid');
});

test('a cursor beyond the end belongs to another feed', async () => {
  const { sandbox } = await service.organization();
  assert.equal((await sandbox.get('/v1/events?after=2')).status, 200);
  assertError(await sandbox.get('/v1/events?after=3'), 'cursor_invalid', 'after');
});

test('a page looks at 10,000 sequences, so that a rare type is found step by step', async () => {
  const organization = await service.organization();
  await service.sql(
    `with counter as (update event_counters set last_sequence = 25002 where organization_id = $1 and environment = 'sandbox')
     insert into events (organization_id, environment, sequence, type, created_at)
     select $1, 'sandbox', n, case n when 25002 then 'gift.claimed' else 'gift.opened' end, now()
     from generate_series(3, 25002) n`,
    [organization.organizationUuid],
  );
  const steps: unknown[] = [];
  for (let after = 0, more = true; more; ) {
    const page = await list(organization, `?types=gift.claimed&after=${after}`);
    [after, more] = [page.next_after, page.has_more];
    steps.push([page.data.length, after]);
  }
  assert.deepEqual(steps, [
    [0, 10_000],
    [0, 20_000],
    [1, 25_002],
  ]);
});

/** A run skips what the service's own run holds. */
const forget = (organization: TestOrganization, first: number) =>
  until(async () => {
    await forgetOldEvents(service.service.deps);
    return (await list(organization)).first_sequence === first;
  }, `${first} is the first event`);

test('old events are deleted from the beginning, and the first one held is named', async () => {
  const organization = await service.organization();
  await organization.sandbox.order([linkGift()]);
  await service.clock.jump(60 * DAY_MS);
  await organization.sandbox.order([linkGift()]);
  await service.clock.jump(31 * DAY_MS);
  const { deps } = service.service;
  await Promise.all([forgetOldEvents(deps), forgetOldEvents(deps)]);
  await forget(organization, 4);
  const page = await list(organization);
  assert.deepEqual([page.data.map(({ sequence }) => sequence), page.first_sequence], [[4], 4]);
  assert.deepEqual((await list(organization, '?after=3')).data, page.data);
  const refused = await organization.sandbox.get('/v1/events?after=2');
  assertError(refused, 'cursor_invalid', 'after');
  assert.match(refused.body.error.message, /\b4 is the first held/);
  await service.clock.jump(60 * DAY_MS);
  await forget(organization, 5);
  const empty = await list(organization);
  assert.deepEqual([empty.data, empty.next_after, empty.first_sequence], [[], 4, 5]);
  assertError(await organization.sandbox.get('/v1/events?after=3'), 'cursor_invalid', 'after');
  await organization.sandbox.order([linkGift()]);
  assert.deepEqual(
    (await list(organization, '?after=4')).data.map(({ sequence }) => sequence),
    [5],
  );
});

test('an old event behind a younger one stays, so that no hole appears', async () => {
  const organization = await service.organization();
  const { organizationUuid } = organization;
  await service.sql(`alter table events disable trigger events_are_never_changed`);
  await service.sql(
    `update events set created_at = $2::timestamptz where organization_id = $1 and environment = 'sandbox' and sequence = 2`,
    [organizationUuid, new Date(service.clock.now() - 100 * DAY_MS)],
  );
  await service.sql(`alter table events enable trigger events_are_never_changed`);
  await forgetOldEvents(service.service.deps);
  assert.deepEqual(
    (await list(organization)).data.map(({ sequence }) => sequence),
    [1, 2],
  );
});

test('a reader of a sandbox that was reset sees it, or an error if it missed events', async () => {
  const organization = await service.organization();
  const { next_after } = await list(organization);
  await organization.sandbox.order([linkGift()]);
  await organization.sandbox.post('/v1/sandbox/reset');
  assertError(await organization.sandbox.get(`/v1/events?after=${next_after}`), 'cursor_invalid', 'after');
  const page = await list(organization, `?after=${next_after + 1}`);
  assert.deepEqual(typesOf(page.data), ['sandbox.reset']);
});
