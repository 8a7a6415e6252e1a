import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getMigrations } from 'better-auth/db/migration';
import { Pool } from 'pg';
import type { Operation } from '../../../src/platform/api/operation.ts';
import { isReading } from '../../../src/platform/authentication/permissions.ts';
import { authOptions } from '../../../src/surfaces/portal/sign-in/auth-options.ts';
import { authCalls } from '../../../src/surfaces/portal/sign-in/routes.ts';
import { createSignIn } from '../../../src/surfaces/portal/sign-in/sign-in.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { codeOf, createPortalClient } from '../../harness/portal-client.ts';
import { LINK_SECRET, startTestService, type TestService } from '../../harness/test-service.ts';
import { totp } from '../../harness/totp.ts';

/** Who may call which route. */

const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const added = openForFile(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const routes = () => service.service.app.portalRoutes;
const pathOf = (path: string, organizationId = organization.organizationId) =>
  path
    .replace('{organization_id}', organizationId)
    .replace('{environment}', 'sandbox')
    .replace(/\{\w+\}/g, 'x');

/** Operations that send what they compare or preview. */
const storesNothing = (operationId: string) => ['reconcile', 'previewBrand'].includes(operationId);
const isOwn = (operationId: string) => ['saveGiftView', 'renameGiftView', 'removeGiftView'].includes(operationId);
const isOfAdmins = ({ needs = [] }: Pick<Operation, 'needs'>) => [needs].flat().some((one) => !isReading(one));

test('every route of an organization refuses people who are not its members', async () => {
  const other = await service.organization();
  await service.sql(`update members set email = 'stranger@example.com' where organization_id = $1`, [
    other.organizationUuid,
  ]);
  const stranger = await createPortalClient(service, 'stranger@example.com');
  const visitor = await createPortalClient(service, null);
  const ofOrganizations = routes().filter(({ path }) => path.startsWith('/organizations/'));
  assert.ok(ofOrganizations.length > 20, `${ofOrganizations.length} routes`);
  for (const route of ofOrganizations) {
    const { method, path, operationId } = route;
    const where = `${method} ${path}`;
    assert.ok(route.access === 'member' || isOfAdmins(route), where);
    assert.ok(
      method === 'GET' || storesNothing(operationId) || isOwn(operationId) || isOfAdmins(route),
      `${where} changes something`,
    );
    const unsigned = await visitor.call(method, pathOf(path), {});
    assert.deepEqual([unsigned.status, unsigned.body.error?.code], [401, 'sign_in_required'], where);
    const foreign = await stranger.call(method, pathOf(path), {});
    const missing = await stranger.call(method, pathOf(path, 'org_01h455vb4pex5vsknk084sn02q'), {});
    assert.deepEqual([foreign.status, foreign.body.error?.code], [404, 'not_found'], where);
    delete foreign.body.error.request_id;
    delete missing.body.error.request_id;
    assert.deepEqual(foreign.body, missing.body, where);
  }
});

test('changes from a foreign or missing origin are refused, reads are not', async () => {
  const changing = [
    ...routes()
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => ({ method, path: pathOf(path) })),
    ...authCalls
      .filter(({ method }) => method === 'POST')
      .map(({ method, path }) => ({ method, path: `/auth${path}` })),
  ];
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: service.url, 'sec-fetch-site': 'cross-site' },
    { origin: service.url, 'sec-fetch-site': 'same-site' },
    {},
  ] as Record<string, string>[])
    for (const { method, path } of changing) {
      const { status, body } = await admin.call(method, path, {}, headers);
      assert.deepEqual(
        [status, body.error?.code],
        [403, 'foreign_origin'],
        `${method} ${path} ${JSON.stringify(headers)}`,
      );
    }
  const { status } = await admin.call('GET', '/me', undefined, { origin: 'https://evil.example' });
  assert.equal(status, 200);
});

test('a sign-in at another address of the machine names PUBLIC_URL', async () => {
  const visitor = await createPortalClient(service, null);
  const { host } = new URL(service.url);
  const origin = `http://192.0.2.7:${new URL(service.url).port}`;
  const headers = { origin, 'sec-fetch-site': 'same-origin', host };
  const { status, body } = await visitor.call('POST', '/auth/email-otp/send-verification-otp', {}, headers);
  assert.deepEqual([status, body.error.code], [403, 'foreign_origin']);
  assert.ok(body.error.message.includes(`must set PUBLIC_URL to ${origin}.`), body.error.message);
});

