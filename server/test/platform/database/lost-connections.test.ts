import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkInvariants } from '../../../../reliability/checker/check-invariants.ts';
import { createLoadClient } from '../../../../reliability/load/client.ts';
import { createRecorder } from '../../../../reliability/record/recorder.ts';
import { statements } from '../../../src/platform/database/statement.ts';
import { type ApiClient, createApiClient, emailGift, linkGift } from '../../harness/api-client.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startProxiedService } from '../../harness/proxied-service.ts';
import { unlessHung, until } from '../../harness/server-process.ts';

const { direct, proxy, proxied, url, close } = await startProxiedService();
after(close);

/** The answer's status, or `closed` if the connection ended without an answer. */
const statusOf = (sent: Promise<{ status: number }>) =>
  sent.then(
    ({ status }) => status,
    () => 'closed' as const,
  );

async function countOrders(key: string): Promise<number> {
  const [row] = await direct.sql<{ count: string }>('select count(*) from orders where idempotency_key = $1', [key]);
  return Number(row?.count);
}

const placing = [statements.get('orders.place'), statements.get('orders.place_any')];
const isPlacing = (texts: readonly string[]) => texts.some((text) => placing.includes(text));

test('control: the proxy cuts before or after a commit, as asked', async () => {
  const { keys, organizationUuid } = await direct.organization();
  // Directly, because the service would retry.
  const { placement } = proxied.deps.database.laneOf(organizationUuid);
  for (const [moment, count] of [
    ['before', 0],
    ['after', 1],
  ] as const) {
    const cut = proxy.cutCommit(moment, (texts) => texts.some((text) => text.startsWith('insert into cut_test')));
    await direct.sql('create table if not exists cut_test (moment text)');
    await assert.rejects(placement.query('insert into cut_test values ($1)', [moment]), /terminated|ended|ECONNRESET/i);
    await cut;
    assert.equal((await direct.sql('select from cut_test where moment = $1', [moment])).length, count);
  }
  await direct.sql('drop table cut_test');
  assert.equal((await createApiClient(url, keys.sandbox).get('/v1/orders')).status, 200);
});

test('an order whose commit is cut at any point is placed once, never an error', async () => {
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  for (const moment of ['before', 'during', 'after'] as const)
    for (let n = 0; n < 3; n += 1) {
      // Each by its statement.
      const gifts = n === 2 ? [emailGift('processing')] : [linkGift()];
      const key = `${moment}-${n}`;
      const cut = proxy.cutCommit(moment, isPlacing);
      const status = await statusOf(api.order(gifts, key));
      await cut;
      assert.ok(status === 201 || status === 'closed', `${key}: ${status}`);
      const again = await api.order(gifts, key);
      const isPlaced = status === 201 || moment === 'after';
      assert.ok(again.status === 200 || (again.status === 201 && !isPlaced), `${key}: ${status}, then ${again.status}`);
      assert.equal(await countOrders(key), 1);
    }
});

test('an order found again after a lost answer needs no further read', async () => {
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  const cut = proxy.cutCommit('after', isPlacing);
  const sent = api.order([linkGift()], 'read-cut');
  await cut;
  // Set before the order can be read.
  void proxy.cutCommit('before', (texts) => texts.includes(statements.get('orders.select') ?? ''));
  const { status, body } = await sent;
  assert.equal(status, 201);
  proxy.cutNothing();
  assert.deepEqual((await api.get(`/v1/orders/${body.order_id}`)).body, body);
});

