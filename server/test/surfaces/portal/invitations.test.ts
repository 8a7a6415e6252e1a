import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOf } from '../../harness/audit-log.ts';
import { type CookieBrowser, enterMailedCode, openCookieBrowser } from '../../harness/cookie-browser.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPasskey } from '../../harness/passkey.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { totp } from '../../harness/totp.ts';

/** A membership begins when the invited person accepts, and sign-ins belong to the person. */

const service = openForFile(() => startTestService());

const signIn = async (email: string) => (await enterMailedCode(service, email)).browser;

async function json(browser: CookieBrowser, method: string, path: string, body?: object) {
  const { status, text } = await browser.call(method, path, body);
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}

/** The admin of a new organization invites this address. */
async function invite(email: string, role: 'admin' | 'member' = 'admin') {
  const organization = await service.organization();
  const admin = await signIn('admin@example.com');
  const path = `/organizations/${organization.organizationId}`;
  const { status, body } = await json(admin, 'POST', `${path}/members`, { email, role });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.invitation, 'pending');
  return { organization, admin, path, memberId: body.member_id as string };
}

const logOf = ({ organizationId }: TestOrganization) => eventsOf(service, organizationId);
const myLog = async (browser: CookieBrowser): Promise<string[]> =>
  (await json(browser, 'GET', '/sign-in-events')).body.data.map(({ sentence }: { sentence: string }) => sentence);

test('an invited person gets a code but no access until they accept', async () => {
  const { organization, path } = await invite('new@example.com');
  const person = await signIn('new@example.com');
  const me = (await json(person, 'GET', '/me')).body;
  assert.deepEqual(me.memberships, []);
  assert.deepEqual(me.invitations, [
    { organization_id: organization.organizationId, organization_name: 'Test Organization', role: 'admin' },
  ]);
  assert.equal((await json(person, 'GET', `${path}/members`)).status, 404);
  const answer = (name: string) => person.call('POST', `/invitations/${organization.organizationId}/${name}`);
  assert.equal((await answer('accept')).status, 204);
  assert.equal((await json(person, 'GET', `${path}/members`)).status, 200);
  for (const name of ['accept', 'decline']) assert.equal((await answer(name)).status, 404);
  const [event] = await logOf(organization);
  assert.deepEqual([event?.sentence, event?.actor.name], ['Accepted the invitation', 'new@example.com']);
  const mailed = await service.sql(
    `select recipient, details->>'change' as change from notices
     where organization_id = $1 and kind = 'access_changed' and details->>'about' = 'new@example.com' order by notice_id`,
    [organization.organizationUuid],
  );
  assert.deepEqual(mailed, [
    { recipient: 'admin@example.com', change: 'admin_invited' },
    { recipient: 'admin@example.com', change: 'admin_added' },
    { recipient: 'new@example.com', change: 'admin_added' },
  ]);
});

test('only the invited person can answer, and not after the invitation is withdrawn', async () => {
  const { organization, admin, path, memberId } = await invite('late@example.com', 'member');
  const accept = (browser: CookieBrowser) => browser.call('POST', `/invitations/${organization.organizationId}/accept`);
  assert.equal((await accept(admin)).status, 404);
  assert.equal((await accept(openCookieBrowser(service.url))).status, 401);
  const person = await signIn('late@example.com');
  assert.equal((await json(admin, 'POST', `${path}/members/${memberId}/deactivate`)).body.invitation, 'ended');
  assert.equal((await accept(person)).status, 404);
  const again = await json(admin, 'POST', `${path}/members/${memberId}/activate`);
  assert.deepEqual([again.body.invitation, again.body.deactivated_at === null], ['pending', false]);
  assert.equal((await accept(person)).status, 204);
});

test('no order is attributed to an invited person, and no mail to admins reaches them', async () => {
  const { organization } = await invite('waiting@example.com');
  await service.sql('update members set deactivated_at = now() where organization_id = $1 and email = $2', [
    organization.organizationUuid,
    'admin@example.com',
  ]);
  const { status, body } = await organization.live.order([
    { amount: 2_500, category: 'coffee', delivery: { method: 'link' } },
  ]);
  assert.deepEqual([status, body.error.code], [422, 'organization_not_configured']);
  const mailed = await service.sql(
    `select 1 from notices where organization_id = $1 and recipient = 'waiting@example.com' and kind <> 'member_invited'`,
    [organization.organizationUuid],
  );
  assert.deepEqual(mailed, []);
});

test('an admin who adds a stranger’s address sees nothing of their sign-in', async () => {
  const { organization } = await invite('stranger@example.com');
  const stranger = await signIn('stranger@example.com');
  const key = createPasskey(service.url.replace('127.0.0.1', 'localhost'));
  const { body: options } = await json(stranger, 'GET', '/auth/passkey/generate-register-options');
  const response = key.register(options.challenge, true);
  assert.equal(
    (await json(stranger, 'POST', '/auth/passkey/verify-registration', { name: 'Key', response })).status,
    200,
  );
  await service.sql(`update members set invitation = null, deactivated_at = null where email = 'stranger@example.com'`);
  await signIn('stranger@example.com');
  const seen = JSON.stringify(await logOf(organization));
  assert.doesNotMatch(seen, /passkey|Signed in|"member\.sign_in/i);
  assert.doesNotMatch(
    JSON.stringify(
      await service.sql('select details from notices where organization_id = $1', [organization.organizationUuid]),
    ),
    /127\.0\.0\.1[^}]*(?:device|sign_in)|(?:device|sign_in)[^}]*127\.0\.0\.1/,
  );
  assert.deepEqual(await myLog(stranger), ['Signed in on a new device', 'Added a passkey', 'Signed in']);
});

test('sign-ins, wrong codes and changes are in the person’s own log', async () => {
  await service.organization();
  const email = 'admin@example.com';
  await service.sql('delete from portal.users');
  const browser = await signIn(email);
  await service.clock.jump(120_000);
  await browser.call('POST', '/auth/email-otp/send-verification-otp', { email, type: 'sign-in' });
  assert.equal((await browser.call('POST', '/auth/sign-in/email-otp', { email, otp: 'wrong' })).status, 400);
  const { body } = await json(browser, 'POST', '/auth/two-factor/enable', {});
  const secret = new URL(body.totpURI).searchParams.get('secret') ?? '';
  const code = totp(secret, service.clock.now());
  assert.equal((await json(browser, 'POST', '/auth/two-factor/verify-totp', { code })).status, 200);
  assert.equal((await json(browser, 'POST', '/auth/two-factor/disable', {})).status, 200);
  assert.deepEqual(
    (await myLog(browser)).filter((sentence) => sentence !== 'Signed in'),
    [
      'Turned off the authenticator app',
      'Set up an authenticator app',
      'Someone entered a wrong code for this address',
    ],
  );
});