test('a deactivated member loses access at once and gets no code', async () => {
  const person = await createPortalClient(service, 'member@example.com');
  const path = `/organizations/${organization.organizationId}/live/keys`;
  assert.equal((await person.call('GET', path)).status, 200);
  await organization.deactivate(added.member);
  assert.equal((await person.call('GET', path)).status, 404);
  const me = await person.call('GET', '/me');
  assert.deepEqual(me.body.memberships, []);
  const [before] = await service.sql(`select count(*) from notices where recipient = 'member@example.com'`);
  const visitor = await createPortalClient(service, null);
  const answers = [];
  for (const email of ['member@example.com', 'visitor@example.com', 'admin@example.com']) {
    await service.clock.jump(60_000);
    const { status, body } = await visitor.call('POST', '/auth/email-otp/send-verification-otp', {
      email,
      type: 'sign-in',
    });
    answers.push({ status, body });
  }
  // Known or not: the same answer.
  assert.deepEqual(answers, Array(3).fill({ status: 200, body: { success: true } }));
  const [after] = await service.sql(`select count(*) from notices where recipient = 'member@example.com'`);
  assert.deepEqual(after, before);
});

test('one client can request a limited number of codes for all addresses', async () => {
  await service.clock.jump(600_000);
  const visitor = await createPortalClient(service, null);
  const statuses = [];
  for (let n = 0; n < 12; n += 1)
    statuses.push(
      (
        await visitor.call('POST', '/auth/email-otp/send-verification-otp', {
          email: `${n}@example.com`,
          type: 'sign-in',
        })
      ).status,
    );
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
  await service.clock.jump(600_000);
});

test('the migration matches the schema that better-auth compiles', async () => {
  const pool = new Pool({ ...service.target, options: '-c search_path=portal' });
  try {
    const { toBeCreated, toBeAdded } = await getMigrations(
      authOptions({
        pool,
        urls: [service.url],
        secrets: ['a secret for a test, long enough to be one'],
        log: service.service.deps.log,
        codeActs: { start: async () => true, tryCode: async () => 'wrong', remember: async () => undefined },
        clock: service.clock,
        claimStep: async () => true,
      }),
    );
    assert.deepEqual([toBeCreated, toBeAdded], [[], []]);
  } finally {
    await pool.end();
  }
});

