import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import { endSession } from '../../../src/platform/database/end-session.ts';
import { statements } from '../../../src/platform/database/statement.ts';
import { type ApiClient, createApiClient, emailGift, linkGift } from '../../harness/api-client.ts';
import { startProxiedService } from '../../harness/proxied-service.ts';
import { assertRefused } from '../../harness/raw-http.ts';

/** Above every process id. */
const NO_PROCESS = 2 ** 30;

// The connection is lost at a commit: an error must mean that nothing was placed, and an acknowledged order must stay.

/** Starts a service behind a proxy to PostgreSQL, and another one with a direct connection. */
async function startBehindProxy(t: TestContext, parameters = '') {
  const { direct, proxy, url, close } = await startProxiedService(parameters);
  t.after(close);
  const { keys } = await direct.organization();
  return { direct, proxy, key: keys.sandbox, api: createApiClient(url, keys.sandbox) };
}

/** Commits an order and loses its connection; during `act`, PostgreSQL refuses to run the statement again. */
async function orderWithLostAnswer(
  { direct, proxy, api }: Awaited<ReturnType<typeof startBehindProxy>>,
  act: () => Promise<unknown>,
) {
  assert.equal((await api.order([linkGift()], 'first')).status, 201);
  const { database } = direct.target;
  await direct.sql(
    `create function refuse_order() returns trigger language plpgsql as $$
     begin
       if current_setting('test.refuses_orders', true) = 'on' then raise exception 'no orders'; end if;
       return null;
     end $$`,
  );
  await direct.sql('create trigger refuse before insert on orders for each statement execute function refuse_order()');
  // Only for new sessions: the first session places the order.
  await direct.sql(`alter database ${database} set test.refuses_orders = 'on'`);
  const cut = proxy.cutCommit('after', (texts) => texts.includes(statements.get('orders.place') ?? ''));
  const answered = api.order([linkGift()], 'second');
  await cut;
  await act();
  await direct.sql(`alter database ${database} reset test.refuses_orders`);
  return answered;
}

test('an error after a lost commit does not prove that nothing was placed', async (t) => {
  const behind = await startBehindProxy(t);
  const { status, body } = await orderWithLostAnswer(behind, () => sleep(300));
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await behind.api.get('/v1/orders')).body.data.length, 2);
});

test('an order committed before its key was revoked is not reported as an error', async (t) => {
  const behind = await startBehindProxy(t);
  const revoke = 'update api_keys set revoked_at = now() where hash = $1';
  const { status, body } = await orderWithLostAnswer(behind, () => behind.direct.sql(revoke, [hashKey(behind.key)]));
  assert.equal(status, 201, JSON.stringify(body));
  assertRefused(await behind.api.order([linkGift()], 'second'), 'api_key_revoked');
});

for (const [way, bought] of Object.entries({ place: linkGift(), place_any: emailGift('processing') }))
  test(`an order committed by orders.${way} succeeds though PostgreSQL reports an error`, async (t) => {
    const { proxy, api } = await startBehindProxy(t);
    assert.equal((await api.order([linkGift()], 'first')).status, 201);
    const cut = proxy.cutCommit('panic', (texts) => texts.includes(statements.get(`orders.${way}`) ?? ''));
    const { status, body } = await api.order([bought], 'second');
    await cut;
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal((await api.order([bought], 'second')).body.order_id, body.order_id);
    assert.equal((await api.get('/v1/orders')).body.data.length, 2);
  });

for (const [name, ask] of Object.entries({
  'gifts.open': (api: ApiClient, giftId: string) => api.post(`/v1/sandbox/gifts/${giftId}/open`),
  'gifts.redirect': (api: ApiClient, giftId: string) =>
    api.put(`/v1/gifts/${giftId}/delivery`, { method: 'email', email: 'pat@example.com' }),
}))
  test(`${name} is not reported as an error if it was committed`, async (t) => {
    const { proxy, api } = await startBehindProxy(t);
    const { gift_id } = (await api.order([emailGift('bounced')], 'first')).body.gifts[0];
    const cut = proxy.cutCommit('panic', (texts) => texts.includes(statements.get(name) ?? ''));
    await assert.rejects(ask(api, gift_id), /fetch failed|terminated|closed/);
    await cut;
  });

for (const [session, parameters] of Object.entries({
  'a session': '',
  'a session with another name in its URL': '&application_name=theirs',
}))
  test(`${session} is ended if lost while it waits`, async (t) => {
    const { direct, proxy, api } = await startBehindProxy(t, parameters);
    assert.equal((await api.order([linkGift()], 'first')).status, 201);
    const other = new Client(direct.target);
    await other.connect();
    await other.query(`begin; insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint,
        amount_cents, key_id, member_id, created_at)
      select organization_id, environment, gen_random_uuid(), 'second', fingerprint, amount_cents, key_id, member_id,
        created_at from orders`);
    const answered = api.order([linkGift()], 'second');
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await direct.sql(isWaiting)).length === 0) await sleep(10);
    // PostgreSQL does not notice: the session keeps waiting and keeps its locks.
    proxy.cutAll();
    await sleep(300);
    await other.query('rollback');
    await other.end();
    const { status, body } = await answered;
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal((await api.get('/v1/orders')).body.data.length, 2);
  });

test('ends a session of the same application name, and no other', async (t) => {
  const { direct } = await startBehindProxy(t);
  const connect = async (name: string) => {
    const client = new Client({ ...direct.target, application_name: name });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const [own, lost, other] = [await connect('theirs'), await connect('theirs'), await connect('others')];
  for (const client of [lost, other]) {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await endSession(own, rows[0]?.pid ?? NO_PROCESS);
  }
  await assert.rejects(lost.query('select'));
  await other.query('select');
  for (const client of [own, lost, other]) await client.end();
});
