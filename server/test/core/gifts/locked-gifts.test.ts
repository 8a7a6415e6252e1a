import assert from 'node:assert/strict';
import { after, afterEach, before, type TestContext, test } from 'node:test';
import { Connection } from 'pg';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { type Answer, emailGift, linkGift } from '../../harness/api-client.ts';
import { type Holder, openHolder } from '../../harness/holder.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { openLink, startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

/** More than the connections for acts on gifts. */
const CALLS = 20;
/** What PostgreSQL answers if a statement waited too long for a lock. */
const WAITED = '55P03';

/** Counts the statements of this process that waited for a lock, and can delay their ends. */
function watchLockWaits(t: TestContext) {
  const { emit } = Connection.prototype;
  const heldBack = new Set<Connection>();
  const late: (() => void)[] = [];
  const watch = { count: 0, isHolding: false, release };
  t.mock.method(Connection.prototype, 'emit', function (this: Connection, event: string, ...values: unknown[]) {
    const pass = () => Reflect.apply(emit, this, [event, ...values]) as boolean;
    if (event === 'errorMessage' && (values[0] as { code: string }).code === WAITED) {
      watch.count += 1;
      if (watch.isHolding) heldBack.add(this);
    }
    if (!heldBack.has(this)) return pass();
    late.push(pass);
    return true;
  });
  function release() {
    watch.isHolding = false;
    heldBack.clear();
    for (const pass of late.splice(0)) pass();
  }
  return watch;
}

let service: TestService;
let holder: Holder;
let organization: TestOrganization;
let neighbour: TestOrganization;
before(async () => {
  service = await startTestService();
  organization = await service.organization();
  neighbour = await service.organization();
  holder = await openHolder(service);
});
// A failed test must not block the next ones.
afterEach(async () => {
  await holder.query('rollback');
});
after(async () => {
  await holder.end();
  await service.close();
});

test('calls that wait for a gift’s lock fail and delay no other reads', async (t) => {
  const bought = (await neighbour.live.order([linkGift()])).body.gifts[0];
  const gift_id = await lockGift(emailGift('bounced'));
  const waits = watchLockWaits(t);
  waits.isHolding = true;
  const acts = ['open', 'claim', 'deliver', 'redirect'] as const;
  const waiting = Array.from({ length: CALLS }, (_, n) => {
    const act = acts[n % acts.length];
    return act === 'redirect'
      ? organization.sandbox.put(`/v1/gifts/${gift_id}/delivery`, { method: 'email', email: 'pat@example.com' })
      : organization.sandbox.post(`/v1/sandbox/gifts/${gift_id}/${act}`);
  });
  assert.equal((await neighbour.live.get(`/v1/gifts/${bought.gift_id}`)).status, 200);
  waits.release();
  const answers = await Promise.all(waiting);
  const [locked = [], others = []] = [true, false].map((isLocked) =>
    answers.filter(({ body }) => (body.error.code === 'resource_locked') === isLocked),
  );
  for (const answer of locked) assertRefused(answer, 'resource_locked');
  // On a busy machine, calls also wait too long for a connection.
  for (const answer of others) assertRefused(answer, 'internal_error');
  assert.ok(locked.length > 0);
  assert.equal(locked.length, waits.count);
  await holder.query('rollback');
  assert.equal((await organization.sandbox.post(`/v1/sandbox/gifts/${gift_id}/open`)).status, 200);
});

test('a press on a locked gift is to be repeated, and no error is logged', async (t) => {
  const giftId = await lockGift();
  const logged = t.mock.method(service.service.deps.log, 'error');
  const { delivery } = (await organization.sandbox.get(`/v1/gifts/${giftId}`)).body;
  for (const act of ['open', 'claim', 'decline']) {
    const { status, headers } = await openLink(service, `${delivery.link}/${act}`, 'POST');
    assert.deepEqual([act, status], [act, 503]);
    if (act !== 'claim') assert.equal(headers.get('retry-after'), '1');
  }
  assert.equal(logged.mock.callCount(), 0);
});

const RESET = '/v1/sandbox/reset';

/** Orders and locks a gift. A reset then waits for it while holding its own locks. */
async function lockGift(bought = linkGift()): Promise<string> {
  await organization.fund('sandbox', 1_000_000);
  const { gift_id } = (await organization.sandbox.order([bought])).body.gifts[0];
  await holder.query('begin');
  await holder.query('select from gifts where gift_id = $1 for update', [decodeId('gift', gift_id)]);
  return gift_id;
}