const acts: {
  name: string;
  gift: object;
  statement: string;
  act(api: ApiClient, giftId: string): ReturnType<ApiClient['post']>;
}[] = [
  {
    name: 'redirect',
    gift: emailGift('delivery-failed'),
    statement: 'gifts.redirect',
    act: (api, id) => api.put(`/v1/gifts/${id}/delivery`, { method: 'email', email: 'delivered@sandbox.gift.test' }),
  },
  {
    name: 'deliver',
    gift: emailGift('someone'),
    statement: 'gifts.settle_delivery',
    act: (api, id) => api.post(`/v1/sandbox/gifts/${id}/deliver`),
  },
  {
    name: 'open',
    gift: linkGift(),
    statement: 'gifts.open',
    act: (api, id) => api.post(`/v1/sandbox/gifts/${id}/open`),
  },
  {
    name: 'claim',
    gift: linkGift(),
    statement: 'gifts.claim',
    act: (api, id) => api.post(`/v1/sandbox/gifts/${id}/claim`),
  },
  {
    name: 'spend',
    gift: emailGift('claimed'),
    statement: 'cards.insert_purchase',
    act: (api, id) => api.post(`/v1/sandbox/gifts/${id}/spend`),
  },
  {
    name: 'reset',
    gift: linkGift(),
    statement: 'sandbox.delete_orders',
    act: (api) => api.post('/v1/sandbox/reset'),
  },
];

test('a change that may have been committed is never answered as an error', async () => {
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  const { body } = await api.order(acts.map(({ gift }) => gift));
  for (const [index, { name, statement, act }] of acts.entries())
    for (const moment of ['before', 'after'] as const) {
      const text = statements.get(statement);
      assert.ok(text, statement);
      const cut = proxy.cutCommit(moment, (texts) => texts.includes(text));
      assert.equal(await statusOf(act(api, body.gifts[index].gift_id)), 'closed', `${name}, ${moment}`);
      await cut;
    }
  assert.equal((await api.get('/v1/orders')).body.data.length, 0);
});

test('a portal change that may have been committed is not an error either', async () => {
  const { organizationId } = await direct.organization();
  const admin = (await createPortalClient(direct, 'admin@example.com')).at(url);
  const cut = proxy.cutCommit('after', (texts) => texts.some((text) => text.includes('insert into api_keys')));
  const path = `/organizations/${organizationId}/sandbox/keys`;
  assert.equal(await statusOf(admin.call('POST', path, { name: 'Cut' })), 'closed');
  await cut;
  const { body } = await admin.call('GET', path);
  assert.equal(body.data.filter(({ name }: { name: string }) => name === 'Cut').length, 1);
});

test('a connection lost while the portal reads a session fails only that call', async (t) => {
  t.after(() => direct.sql('rollback'));
  await direct.organization();
  const admin = (await createPortalClient(direct, 'admin@example.com')).at(url);
  await direct.sql('begin');
  await direct.sql('lock table portal.sessions');
  const asked = admin.call('GET', '/sessions');
  const waiting = `select from pg_locks where relation = 'portal.sessions'::regclass and not granted`;
  await until(async () => (await direct.sql(waiting)).length > 0, 'the portal waits for the session');
  proxy.cutAll();
  assert.equal((await asked).status, 500);
  await direct.sql('rollback');
  assert.equal((await admin.call('GET', '/sessions')).status, 200);
});

test('control: the checker finds a proxy that hides a commit (I4)', async () => {
  const { organizationId, keys } = await direct.organization();
  const recorder = createRecorder();
  const client = createLoadClient({ urls: [url], recorder, random: Math.random, timeoutMs: 10_000, knownWithinMs: 0 });
  const organization = {
    organizationId,
    environment: 'sandbox',
    key: keys.sandbox,
    number: 1,
    resets: false,
  } as const;
  const place = (idempotencyKey: string) =>
    client.once({
      organization,
      operation: 'placeOrder',
      method: 'POST',
      path: '/v1/orders',
      idempotencyKey,
      request: { gifts: [linkGift()] },
    });
  const findI4 = async () => {
    const input = { target: direct.target, recorder, nowMs: direct.clock.now(), isClockTrue: false };
    return (await checkInvariants(input)).filter(({ invariant }) => invariant === 'I4');
  };
  assert.equal((await place('honest')).kind, 'ok');
  assert.deepEqual(await findI4(), []);
  const cut = proxy.cutCommit('denied', isPlacing);
  assert.equal((await place('denied')).kind, 'failed');
  await cut;
  client.close();
  const [found, ...others] = await findI4();
  assert.match(found?.text ?? '', /its key was answered only with errors: internal_error/);
  assert.deepEqual(others, []);
});

