import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Redis } from 'ioredis';
import { createPortalClient } from '../harness/portal-client.ts';
import { assertRefused } from '../harness/raw-http.ts';
import { startRedis, type TestRedis } from '../harness/redis.ts';
import { unlessHung, until } from '../harness/server-process.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

// With REDIS_URL the processes share the rate limits; a lost Redis lets requests through.

/** Windows of 20 seconds, longer than this file's run. */
const LIMITS = {
  RATE_LIMIT_PER_SECOND: '1',
  RATE_LIMIT_BURST: '20',
  RATE_LIMIT_ADDRESS_PER_SECOND: '1',
  RATE_LIMIT_ADDRESS_BURST: '20',
};

let redis: TestRedis;
let one: TestService;
let other: TestService;
before(async () => {
  redis = await startRedis();
  one = await startTestService({ ...LIMITS, REDIS_URL: redis.url });
  other = await one.second();
});
after(async () => {
  await other.close();
  await one.close();
  await redis.kill();
});

const remaining = (answer: { headers: Headers }) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);

test('a key has one burst over all processes, then 429 in each', async () => {
  const { keys, newKey } = await one.organization();
  const services = [one, other];
  for (let call = 0; call < 20; call += 1) {
    const answer = await services[call % 2]?.api(keys.sandbox).get('/v1/orders');
    assert.equal(answer?.status, 200);
    assert.equal(answer.headers.get('ratelimit-policy'), '"key";q=20;w=20');
    assert.equal(remaining(answer), 19 - call);
  }
  for (const service of services) {
    const refused = await service.api(keys.sandbox).get('/v1/orders');
    assertRefused(refused, 'rate_limit_exceeded');
    const retryAfterSeconds = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 20, `${retryAfterSeconds} s`);
  }
  assert.equal((await other.api(await newKey('sandbox')).get('/v1/orders')).status, 200);
});

test('fifty requests at once on two processes: exactly the burst is answered', async () => {
  const { keys } = await one.organization();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? one : other).api(keys.live).get('/v1/orders')),
  );
  const counts = Map.groupBy(answers, ({ status }) => status);
  assert.deepEqual([counts.get(200)?.length, counts.get(429)?.length], [20, 30]);
});

test('five code mails to an address over all processes; Redis holds no addresses', async (t) => {
  const own = await startRedis();
  const first = await startTestService({ REDIS_URL: own.url });
  const second = await first.second();
  const look = new Redis(own.url);
  t.after(async () => {
    look.disconnect();
    await first.close();
    await own.kill();
  });
  const email = 'unknown@example.com';
  const codes: unknown[] = [];
  for (let call = 0; call < 7; call += 1) {
    const client = await createPortalClient(call % 2 === 0 ? first : second, null);
    const asked = { email, type: 'sign-in' };
    const { body } = await client.call('POST', '/auth/email-otp/send-verification-otp', asked);
    codes.push(body.error?.code);
  }
  assert.deepEqual(
    codes.map((code) => code === 'too_many_tries'),
    [...Array.from({ length: 5 }, () => false), true, true],
  );
  const keys = await look.keys('*');
  assert.equal(keys.filter((key) => /^bestow:code-mails:[0-9a-f]{64}$/.test(key)).length, 1);
  assert.ok(!keys.some((key) => key.includes(email)));
});

test('twenty invitations over all processes, then Retry-After', async (t) => {
  const own = await startRedis();
  const first = await startTestService({ REDIS_URL: own.url });
  const second = await first.second();
  t.after(async () => {
    await first.close();
    await own.kill();
  });
  const { organizationId } = await first.organization();
  const atFirst = await createPortalClient(first, 'admin@example.com');
  const atSecond = atFirst.at(second.url);
  const answers: [number, string | undefined][] = [];
  for (let n = 0; n <= 20; n += 1) {
    const invitation = { email: `${n}@example.com`, role: 'member' };
    const admin = n % 2 === 0 ? atFirst : atSecond;
    const { status, body } = await admin.call('POST', `/organizations/${organizationId}/members`, invitation);
    answers.push([status, body.error?.message]);
  }
  assert.deepEqual(answers, [
    ...Array.from({ length: 20 }, () => [200, undefined]),
    [429, 'Too many invitations at once. Try again in 20 minutes.'],
  ]);
});

test('no request waits for a lost Redis; limits are shared when it is back', async () => {
  const { newKey } = await one.organization();
  for (const [lose, restore] of [
    [() => redis.kill(), () => redis.start()],
    [() => redis.freeze(true), () => redis.freeze(false)],
  ]) {
    const key = await newKey('sandbox');
    await lose?.();
    for (const service of [one, other])
      for (let call = 0; call < 15; call += 1) {
        const answer = unlessHung(service.api(key).get('/v1/orders'), 'an answer while Redis is lost');
        assert.equal((await answer).status, 200);
      }
    await restore?.();
    const isShared = async () => {
      const { keys } = await one.organization();
      await one.api(keys.live).get('/v1/orders');
      return remaining(await other.api(keys.live).get('/v1/orders')) === 18;
    };
    await until(isShared, 'limits are shared again');
  }
});

// Last: it uses up the address’s failed attempts.
test('callers without a key share the limit of their address', async () => {
  const answers: number[] = [];
  for (let call = 0; call < 21; call += 1)
    answers.push((await (call % 2 === 0 ? one : other).api().get('/v1/openapi.json')).status);
  assert.deepEqual(answers, [...Array.from({ length: 20 }, () => 200), 429]);
});
