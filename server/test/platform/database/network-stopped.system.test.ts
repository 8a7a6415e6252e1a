import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openProxiedInstallation } from '../../../../reliability/faults/database-faults.ts';
import { randomFrom } from '../../../../reliability/faults/random.ts';
import { createApiClient, emailGift } from '../../harness/api-client.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startProxiedService } from '../../harness/proxied-service.ts';
import { HUNG_AFTER_MS, unlessHung } from '../../harness/server-process.ts';

const { direct, proxy, proxied, url, close } = await startProxiedService();
after(close);

/**
 * Stops the network while the call waits for a lock. Sends it again if the lock's time limit ends before, as on a busy
 * machine.
 */
async function stallWhileLocked<Answer>(send: () => Promise<Answer>): Promise<{ sent: Promise<Answer> }> {
  for (;;) {
    let isAnswered = false;
    const sent = send().finally(() => {
      isAnswered = true;
    });
    while (!isAnswered && !(await isSomebodyWaiting()));
    proxy.stall(true);
    if (!isAnswered && (await isSomebodyWaiting())) return { sent };
    proxy.stall(false);
    await sent;
  }
}

async function isSomebodyWaiting(): Promise<boolean> {
  // Asked in the transaction that holds the lock, which otherwise sees the activity of its first look.
  await direct.sql('select pg_stat_clear_snapshot()');
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return (await direct.sql(waiting)).length > 0;
}

const redirected = { method: 'email', email: 'delivered@sandbox.gift.test' };

// PostgreSQL's own time limit does not help: its answer cannot arrive.
test('gives up a change if the network stops, without a trace', async (t) => {
  t.after(() => proxy.stall(false));
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  const { body: order } = await api.order([emailGift('delivery-failed')], 'before');
  const { gift_id: giftId } = order.gifts[0];
  const before = (await api.get(`/v1/gifts/${giftId}`)).body;
  await direct.sql('begin');
  await direct.sql('select from gifts for update');
  const { sent } = await stallWhileLocked(() => api.put(`/v1/gifts/${giftId}/delivery`, redirected));
  await direct.sql('rollback');
  const { status, body } = await unlessHung(sent, 'the change is given up');
  assert.equal(status, 500);
  assert.equal(body.error.code, 'internal_error');
  proxy.stall(false);
  assert.deepEqual((await api.get(`/v1/gifts/${giftId}`)).body, before);
  assert.equal((await api.put(`/v1/gifts/${giftId}/delivery`, redirected)).status, 200);
});

test('gives up a portal read if the network stops', async (t) => {
  t.after(() => proxy.stall(false));
  const organization = await direct.organization();
  const person = (await createPortalClient(direct, 'admin@example.com')).at(url);
  const { order_id: orderId } = (await organization.sandbox.order([emailGift('delivered')])).body;
  const path = `/organizations/${organization.organizationId}/sandbox/orders/${orderId}`;
  const before = await person.call('GET', path);
  assert.equal(before.status, 200, JSON.stringify(before.body));
  proxy.stall(true);
  const single = proxied.deps.database.pool.query({ text: 'select 1' });
  const both = Promise.all([person.call('GET', path), assert.rejects(single, /timeout/)]);
  const [{ status, body }] = await unlessHung(both, 'the reads are given up');
  assert.deepEqual([status, body.error.code], [500, 'internal_error']);
  proxy.stall(false);
  assert.deepEqual((await person.call('GET', path)).body, before.body);
});

// As if PostgreSQL's machine is gone and another one takes over: no one closes the old connections.
test('the portal replaces a connection that went silent', async (t) => {
  t.after(() => proxy.cutAll());
  await direct.organization();
  const person = (await createPortalClient(direct, 'admin@example.com')).at(url);
  const sessions = async () => (await person.call('GET', '/sessions')).status;
  assert.equal(await sessions(), 200);
  proxy.strand();
  assert.equal(await unlessHung(sessions(), 'an answer without the connection'), 500);
  assert.equal(await sessions(), 200);
});

test('a processing order completes although all connections went silent', async (t) => {
  const behind = await openProxiedInstallation({
    random: randomFrom(1),
    organizations: [{ environments: ['sandbox'] }],
  });
  t.after(behind.close);
  const { url: address } = await behind.startServer();
  const api = createApiClient(address, behind.installation.organizations[0]?.key);
  assert.equal((await api.order([emailGift('processing')], 'silent')).status, 201);
  behind.proxy.strand();
  assert.ok(await behind.installation.settle(HUNG_AFTER_MS), 'It hung: the order did not complete.');
});
