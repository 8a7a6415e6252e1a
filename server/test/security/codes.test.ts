import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { codeOf, createPortalClient, type PortalClient } from '../harness/portal-client.ts';
import { until } from '../harness/server-process.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

/** What a mailed code opens, for whom and how long (ASVS 5.0, 6.3.1, 6.4.1 and 6.6.2). */

const ADMIN = 'admin@example.com';
const SECOND = 'second@example.com';

let service: TestService;
before(async () => {
  service = await startTestService({ TRUST_PROXY: '127.0.0.1' });
  await (await service.organization()).addMembers();
});
after(() => service?.close());

/** A browser with a separate address. */
interface Browser {
  client: PortalClient;
  ask(email: string): Promise<number>;
  enter(email: string, otp: string): Promise<number>;
  isSignedIn(): Promise<boolean>;
}

let browsers = 0;
async function open(client?: PortalClient): Promise<Browser> {
  browsers += 1;
  const address = `198.51.${Math.floor(browsers / 250)}.${browsers % 250}`;
  const own = client ?? (await createPortalClient(service, null));
  const post = async (path: string, body: object) =>
    (await own.call('POST', `/auth${path}`, body, { origin: service.url, 'x-forwarded-for': address })).status;
  return {
    client: own,
    ask: (email) => post('/email-otp/send-verification-otp', { email, type: 'sign-in' }),
    enter: (email, otp) => post('/sign-in/email-otp', { email, otp }),
    isSignedIn: async () => (await own.call('GET', '/me')).status === 200,
  };
}

/** Asks for a code in this browser and returns it. */
async function newCode(browser: Browser, email: string): Promise<string> {
  await service.clock.jump(120_000);
  await service.sql('delete from portal.codes');
  assert.equal(await browser.ask(email), 200);
  return await codeOf(service, email);
}

const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000');

/** A stranger asks for a code of this address and enters three wrong ones. */
async function guess(email: string): Promise<number[]> {
  const stranger = await open();
  await service.sql('delete from portal.codes');
  const asked = await stranger.ask(email);
  if (asked !== 200) return [asked];
  // It is queued after the answer: a later look at the queue must not find it.
  await codeOf(service, email);
  return [await stranger.enter(email, 'x'), await stranger.enter(email, 'y'), await stranger.enter(email, 'z')];
}

test('a code works for ten minutes and no longer', async () => {
  for (const [ageMs, status] of [
    [590_000, 200],
    [601_000, 400],
  ] as const) {
    const browser = await open();
    const code = await newCode(browser, ADMIN);
    await service.clock.jump(ageMs);
    assert.equal(await browser.enter(ADMIN, code), status, `${ageMs} ms`);
    assert.equal(await browser.isSignedIn(), status === 200);
  }
});

test('only the latest code works, only once and only in the browser that asked', async () => {
  const [browser, other] = [await open(), await open()];
  const earlier = await newCode(browser, ADMIN);
  const latest = await newCode(browser, ADMIN);
  const others = await newCode(other, SECOND);
  assert.equal(await browser.enter(ADMIN, earlier), 400);
  assert.equal(await other.enter(ADMIN, latest), 400);
  assert.equal(await browser.enter(SECOND, others), 400);
  assert.equal(await browser.enter(ADMIN, latest), 200);
  assert.equal(await browser.enter(ADMIN, latest), 400);
  assert.equal(await other.enter(SECOND, others), 200);
});

test('a code ends with the third wrong attempt', async () => {
  const browser = await open();
  const code = await newCode(browser, ADMIN);
  for (let n = 0; n < 3; n += 1) assert.equal(await browser.enter(ADMIN, wrongFor(code)), 400);
  assert.equal(await browser.enter(ADMIN, code), 400);
});

test('wrong codes of strangers do not end a member’s code', async () => {
  const browser = await open();
  const code = await newCode(browser, SECOND);
  assert.deepEqual(await guess(SECOND), [400, 400, 400]);
  assert.equal(await browser.enter(SECOND, code), 200);
});

test('strangers who use up codes and tries stop no member in a browser used before', async () => {
  const owner = await createPortalClient(service, SECOND);
  const statuses: number[] = [];
  for (let n = 0; n < 8; n += 1) statuses.push(...(await guess(SECOND)));
  assert.equal(statuses.at(-1), 429, 'the strangers are stopped');
  await service.sql('delete from portal.codes');
  const browser = await open(owner);
  assert.equal((await owner.call('POST', '/auth/sign-out', {})).status, 200);
  assert.equal(await browser.ask(SECOND), 200);
  assert.equal(await browser.enter(SECOND, await codeOf(service, SECOND)), 200);
  assert.equal(await browser.isSignedIn(), true);
});

test('simultaneous guesses cannot pass the pause after the tenth', async () => {
  await service.sql('delete from portal.failures');
  const strangers: Browser[] = [];
  for (let n = 0; n < 6; n += 1) {
    await service.clock.jump(60_000);
    const stranger = await open();
    if ((await stranger.ask(ADMIN)) === 200) strangers.push(stranger);
  }
  assert.ok(strangers.length >= 4, `${strangers.length}`);
  const tries = strangers.flatMap((stranger) => ['a', 'b', 'c'].map((otp) => stranger.enter(ADMIN, otp)));
  const statuses = await Promise.all(tries);
  assert.equal(statuses.filter((status) => status === 400).length, 10, statuses.join());
  assert.equal(statuses.filter((status) => status === 429).length, statuses.length - 10);
});

test('an address takes one hundred wrong codes ever, with pauses of up to a day', async () => {
  await service.sql('delete from portal.failures');
  const owner = await createPortalClient(service, SECOND);
  await service.sql('delete from portal.codes');
  const startedAt = service.clock.now();
  let guesses = 0;
  let refusals = 0;
  let codes = 0;
  while (refusals < 3) {
    const stranger = await open();
    const asked = await stranger.ask(SECOND);
    if (asked === 200) codes += 1;
    const status = asked === 200 ? await stranger.enter(SECOND, 'wrong') : asked;
    if (status === 400) guesses += 1;
    refusals = status === 429 ? refusals + 1 : 0;
    await service.clock.jump(guesses > 10 ? 86_400_000 : 120_000);
  }
  assert.equal(guesses, 100);
  // A code is mailed after its answer: the owner's must be the only one that is still to come.
  const mailed = () => service.sql('select from portal.codes where recipient = $1', [SECOND]);
  await until(async () => (await mailed()).length >= codes, 'every code was mailed');
  assert.ok(service.clock.now() - startedAt > 80 * 86_400_000);
  const { body } = await (await open()).client.call('POST', '/auth/sign-in/email-otp', { email: SECOND, otp: 'x' });
  assert.notEqual(body.error?.code, 'sign_in_required');
  const browser = await open(owner);
  assert.equal(await browser.enter(SECOND, await newCode(browser, SECOND)), 200, 'a known browser');
});

test('an address gets five codes at once, then one in two minutes', async () => {
  await service.clock.jump(86_400_000);
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1) statuses.push(await (await open()).ask(n % 2 === 0 ? ADMIN : ADMIN.toUpperCase()));
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
  assert.equal(await (await open()).ask(SECOND), 200);
  await service.clock.jump(120_000);
  assert.deepEqual([await (await open()).ask(ADMIN), await (await open()).ask(ADMIN)], [200, 429]);
});
