import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { decodeId } from '../src/base/ids.ts';
import { emailGift, linkGift } from './harness/api-client.ts';
import { assertRefused } from './harness/raw-http.ts';
import { startTestService, type TestOrganization, type TestService } from './harness/test-service.ts';

/** More than there are connections for acts on gifts. */
const CALLS = 20;
/** Far longer than a read takes, far shorter than a lock is waited for by many. */
const SOON_MS = 400;

let service: TestService;
let holder: Client;
let organization: TestOrganization;
let neighbour: TestOrganization;
before(async () => {
  service = await startTestService();
  organization = await service.organization();
  neighbour = await service.organization();
  holder = new Client(service.target);
  await holder.connect();
});
after(async () => {
  await holder.end();
  await service.close();
});

async function readsOf(other: TestOrganization, untilMs: number): Promise<number> {
  const { gift_id } = (await other.live.order([linkGift()])).body.gifts[0];
  let slowestMs = 0;
  while (performance.now() < untilMs) {
    const startedAtMs = performance.now();
    const { status } = await other.live.get(`/v1/gifts/${gift_id}`);
    assert.equal(status, 200);
    slowestMs = Math.max(slowestMs, performance.now() - startedAtMs);
    await sleep(20);
  }
  return slowestMs;
}

test('calls that wait for a gift’s lock are told so soon, and hold up nobody’s reads', async () => {
  const { gift_id } = (await organization.sandbox.order([emailGift('bounced')])).body.gifts[0];
  await holder.query('begin');
  await holder.query('select from gifts where gift_id = $1 for update', [decodeId('gift', gift_id)]);
  const acts = ['open', 'claim', 'deliver', 'redirect'] as const;
  const waiting = Array.from({ length: CALLS }, (_, n) => {
    const act = acts[n % acts.length];
    return act === 'redirect'
      ? organization.sandbox.put(`/v1/gifts/${gift_id}/delivery`, { method: 'email', email: 'pat@example.com' })
      : organization.sandbox.post(`/v1/sandbox/gifts/${gift_id}/${act}`);
  });
  const slowestMs = await readsOf(neighbour, performance.now() + 1_500);
  assert.ok(slowestMs < SOON_MS, `A read took ${Math.round(slowestMs)} ms.`);
  for (const answer of await Promise.all(waiting)) assertRefused(answer, 'resource_locked');
  await holder.query('rollback');
  assert.equal((await organization.sandbox.post(`/v1/sandbox/gifts/${gift_id}/open`)).status, 200);
});

test('while a sandbox is being reset, acts on its gifts are refused at once, and are possible in others', async () => {
  const { gift_id } = (await organization.sandbox.order([linkGift()])).body.gifts[0];
  const other = (await neighbour.sandbox.order([linkGift()])).body.gifts[0];
  await holder.query('begin');
  await holder.query('select from gifts where gift_id = $1 for update', [decodeId('gift', gift_id)]);
  // It waits for that gift, with all that it holds.
  const reset = organization.sandbox.post('/v1/sandbox/reset');
  const isReset = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'delete from gifts'`;
  while ((await service.sql(isReset)).length === 0) await sleep(5);
  const startedAtMs = performance.now();
  const refused = await Promise.all(
    Array.from({ length: CALLS }, (_, n) =>
      organization.sandbox.post(`/v1/sandbox/gifts/${gift_id}/${['open', 'claim', 'spend', 'deliver'][n % 4]}`),
    ),
  );
  for (const answer of refused) assertRefused(answer, 'resource_locked');
  assert.ok(performance.now() - startedAtMs < SOON_MS);
  assert.equal((await neighbour.sandbox.post(`/v1/sandbox/gifts/${other.gift_id}/claim`)).status, 200);
  await holder.query('rollback');
  assert.equal((await reset).status, 200);
  assertRefused(await organization.sandbox.post(`/v1/sandbox/gifts/${gift_id}/open`), 'resource_missing');
});
