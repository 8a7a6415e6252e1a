import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Client } from 'pg';
import { approveRequest } from '../../../src/capabilities/gift-requests/decide-request.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { allowRequests, ask, giftTo, requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalAnswer } from '../../harness/portal-client.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

/** People who decide the same request at the same moment, on two servers. */

const ROUNDS = 50;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const second = openForFile(() => service.second());
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(() => createPortalClient(service, 'member@example.com'));

test('two approvals, a decline and a withdrawal agree on one outcome', async () => {
  await allowRequests(admin, organization);
  const balance = await balanceOf(service, organization, 'sandbox');
  const path = (more = '') => requestsPath(organization, more);
  const elsewhere = { origin: second.url };
  let bought = 0;
  const states: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    // Of every fifth, the order is refused.
    const isRefused = round % 5 === 4;
    const id = await ask(
      member,
      path(),
      giftTo(isRefused ? 'insufficient-balance@sandbox.gift.test' : 'a@example.com'),
    );
    const acts: (() => Promise<PortalAnswer>)[] = [
      () => admin.call('POST', path(`/${id}/approve`)),
      () => admin.at(second.url).call('POST', path(`/${id}/approve`), undefined, elsewhere),
      () => admin.at(second.url).call('POST', path(`/${id}/decline`), {}, elsewhere),
      () => member.call('POST', path(`/${id}/withdraw`)),
    ];
    // Each begins first in turn.
    const answers = await Promise.all(acts.map((_, n) => (acts[(n + round) % acts.length] ?? acts[0])?.()));
    for (const answer of answers)
      assert.ok([200, 402, 409, 422].includes(answer?.status ?? 0), JSON.stringify(answer?.body));
    const { body } = await admin.call('GET', path(`/${id}`));
    const orders = await service.sql('select from orders where idempotency_key = $1', [id]);
    assert.equal(orders.length, body.state === 'approved' ? 1 : 0, body.state);
    assert.equal(body.order_id === null, orders.length === 0);
    assert.ok(body.state !== 'approved' || !isRefused);
    bought += orders.length;
    states[body.state] = (states[body.state] ?? 0) + 1;
  }
  assert.ok(bought > 0 && bought < ROUNDS, JSON.stringify(states));
  assert.equal(await balanceOf(service, organization, 'sandbox'), balance - bought * 2500);
  await verifyAll(service);
});

test('a decline waits for an order whose process died while it was placed', async (t) => {
  await allowRequests(admin, organization);
  const path = (more = '') => requestsPath(organization, more);
  const id = await ask(member, path(), giftTo('b@example.com'));
  // The order commits only when this lock is free, as one does that waits for a standby.
  const standby = new Client(service.target);
  t.after(() => standby.end());
  await standby.connect();
  await standby.query(`
    select pg_advisory_lock(77);
    create function wait_for_standby() returns trigger language plpgsql as $$ begin
      perform set_config('lock_timeout', '0', true), pg_advisory_xact_lock(77);
      return null;
    end $$;
    create trigger waits_for_standby after insert on orders for each row
      when (new.idempotency_key = '${id}') execute function wait_for_standby()`);
  const actor = { kind: 'member', email: 'admin@example.com', address: '::1' } as const;
  const approving = approveRequest(
    second.service.deps,
    { organizationId: organization.organizationUuid, environment: 'sandbox' },
    {
      requestId: decodeId('ask', id) ?? '',
      actor: { ...actor, memberId: decodeId('mem', organization.memberId) ?? '' },
      organizationName: 'Test Organization',
    },
  );
  const isWaiting = `select from pg_stat_activity where wait_event = any ($1) and datname = current_database()`;
  const untilWaiting = (...events: string[]) =>
    until(async () => (await service.sql(isWaiting, [events])).length > 0, `something waits: ${events[0]}`);
  await untilWaiting('advisory');
  // Longer than a claim keeps others away.
  await service.clock.jump(120_000);
  const declining = admin.call('POST', path(`/${id}/decline`), {});
  await Promise.race([untilWaiting('transactionid', 'tuple'), declining]);
  await standby.query('select pg_advisory_unlock(77)');
  const [, declined] = await Promise.allSettled([approving, declining]);
  const { state } = (await admin.call('GET', path(`/${id}`))).body;
  const orders = await service.sql('select from orders where idempotency_key = $1', [id]);
  // On a slow machine PostgreSQL ends the order's statement before it is released; then the decline is right.
  assert.equal(orders.length, state === 'approved' ? 1 : 0, state);
  assert.ok(declined.status === 'fulfilled' && (declined.value.status === 200) === (state === 'declined'), state);
});
