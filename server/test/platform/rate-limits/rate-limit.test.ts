import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { addressBucket, RateLimiter } from '../../../src/platform/rate-limits/rate-limit.ts';

function limiterOf(perSecond: number, burst: number) {
  let nowMs = 1_800_000_000_000;
  const limiter = new RateLimiter('key', { perSecond, burst }, { ...systemClock, now: () => nowMs });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { limiter, pass };
}

test('a bucket allows the burst, shows its state and refuses more', () => {
  const { limiter } = limiterOf(2, 5);
  const policy = '"key";q=5;w=3';
  assert.deepEqual(limiter.look('a'), {
    isAllowed: true,
    headers: { 'ratelimit-policy': policy, ratelimit: '"key";r=5;t=0' },
    retryAfterSeconds: 1,
  });
  const taken = Array.from({ length: 6 }, () => limiter.take('a'));
  assert.deepEqual(
    taken.map(({ isAllowed, headers }) => [isAllowed, headers.ratelimit]),
    [
      [true, '"key";r=4;t=1'],
      [true, '"key";r=3;t=1'],
      [true, '"key";r=2;t=2'],
      [true, '"key";r=1;t=2'],
      [true, '"key";r=0;t=3'],
      [false, '"key";r=0;t=3'],
    ],
  );
  assert.equal(limiter.look('a').isAllowed, false);
  assert.equal(limiter.take('b').isAllowed, true, 'another bucket');
});

test('a bucket refills continuously at its rate up to its burst', () => {
  const { limiter, pass } = limiterOf(2, 3);
  for (let count = 0; count < 3; count += 1) limiter.take('a');
  pass(499);
  assert.equal(limiter.take('a').isAllowed, false);
  pass(1);
  assert.equal(limiter.look('a').isAllowed, true, 'looking takes nothing');
  assert.equal(limiter.take('a').isAllowed, true);
  assert.equal(limiter.take('a').isAllowed, false);
  pass(60_000);
  assert.equal(limiter.look('a').headers.ratelimit, '"key";r=3;t=0');
});

test('Retry-After is the time until the next request, at least a second', () => {
  const { limiter, pass } = limiterOf(0.1, 1);
  limiter.take('a');
  assert.equal(limiter.take('a').retryAfterSeconds, 10);
  pass(4_000);
  assert.equal(limiter.take('a').retryAfterSeconds, 6);
  const quick = limiterOf(100, 1).limiter;
  quick.take('a');
  assert.equal(quick.take('a').retryAfterSeconds, 1);
});

test('a clock that goes back removes nothing from a bucket', () => {
  const { limiter, pass } = limiterOf(1, 2);
  limiter.take('a');
  pass(-3_600_000);
  assert.equal(limiter.look('a').headers.ratelimit, '"key";r=1;t=1');
});

test('a forgotten bucket is unknown and full again', () => {
  const { limiter } = limiterOf(1, 2);
  assert.equal(limiter.has('a'), false);
  limiter.take('a');
  assert.deepEqual([limiter.has('a'), limiter.has('b')], [true, false]);
  limiter.forget('a');
  assert.equal(limiter.has('a'), false);
  assert.equal(limiter.take('a').headers.ratelimit, '"key";r=1;t=1');
});

test('keeps at least the 50,000 most recently used buckets', () => {
  const { limiter } = limiterOf(1, 2);
  const take = (from: number, to: number) => {
    for (let count = from; count < to; count += 1) limiter.take(`bucket ${count}`);
  };
  const remaining = (bucket: string) => limiter.look(bucket).headers.ratelimit;
  limiter.take('first');
  limiter.take('second');
  take(2, 50_000);
  limiter.take('first');
  take(50_000, 100_000);
  assert.equal(remaining('first'), '"key";r=0;t=2', 'used again, so it is kept');
  assert.equal(remaining('bucket 50000'), '"key";r=1;t=1', 'among the latest');
  assert.equal(remaining('second'), '"key";r=2;t=0', 'forgotten');
});

test('an IPv4 address has its own bucket, an IPv6 address that of its /64', () => {
  assert.equal(addressBucket(undefined), '');
  assert.equal(addressBucket('192.0.2.1'), '192.0.2.1');
  assert.equal(addressBucket('no:address'), 'no:address');
  const whole = addressBucket('2001:0db8:0000:0001:0000:0000:0000:0001');
  assert.equal(whole, '8193:3512:0:1');
  for (const address of ['2001:db8:0:1::1', '2001:db8:0:1:ffff::', '2001:DB8::1:0:0:0:9', '2001:db8:0:1:2:3:4:5'])
    assert.equal(addressBucket(address), whole, address);
  assert.equal(addressBucket('::1'), '0:0:0:0');
  assert.equal(addressBucket('::'), '0:0:0:0');
  assert.equal(addressBucket('1::'), '1:0:0:0');
  assert.equal(addressBucket('::5:0:0:0:9'), '0:0:0:5');
  assert.equal(addressBucket('a:b:c:d::'), '10:11:12:13');
  assert.notEqual(addressBucket('2001:db8:0:2::1'), whole);
});
