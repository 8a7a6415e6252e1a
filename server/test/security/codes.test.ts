import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { codeOf, createPortalClient } from '../harness/portal-client.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

/** What a mailed code opens, for whom and how long (ASVS 5.0, 6.4.1 and 6.6.2). */

const ADMIN = 'admin@example.com';
const SECOND = 'second@example.com';

let service: TestService;
before(async () => {
  service = await startTestService({ TRUST_PROXY: '127.0.0.1' });
  await (await service.organization()).addMembers();
});
after(() => service?.close());

/** A new person with a new address each time. */
let strangers = 0;
async function callAsStranger(path: string, body: object) {
  strangers += 1;
  const stranger = await createPortalClient(service, null);
  const headers = { origin: service.url, 'x-forwarded-for': `198.51.100.${strangers}` };
  const { status } = await stranger.call('POST', `/auth${path}`, body, headers);
  return { status, isSignedIn: (await stranger.call('GET', '/me')).status === 200 };
}

const ask = (email: string) => callAsStranger('/email-otp/send-verification-otp', { email, type: 'sign-in' });
const signIn = (email: string, otp: string) => callAsStranger('/sign-in/email-otp', { email, otp });

const OPENED = { status: 200, isSignedIn: true };
const REFUSED = { status: 400, isSignedIn: false };

/** Requests a code for this address and returns it. */
async function newCode(email: string): Promise<string> {
  await service.clock.jump(120_000);
  await service.sql(`delete from notices where kind = 'sign_in_code'`);
  assert.equal((await ask(email)).status, 200);
  return await codeOf(service, email);
}

test('a code works for ten minutes and no longer', async () => {
  for (const [ageSeconds, outcome] of [
    [590, OPENED],
    [601, REFUSED],
  ] as const) {
    const code = await newCode(ADMIN);
    // The library uses the real time, so the test moves the row's time.
    await service.sql('update portal.verifications set expires_at = expires_at - make_interval(secs => $1)', [
      ageSeconds,
    ]);
    assert.deepEqual(await signIn(ADMIN, code), outcome, `${ageSeconds} s`);
  }
});

test('only the latest code of an address works, and only once', async () => {
  const earlier = await newCode(ADMIN);
  const latest = await newCode(ADMIN);
  const others = await newCode(SECOND);
  assert.deepEqual(await signIn(ADMIN, earlier), REFUSED);
  assert.deepEqual(await signIn(ADMIN, others), REFUSED);
  assert.deepEqual(await signIn(SECOND, latest), REFUSED);
  assert.deepEqual(await signIn(ADMIN, latest), OPENED);
  assert.deepEqual(await signIn(ADMIN, earlier), REFUSED);
  assert.deepEqual(await signIn(SECOND, others), OPENED);
});

test('an address gets ten codes and attempts at once, then one in ten seconds', async () => {
  await service.clock.jump(120_000);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    statuses.push((await ask(n % 2 === 0 ? ADMIN : ADMIN.toUpperCase())).status);
    statuses.push((await signIn(ADMIN, 'none')).status);
  }
  assert.deepEqual(statuses, [...Array(5).fill([200, 400]).flat(), 429, 429]);
  assert.equal((await ask(SECOND)).status, 200);
  await service.clock.jump(10_000);
  assert.deepEqual([(await ask(ADMIN)).status, (await ask(ADMIN)).status], [200, 429]);
});