/** A call's status, its error code, or `closed`. */
function outcomeOf(sent: Promise<{ status: number; body: { error?: { code: string } } }>) {
  const came = sent.then(
    ({ status, body }) => body.error?.code ?? status,
    () => 'closed' as const,
  );
  return unlessHung(came, 'the call ends');
}

// An order that was sent may be placed later, so its connection is closed without an answer.
test('while statements hang, reads are refused and nothing is lost', async (t) => {
  const closed: unknown[] = [];
  t.mock.method(proxied.deps.meter, 'request', ({ status, code }: { status: unknown; code: unknown }) => {
    if (status === 'closed') closed.push(code);
  });
  t.after(() => proxy.stall(false));
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  proxy.stall(true);
  const early = ['a', 'b'].map((key) => outcomeOf(api.order([linkGift()], `hang-${key}`)));
  const lists = [outcomeOf(api.get('/v1/orders')), outcomeOf(api.get('/v1/gifts'))];
  // A later read joins those that hang.
  await sleep(500);
  lists.push(outcomeOf(api.get('/v1/orders')));
  assert.equal((await createApiClient(url).get('/v1/health')).status, 200);
  for (const came of await Promise.all(lists)) assert.equal(came, 'internal_error');
  const outcomes = await Promise.all(early);
  for (const came of outcomes) assert.match(`${came}`, /^(?:closed|internal_error)$/);
  const unknown = outcomes.filter((came) => came === 'closed');
  assert.deepEqual(closed, Array(unknown.length).fill('outcome_unknown'));
  assert.ok(closed.length > 0);
  proxy.stall(false);
  for (const key of ['hang-a', 'hang-b']) {
    assert.match(String((await api.order([linkGift()], key)).status), /^20[01]$/);
    assert.equal(await countOrders(key), 1);
  }
});

test('while statements hang, each of 300 calls gets a retryable error', async (t) => {
  t.after(() => proxy.stall(false));
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  proxy.stall(true);
  const answers = await Promise.all(Array.from({ length: 300 }, () => api.get('/v1/orders')));
  proxy.stall(false);
  for (const { body, headers } of answers) {
    assert.equal(body.error?.code, 'internal_error');
    assert.equal(headers.get('retry-after'), '1');
  }
});

test('orders queued behind a hanging statement are refused and leave nothing', async (t) => {
  t.after(() => direct.sql('rollback'));
  const organizations = await Promise.all(Array.from({ length: 4 }, () => direct.organization()));
  await direct.sql('begin');
  await direct.sql('lock table orders in share mode');
  const sent = organizations.map(async ({ keys }, index) => {
    // Two hang; the others queue behind them.
    await sleep(100 * index);
    return await outcomeOf(createApiClient(url, keys.sandbox).order([linkGift()], `behind-${index}`));
  });
  const outcomes = await Promise.all(sent);
  await direct.sql('rollback');
  for (const [index, came] of outcomes.entries()) {
    assert.equal(came, 'internal_error');
    assert.equal(await countOrders(`behind-${index}`), 0);
  }
});

test('while PostgreSQL has no free connection, calls are refused', async (t) => {
  t.after(() => proxy.refuse(false));
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  proxy.refuse(true);
  proxy.cutAll();
  // The failed read shows that the process knows of its lost connections.
  for (const send of [() => api.get('/v1/orders'), () => api.order([linkGift()], 'none-left')]) {
    assert.equal(await outcomeOf(send()), 'internal_error');
  }
  proxy.refuse(false);
  assert.equal((await api.order([linkGift()], 'none-left')).status, 201);
});

test('with half a second of network delay, orders are placed or refused', async (t) => {
  t.after(() => proxy.delay(0));
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  proxy.delay(500);
  const outcomes = await Promise.all(['a', 'b'].map((key) => outcomeOf(api.order([linkGift()], `slow-${key}`))));
  proxy.delay(0);
  for (const [index, came] of outcomes.entries()) {
    const count = await countOrders(`slow-${'ab'[index]}`);
    assert.equal(count, came === 201 ? 1 : 0, `${came}`);
  }
  assert.ok(outcomes.includes(201));
});
