import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enterMailedCode, openCookieBrowser } from '../harness/cookie-browser.ts';
import { workUntil } from '../harness/mail-server.ts';
import { createPortalClient, type PortalClient } from '../harness/portal-client.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';
import { totp } from '../harness/totp.ts';

/** Sessions: a new cookie at each sign-in, ended on the server, with an idle and an absolute limit. */

const DAY_MS = 86_400_000;
const EMAIL = 'admin@example.com';

let service: TestService;
let organizationId: string;
before(async () => {
  service = await startTestService();
  ({ organizationId } = await service.organization());
});
after(() => service.close());

/** Whether this cookie opens a session. */
async function opens(cookie: string): Promise<boolean> {
  const { status } = await fetch(`${service.url}/portal/api/me`, { headers: { cookie } });
  assert.ok(status === 200 || status === 401, `${status}`);
  return status === 200;
}

const sessionRows = () =>
  service.sql<{ token: string; expires_at: Date; created_at: Date }>(
    'select token, expires_at, created_at from portal.sessions order by created_at desc',
  );

/** Signs in from a browser that already has this cookie. */
async function signInWith(cookie: string): Promise<string> {
  const browser = openCookieBrowser(service.url);
  if (cookie !== '') browser.cookies.set(...(cookie.split('=', 2) as [string, string]));
  await enterMailedCode(service, EMAIL, { browser });
  return [...browser.cookies]
    .filter(([name]) => name.endsWith('session_token'))
    .map((pair) => pair.join('='))
    .join('; ');
}

test('each sign-in sets a new cookie', async () => {
  const earlier = (await createPortalClient(service, EMAIL)).cookie();
  const planted = `${earlier.slice(0, earlier.indexOf('='))}=planted.c2lnbmF0dXJl`;
  const cookies = [earlier, await signInWith(planted), await signInWith(earlier)];
  assert.equal(new Set(cookies).size, 3);
  // The last sign-in replaced the first in the same browser.
  assert.deepEqual(await Promise.all(cookies.map(opens)), [false, true, true]);
  assert.ok(!(await opens(planted)));
});

test('a cookie has 128 random bits and needs its signature', async () => {
  const cookie = await signInWith('');
  const [name = '', value = ''] = cookie.split('=');
  const [token = '', signature = ''] = decodeURIComponent(value).split('.');
  assert.match(token, /^[A-Za-z0-9]{32,}$/);
  const [row] = await sessionRows();
  assert.equal(row?.token, token, 'what the database has is half of it');
  const flipped = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  for (const altered of [
    token,
    `${token}.`,
    `${token}.${flipped}`,
    `${token}.${Buffer.from(token).toString('base64')}`,
    '',
    '.',
  ])
    assert.ok(!(await opens(`${name}=${encodeURIComponent(altered)}`)), altered);
  assert.ok(await opens(cookie));
});

test('signing out ends only this session, on the server', async () => {
  const other = await signInWith('');
  const person = await createPortalClient(service, EMAIL);
  const cookie = person.cookie();
  assert.equal((await person.call('POST', '/auth/sign-out', {})).status, 200);
  assert.ok(!(await opens(cookie)));
  assert.ok(await opens(other));
});

test('a session ends after three days without use', async () => {
  const cookie = await signInWith('');
  const [signedIn] = await sessionRows();
  assert.equal(signedIn?.created_at.getTime(), service.clock.now());
  const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0];
  // The library uses the real time, so the test moves the row's time.
  const pass = (interval: string) =>
    service.sql('update portal.sessions set expires_at = expires_at - $2::interval where token = $1', [
      token,
      interval,
    ]);
  await pass('71 hours');
  assert.ok(await opens(cookie), 'used within three days');
  const [row] = await service.sql<{ left: number }>(
    `select extract(epoch from expires_at - now())::float8 * 1000 as left from portal.sessions where token = $1`,
    [token],
  );
  assert.ok((row?.left ?? 0) > 2 * DAY_MS, 'and prolonged by that');
  await pass('73 hours');
  assert.ok(!(await opens(cookie)));
});

test('a session is deleted a day after its end, with address and browser', async () => {
  const cookies = [await signInWith(''), await signInWith('')];
  const [kept = '', ended = ''] = (await sessionRows()).map(({ token }) => token);
  const known = async () => (await sessionRows()).map(({ token }) => token);
  await service.sql(`update portal.sessions set expires_at = now() - interval '25 hours' where token = $1`, [ended]);
  await service.sql(`update portal.sessions set expires_at = now() - interval '23 hours' where token = $1`, [kept]);
  await workUntil(service, async () => !(await known()).includes(ended), 'forgotten');
  assert.ok((await known()).includes(kept), 'a day leaves room for servers whose clocks differ');
  for (const cookie of cookies) assert.ok(!(await opens(cookie)));
});

test('each extension of the session renews the cookie', async () => {
  const headers = { cookie: await signInWith(''), origin: service.url, 'content-type': 'application/json' };
  const setCookies = async (path: string) =>
    (await fetch(`${service.url}/portal/api${path}`, { headers })).headers.getSetCookie();
  const prolonged = [`${headers.cookie}; Max-Age=259200; Path=/; HttpOnly; SameSite=Lax`];
  for (const path of ['/me', `/organizations/${organizationId}/live/keys`, '/auth/passkey/list-user-passkeys']) {
    assert.deepEqual(await setCookies(path), [], 'used within the hour');
    await service.sql(`update portal.sessions set expires_at = expires_at - interval '2 hours'`);
    assert.deepEqual(await setCookies(path), prolonged, path);
  }
});

// Runs last: this person needs a second factor afterwards.
test('a second factor sets a new cookie and ends the old one', async () => {
  const person: PortalClient = await createPortalClient(service, EMAIL);
  const before = person.cookie();
  const { body } = await person.call('POST', '/auth/two-factor/enable', {});
  const secret = new URL(body.totpURI).searchParams.get('secret') ?? '';
  const code = totp(secret, service.clock.now());
  assert.equal((await person.call('POST', '/auth/two-factor/verify-totp', { code })).status, 200);
  assert.notEqual(person.cookie(), before);
  assert.ok(await opens(person.cookie()));
  assert.ok(!(await opens(before)));
});