const aResetWaits = async () =>
  await until(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'delete from gifts'`;
    return (await service.sql(waiting)).length > 0;
  }, 'a reset waits');

/** Runs the act while a reset waits for a locked gift, then lets the reset finish. @returns the reset's answer */
async function duringReset(act: (giftId: string) => Promise<unknown>): Promise<Answer> {
  const giftId = await lockGift();
  const reset = organization.sandbox.post(RESET);
  await aResetWaits();
  await act(giftId);
  await holder.query('rollback');
  const answer = await reset;
  assert.equal(answer.status, 200);
  return answer;
}

test('acts on gifts wait for no lock during a reset, and work in other sandboxes', async (t) => {
  const waits = watchLockWaits(t);
  const other = (await neighbour.sandbox.order([linkGift()])).body.gifts[0];
  const claimed = (await organization.sandbox.order([emailGift('claimed')])).body.gifts[0];
  let path = '';
  await duringReset(async (giftId) => {
    path = `/v1/sandbox/gifts/${giftId}`;
    const acts = [`${giftId}/open`, `${giftId}/claim`, `${giftId}/deliver`, `${claimed.gift_id}/spend`];
    const calls = Array.from({ length: CALLS }, (_, n) => `/v1/sandbox/gifts/${acts[n % acts.length]}`);
    const refused = await Promise.all(calls.map((call) => organization.sandbox.post(call)));
    for (const answer of refused) assertRefused(answer, 'resource_locked');
    assert.equal(waits.count, 0);
    assert.equal((await neighbour.sandbox.post(`/v1/sandbox/gifts/${other.gift_id}/claim`)).status, 200);
  });
  assertRefused(await organization.sandbox.post(`${path}/open`), 'resource_missing');
});

/** Redirects a gift, which needs one of the shared connections. */
async function assertRedirects({ gift_id }: { gift_id: string }): Promise<void> {
  const to = { method: 'email', email: 'pat@example.com' };
  const { status, body } = await neighbour.sandbox.put(`/v1/gifts/${gift_id}/delivery`, to);
  assert.equal(status, 200, JSON.stringify(body));
}

test('during a reset, other resets and test funds are refused without a connection', async () => {
  const bounced = (await neighbour.sandbox.order([emailGift('bounced'), emailGift('bounced')])).body.gifts;
  const admin = await createPortalClient(service, 'admin@example.com');
  const sandbox = `/organizations/${organization.organizationId}/sandbox`;
  await duringReset(async () => {
    const resets = Array.from({ length: CALLS }, () => organization.sandbox.post(RESET));
    const changes = [
      admin.call('POST', `${sandbox}/reset`),
      admin.call('DELETE', sandbox),
      ...Array.from({ length: CALLS }, () => admin.call('POST', `${sandbox}/balance/test-funds`, { amount: 100 })),
    ];
    await assertRedirects(bounced[0]);
    for (const answer of await Promise.all(resets)) assertRefused(answer, 'resource_locked');
    for (const { status, body } of await Promise.all(changes))
      assert.deepEqual([status, body.error?.code], [409, 'resource_locked'], JSON.stringify(body));
    await assertRedirects(bounced[1]);
  });
});

test('during a reset, link renewals are refused without waiting for a lock', async (t) => {
  const waits = watchLockWaits(t);
  const [bounced] = (await neighbour.sandbox.order([emailGift('bounced')])).body.gifts;
  await duringReset(async (giftId) => {
    const expired = service.service.deps.links.url({
      organizationId: organization.organizationUuid,
      environment: 'sandbox',
      giftId: decodeId('gift', giftId) ?? '',
      version: 1,
      expiresAtMs: service.clock.now() - 1_000,
    });
    const renewals = Array.from({ length: CALLS }, () => openLink(service, `${expired}/renew`, 'POST'));
    await assertRedirects(bounced);
    for (const { status, headers } of await Promise.all(renewals))
      assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
    assert.equal(waits.count, 0);
  });
});

test('of a hundred concurrent resets one runs, and the others use no connection', async () => {
  const [bounced] = (await neighbour.sandbox.order([emailGift('bounced')])).body.gifts;
  await lockGift();
  const answers: Answer[] = [];
  const resets = Array.from({ length: 100 }, async () => {
    answers.push(await organization.sandbox.post(RESET));
  });
  await aResetWaits();
  await assertRedirects(bounced);
  await until(() => answers.length === 99, 'all but one are answered');
  for (const answer of answers) assertRefused(answer, 'resource_locked');
  await holder.query('rollback');
  await Promise.all(resets);
  assert.equal(answers.at(-1)?.status, 200);
});

test('orders due during a reset wait without a connection and are deleted', async () => {
  const [bounced] = (await neighbour.sandbox.order([emailGift('bounced')])).body.gifts;
  await lockGift();
  for (let number = 0; number < CALLS; number += 1)
    assert.equal((await organization.sandbox.order([emailGift('processing')])).status, 201);
  const reset = organization.sandbox.post(RESET);
  await aResetWaits();
  const countJobs = async (...states: string[]) =>
    (await service.sql(`select from pgboss.job where name = 'complete-order' and state::text = any($1)`, [states]))
      .length;
  await workUntil(service, async () => (await countJobs('active', 'retry')) === CALLS, 'all have started');
  await assertRedirects(bounced);
  await until(async () => (await countJobs('retry')) > 0, 'a retry is scheduled');
  await holder.query('rollback');
  assert.deepEqual([(await reset).status, (await reset).body.orders_deleted], [200, CALLS + 1]);
  await workUntil(service, async () => (await countJobs('created', 'active', 'retry')) === 0, 'all jobs are done');
  assert.deepEqual((await organization.sandbox.get('/v1/orders')).body.data, []);
});
