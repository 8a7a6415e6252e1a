import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { before, test } from 'node:test';
import { type ApiClient, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Pages of lists. Refused parameters are in cursors.test.ts and validation-values.test.ts. */

const service = openForFile(() => startTestService({ ORDER_LOCK_WAIT_MS: '5000' }));
/** 25 orders of 1 to 10 gifts each, all of one millisecond. */
const full = openForFile(() => service.organization({ sandbox: 10_000_000 }));
/** What the lists must show: ids, newest first. */
const orderIds: string[] = [];
const giftIds: string[] = [];

before(async () => {
  for (let number = 0; number < 25; number += 1) {
    const { body } = await full.sandbox.order(Array.from({ length: (number % 10) + 1 }, () => linkGift(1000)));
    orderIds.unshift(body.order_id);
    giftIds.unshift(...body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id).reverse());
  }
  assert.deepEqual([orderIds.length, giftIds.length], [25, 125]);
});

const idOf = (one: { order_id?: string; gift_id?: string }) => one.order_id ?? one.gift_id ?? '';

interface Page {
  ids: string[];
  hasMore: boolean;
}

async function page(client: ApiClient, path: string, query: Record<string, string | number>): Promise<Page> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await client.get(`${path}?${parameters}`);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['object', 'data', 'has_more']);
  assert.equal(body.object, 'list');
  return { ids: body.data.map(idOf), hasMore: body.has_more };
}

/** All pages from the newest on, by `starting_after`. */
async function walkForward(client: ApiClient, path: string, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const last = seen.at(-1);
    const { ids, hasMore } = await page(client, path, { limit, ...(last ? { starting_after: last } : {}) });
    seen.push(...ids);
    if (!hasMore) return seen;
    assert.equal(ids.length, limit);
  }
}

/** All pages from the one named on towards the newest, by `ending_before`; newest first. */
async function walkBack(client: ApiClient, path: string, limit: number, from: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const { ids, hasMore } = await page(client, path, { limit, ending_before: seen[0] ?? from });
    seen.unshift(...ids);
    if (!hasMore) return seen;
    assert.equal(ids.length, limit);
  }
}

const lists = () => [
  { path: '/v1/orders', all: orderIds },
  { path: '/v1/gifts', all: giftIds },
];

test('a walk forward returns every row once, newest first, at any page size', async () => {
  for (const { path, all } of lists())
    for (const limit of [1, 3, 10, 25, 26, 65, 100])
      assert.deepEqual(await walkForward(full.sandbox, path, limit), all, `${path} by ${limit}`);
});

test('a walk back returns every row except its start once, newest first', async () => {
  for (const { path, all } of lists())
    for (const limit of [1, 4, 12, 24, 43, 100]) {
      const seen = await walkBack(full.sandbox, path, limit, all.at(-1) ?? '');
      assert.deepEqual(seen, all.slice(0, -1), `${path} by ${limit}`);
    }
});

test('ending_before returns the nearest page; has_more follows the direction', async () => {
  for (const { path, all } of lists()) {
    const cursor = (index: number) => all[index] ?? '';
    for (const [query, ids, hasMore] of [
      [{ limit: 3, ending_before: cursor(10) }, all.slice(7, 10), true],
      [{ limit: 3, ending_before: cursor(3) }, all.slice(0, 3), false],
      [{ limit: 4, ending_before: cursor(3) }, all.slice(0, 3), false],
      [{ limit: 2, ending_before: cursor(3) }, all.slice(1, 3), true],
      [{ limit: 3, starting_after: cursor(all.length - 4) }, all.slice(-3), false],
      [{ limit: 3, starting_after: cursor(all.length - 5) }, all.slice(-4, -1), true],
      [{ ending_before: cursor(0) }, [], false],
      [{ starting_after: cursor(all.length - 1) }, [], false],
    ] as const)
      assert.deepEqual(await page(full.sandbox, path, query), { ids, hasMore }, JSON.stringify(query));
  }
});

test('limit defaults to 10 and may be 1 to 100', async () => {
  for (const { path, all } of lists()) {
    assert.deepEqual(await page(full.sandbox, path, {}), { ids: all.slice(0, 10), hasMore: true });
    assert.deepEqual(await page(full.sandbox, path, { limit: 1 }), { ids: all.slice(0, 1), hasMore: true });
    const hundred = await page(full.sandbox, path, { limit: 100 });
    assert.deepEqual(hundred, { ids: all.slice(0, 100), hasMore: all.length > 100 });
  }
});