test('a replaced secret ends sessions and keeps authenticator apps valid', async () => {
  const person = await createPortalClient(service, 'second@example.com');
  const { body: started } = await person.call('POST', '/auth/two-factor/enable', {});
  const secret = new URL(started.totpURI).searchParams.get('secret') ?? '';
  const proof = await person.call('POST', '/auth/two-factor/verify-totp', { code: totp(secret, service.clock.now()) });
  assert.equal(proof.status, 200);
  const replaced = createSignIn({
    ...service.service.deps,
    target: service.homeTarget,
    linkSecrets: ['another link secret, that came after the first', LINK_SECRET],
  });
  try {
    const auth = (path: string, body: object, cookie = '') =>
      replaced.handle(
        new Request(`${service.url}/portal/api/auth${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: service.url, cookie },
          body: JSON.stringify(body),
        }),
      );
    assert.equal(await replaced.findSession(new Headers({ cookie: person.cookie() })), undefined);
    await service.sql('delete from portal.codes');
    const asked = await auth('/email-otp/send-verification-otp', { email: 'second@example.com', type: 'sign-in' });
    const otp = await codeOf(service, 'second@example.com');
    const half = await auth('/sign-in/email-otp', { email: 'second@example.com', otp }, cookiesOf(asked.headers));
    assert.deepEqual(await half.json(), { twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    const cookie = cookiesOf(half.headers);
    assert.equal(await replaced.findSession(new Headers({ cookie })), undefined, 'a code alone is not a session');
    // The code that set the app up is good no more; this is the next.
    await service.clock.jump(30_000);
    const whole = await auth('/two-factor/verify-totp', { code: totp(secret, service.clock.now()) }, cookie);
    assert.equal(whole.status, 200, await whole.text());
  } finally {
    await replaced.close();
  }
});

const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ');

/** Asks for a code at this public URL and signs in with it. */
async function signInAt(publicUrl: string): Promise<{ second: TestService; cookie: string }> {
  const second = await service.second({ PUBLIC_URL: publicUrl });
  await service.clock.jump(120_000);
  await service.sql('delete from portal.codes');
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${second.url}/portal/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(publicUrl).origin, cookie },
      body: JSON.stringify(body),
    });
  const email = 'admin@example.com';
  const asked = await post('/email-otp/send-verification-otp', { email, type: 'sign-in' });
  assert.equal(asked.status, 200);
  const otp = await codeOf(service, email);
  const { status, headers } = await post('/sign-in/email-otp', { email, otp }, cookiesOf(asked.headers));
  assert.equal(status, 200);
  return { second, cookie: headers.getSetCookie()[0] ?? '' };
}

test('behind HTTPS the session cookie is secure and bound to the host', async () => {
  const { cookie } = await signInAt('https://gifts.example.com');
  assert.match(cookie, /^__Host-bestow\.session_token=[^;]+; Max-Age=259200; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test('sign-in works if the public URL has a path', async () => {
  const { second, cookie } = await signInAt('https://gifts.example.com/shop');
  assert.equal((await fetch(`${second.url}/portal/api/me`, { headers: { cookie } })).status, 200);
});

test('only the used calls of better-auth are reachable', async () => {
  for (const path of [
    '/ok',
    '/error',
    '/sign-up/email',
    '/sign-in/email',
    '/update-user',
    '/delete-user',
    '/change-email',
  ])
    for (const method of ['GET', 'POST'] as const)
      assert.equal((await admin.call(method, `/auth${path}`, {})).status, 404, `${method} ${path}`);
});

test('unknown filters, bad values and unknown environments are refused', async () => {
  const list = `/organizations/${organization.organizationId}`;
  const unknown = await admin.call('GET', `${list}/live/keys?bogus=1`);
  assert.equal(unknown.status, 422);
  assert.deepEqual([unknown.body.error.code, unknown.body.error.param], ['parameter_invalid', 'bogus']);
  assert.equal((await admin.call('GET', `${list}/test/keys`)).status, 404);
  const again = await createPortalClient(service, 'admin@example.com');
  const body = await again.call('POST', `${list}/live/keys`, { name: ' ' });
  assert.deepEqual([body.status, body.body.error.param], [422, 'name']);
});

test('the portal’s page has a strict policy, a new nonce and is not cached', async () => {
  const [one, two] = [await fetch(`${service.url}/portal`), await fetch(`${service.url}/portal/anything/at/all?x=1`)];
  const nonces = [one, two].map(
    ({ headers }) => /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1],
  );
  assert.notEqual(nonces[0], nonces[1]);
  assert.equal(
    one.headers.get('content-security-policy'),
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonces[0]}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  assert.equal(one.headers.get('cache-control'), 'no-store');
  const html = await one.text();
  assert.ok(html.includes(`content="${nonces[0]}"`));
  const [, script = ''] = /src="(\/portal\/assets\/[^"]+\.js)"/.exec(html) ?? [];
  const asset = await fetch(service.url + script, { headers: { 'accept-encoding': 'br' } });
  assert.deepEqual(
    [asset.status, asset.headers.get('content-encoding'), asset.headers.get('cache-control')],
    [200, 'br', 'public, max-age=31536000, immutable'],
  );
  assert.equal((await fetch(`${service.url}/portal/assets/none.js`)).status, 404);
  assert.equal((await fetch(`${service.url}/portal/api/none`)).status, 404);
});

// Last, because it moves the clock that all share.
test('a session ends thirty days after its sign-in, even if it is used', async () => {
  assert.equal((await admin.call('GET', '/me')).status, 200);
  const second = await service.second();
  await second.clock.jump(31 * DAY_MS);
  const { status, body } = await admin.at(second.url).call('GET', '/me');
  assert.deepEqual([status, body.error.code], [401, 'sign_in_required']);
});
