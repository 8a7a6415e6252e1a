import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, test } from 'node:test';
import { assertError, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** The timers of requests that wait: no other lasts 7 or 29 seconds. */
const waits = new Set<unknown>();
before(() => {
  const { clock } = service;
  const { setTimeout: set, clearTimeout: clear } = clock;
  clock.setTimeout = (run, ms) => {
    const timer = set.call(clock, run, ms);
    if (ms === 7_000 || ms === 29_000) waits.add(timer);
    return timer;
  };
  clock.clearTimeout = (timer) => {
    waits.delete(timer);
    clear.call(clock, timer as never);
  };
});

const next = async ({ sandbox }: TestOrganization) => (await sandbox.get('/v1/events')).body.next_after as number;

/** Advances the clock while the request waits. */
async function advancing<Result>(on: TestService, answer: Promise<Result>): Promise<Result> {
  let isDone = false;
  const done = answer.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await on.clock.advance(250);
    await new Promise(setImmediate);
  }
  return done;
}

test('a waiting request gets the next event, also of another process', async () => {
  const organization = await service.organization();
  const other = await service.second();
  const after = await next(organization);
  const waiting = other.api(organization.keys.sandbox).get(`/v1/events?after=${after}&wait=29`);
  await until(() => waits.size > 0, 'the request waits');
  await organization.sandbox.order([linkGift()]);
  const { body } = await advancing(service, waiting);
  assert.deepEqual([body.data.length, body.data[0].type, body.next_after], [1, 'order.created', after + 1]);
});

test('a request for other types waits on past the events that it does not want', async () => {
  const organization = await service.organization();
  const after = await next(organization);
  const startMs = service.clock.now();
  const waiting = organization.sandbox.get(`/v1/events?after=${after}&types=gift.claimed&wait=7`);
  await until(() => waits.size > 0, 'the request waits');
  await organization.sandbox.order([linkGift()]);
  const { body } = await advancing(service, waiting);
  assert.deepEqual([body.data, body.next_after, body.has_more], [[], after + 1, false]);
  assert.ok(service.clock.now() - startMs >= 7_000);
});

test('a key that is revoked while its request waits gets no event', async () => {
  const organization = await service.organization();
  const after = await next(organization);
  const waiting = organization.sandbox.get(`/v1/events?after=${after}&wait=29`);
  await until(() => waits.size > 0, 'the request waits');
  await service.sql(`update api_keys set revoked_at = now() where organization_id = $1 and environment = 'sandbox'`, [
    organization.organizationUuid,
  ]);
  assertError(await advancing(service, waiting), 'api_key_revoked');
});

test('a request beyond fifty of its organization waits for its time, and never spins', async () => {
  const organization = await service.organization();
  const after = await next(organization);
  const path = `/v1/events?after=${after}&wait=29`;
  const waiting = Array.from({ length: 50 }, () => organization.sandbox.get(path));
  await until(() => waits.size === 50, 'they wait');
  const further = organization.sandbox.get(`/v1/events?after=${after}&wait=7`);
  await until(() => waits.size === 51, 'it waits too');
  await organization.sandbox.order([linkGift()]);
  const answers = await advancing(service, Promise.all(waiting));
  for (const answer of answers) assert.equal(answer.body.data.length, 1);
  assert.equal(waits.size, 1);
  assert.equal((await advancing(service, further)).body.data.length, 1);
});

test('requests that wait never use up the limit of the key’s orders', async () => {
  const limited = await service.second({ RATE_LIMIT_BURST: '5', RATE_LIMIT_PER_SECOND: '1' });
  const organization = await service.organization();
  const api = limited.api(organization.keys.sandbox);
  for (let call = 0; call < 5; call += 1) assert.equal((await api.get('/v1/events?after=0&wait=7')).status, 200);
  assertError(await api.get('/v1/events?after=0&wait=7'), 'rate_limit_exceeded');
  assert.equal((await api.order([linkGift()])).status, 201);
  for (let call = 0; call < 4; call += 1) assert.equal((await api.get('/v1/events?after=0&wait=0')).status, 200);
  assertError(await api.get('/v1/events?after=0'), 'rate_limit_exceeded');
});

test('a client that hangs up frees its place', async () => {
  const organization = await service.organization();
  const after = await next(organization);
  const call = request(`${service.url}/v1/events?after=${after}&wait=29`, {
    headers: { Authorization: `Bearer ${organization.keys.sandbox}` },
  });
  call.on('error', () => undefined).end();
  await until(() => waits.size === 1, 'the request waits');
  call.destroy();
  await until(() => waits.size === 0, 'its place is free');
});

test('a server that stops answers waiting requests at once', async () => {
  const organization = await service.organization();
  const other = await service.second();
  const after = await next(organization);
  const waiting = other.api(organization.keys.sandbox).get(`/v1/events?after=${after}&wait=29`);
  await until(() => waits.size === 1, 'the request waits');
  const [{ status, body }] = await Promise.all([waiting, other.close()]);
  assert.deepEqual([status, body.data, body.next_after], [200, [], after]);
});