test('pages of gifts that one statement reads are those read alone', async () => {
  const { read } = service.service.deps.database;
  const other = await service.organization();
  await other.sandbox.order([linkGift(), linkGift()]);
  const unknown = service.api(full.keys.sandbox.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
  const ask = (client: ApiClient, query: string) => async () => {
    const { status, body } = await client.get(`/v1/gifts?${query}`);
    return { status, data: body.data, has_more: body.has_more, code: body.error?.code };
  };
  const asked = [3, 50, 100].flatMap((limit) => [
    ask(full.sandbox, `limit=${limit}`),
    ask(other.sandbox, `limit=${limit}`),
    ask(full.live, `limit=${limit}`),
    ask(full.sandbox, `limit=${limit}&starting_after=${giftIds[limit]}`),
    ask(full.sandbox, `limit=${limit}&ending_before=${giftIds[60]}`),
    ask(other.sandbox, `limit=${limit}&starting_after=${giftIds[limit]}`),
    ask(unknown, `limit=${limit}`),
  ]);
  const alone = [];
  for (const each of asked) alone.push(await each());
  assert.deepEqual([...new Set(alone.map(({ status }) => status))], [200, 422, 401]);
  const names: (string | undefined)[] = [];
  const query = read.query.bind(read);
  const haveBegun = Promise.withResolvers<void>();
  let begun = 0;
  const count = () => {
    begun += 1;
    if (begun === asked.length) setImmediate(haveBegun.resolve);
  };
  // No statement begins before every request has, so that they meet.
  read.query = (async (config) => {
    names.push(config.name);
    await haveBegun.promise;
    return query(config);
  }) as typeof read.query;
  subscribe('http.server.request.start', count);
  try {
    assert.deepEqual(await Promise.all(asked.map((each) => each())), alone);
  } finally {
    unsubscribe('http.server.request.start', count);
    read.query = query;
  }
  assert.ok(names.includes('gifts.list_descending_many'), names.join());
});

test('each order of a page has all its gifts in submission order', async () => {
  const { body } = await full.sandbox.get('/v1/orders?limit=100');
  const shown = body.data.flatMap(({ gifts }: { gifts: { gift_id: string }[] }) => gifts.toReversed().map(idOf));
  assert.deepEqual(shown, giftIds);
});

/** Places orders from two processes until the test stops it. */
async function keepOrdering(organization: TestOrganization, until: { done: boolean }): Promise<string[]> {
  const other = await service.second({ ORDER_LOCK_WAIT_MS: '5000' });
  const clients = [organization.sandbox, other.api(organization.keys.sandbox)];
  const placed: string[] = [];
  try {
    await Promise.all(
      clients.map(async (client) => {
        while (!until.done) {
          const { status, body } = await client.order([linkGift(1000), linkGift(1000)]);
          assert.equal(status, 201);
          placed.push(body.order_id);
        }
      }),
    );
  } finally {
    await other.close();
  }
  return placed;
}

test('walks and polls miss and repeat nothing while orders are placed', async () => {
  const organization = await service.organization({ sandbox: 50_000_000 });
  const { sandbox } = organization;
  for (let number = 0; number < 12; number += 1) await sandbox.order([linkGift(1000), linkGift(1000)]);
  const until = { done: false };
  const ordering = keepOrdering(organization, until);
  let newest = (await page(sandbox, '/v1/orders', { limit: 1 })).ids[0] ?? '';
  const start = newest;
  const polled: string[] = [];
  const poll = async (limit: number) => {
    const nearest = await page(sandbox, '/v1/orders', { limit, ending_before: newest });
    polled.unshift(...nearest.ids);
    newest = nearest.ids[0] ?? newest;
    return nearest.hasMore;
  };
  try {
    // At least so many that a page of each walk falls between two of them.
    for (let round = 0; round < 8 || polled.length <= 20; round += 1)
      for (const path of ['/v1/orders', '/v1/gifts']) {
        const there = await walkForward(sandbox, path, 100);
        const seen = await walkForward(sandbox, path, 7);
        assert.deepEqual(seen.slice(-there.length), there);
        assert.equal(new Set(seen).size, seen.length);
        await poll(5);
      }
  } finally {
    until.done = true;
  }
  const placed = await ordering;
  while (await poll(100));
  const all = await walkForward(sandbox, '/v1/orders', 100);
  assert.equal(all.length, 12 + placed.length);
  assert.deepEqual(polled, all.slice(0, all.indexOf(start)));
});
