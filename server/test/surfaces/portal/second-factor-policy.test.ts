import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { resetSignIn } from '../../../src/surfaces/portal/sign-in/reset-sign-in.ts';
import { type CookieBrowser, enableApp, enterMailedCode } from '../../harness/cookie-browser.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** An organization can require a second factor of its admins, and all admins hear of changes of who may do what. */

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
const members = openForFile(() => organization.addMembers());

const signIn = async (email: string) => (await enterMailedCode(service, email)).browser;
const of = ({ organizationId }: TestOrganization, path: string) => `/organizations/${organizationId}${path}`;

async function outcome(browser: CookieBrowser, method: string, path: string, body?: object) {
  const { status, text } = await browser.call(method, of(organization, path), body);
  return status < 300 ? status : [status, JSON.parse(text).error.code];
}

const require = (browser: CookieBrowser, isRequired: boolean) =>
  outcome(browser, 'PUT', '/second-factor-policy', { is_required: isRequired });

/** What all admins were mailed, without the mails of earlier tests. */
async function alerts() {
  const rows = await service.sql<{ recipient: string; change: string; about: string; by: string }>(
    `select recipient, details->>'change' as change, details->>'about' as about, details->>'by' as by
     from notices where organization_id = $1 and kind = 'access_changed' order by notice_id`,
    [organization.organizationUuid],
  );
  await service.sql('delete from notices where organization_id = $1', [organization.organizationUuid]);
  return rows.map(({ recipient, change, about, by }) => `${recipient}: ${change} ${about} by ${by}`);
}

test('a required second factor stops admins without one, and they can still read', async () => {
  assert.ok(members.member);
  const admin = await signIn('admin@example.com');
  const lock = [403, 'second_factor_required'];
  assert.deepEqual(await require(admin, true), lock, 'an admin cannot lock themselves out');
  const { prove } = await enableApp(service, admin);
  assert.equal((await prove()).status, 200);
  assert.equal(await require(admin, true), 204);

  const second = await signIn('second@example.com');
  assert.equal(await outcome(second, 'GET', '/live/keys'), 200);
  assert.deepEqual(await outcome(second, 'POST', '/live/keys', { name: 'Mine' }), lock);
  assert.deepEqual(await require(second, false), lock);
  const app = await enableApp(service, second);
  assert.equal((await app.prove()).status, 200);
  assert.equal(await outcome(second, 'POST', '/live/keys', { name: 'Mine' }), 200);

  assert.equal((await second.call('POST', '/auth/two-factor/disable', {})).status, 200);
  assert.deepEqual(await outcome(second, 'POST', '/live/keys', { name: 'Mine' }), lock);
  assert.equal(await require(admin, false), 204);
  assert.equal(await outcome(second, 'POST', '/live/keys', { name: 'Mine' }), 200);
});

test('all admins are mailed about a new admin, a role change and an activation', async () => {
  await alerts();
  const admin = await signIn('second@example.com');
  const by = 'by second@example.com';
  assert.equal(await outcome(admin, 'POST', '/members', { email: 'bob@example.com', role: 'admin' }), 200);
  assert.equal((await alerts()).filter((text) => text.includes('bob@example.com')).length >= 2, true);

  const [{ member_id: memberId }] = JSON.parse(
    (await admin.call('GET', of(organization, '/members'))).text,
  ).data.filter(({ email }: { email: string }) => email === 'member@example.com');
  const one = `/members/${memberId}`;
  assert.equal(await outcome(admin, 'PUT', `${one}/role`, { role: 'admin' }), 200);
  const toAll = (await alerts()).filter((text) => text.endsWith(`role_admin member@example.com ${by}`));
  assert.ok(['admin@', 'second@', 'member@'].every((name) => toAll.some((text) => text.startsWith(name))));
  assert.equal(await outcome(admin, 'PUT', `${one}/role`, { role: 'member' }), 200);
  assert.ok((await alerts()).includes(`admin@example.com: role_member member@example.com ${by}`));
  assert.equal(await outcome(admin, 'POST', `${one}/deactivate`), 200);
  assert.deepEqual(await alerts(), []);
  assert.equal(await outcome(admin, 'POST', `${one}/activate`), 200);
  assert.ok((await alerts()).includes(`admin@example.com: member_activated member@example.com ${by}`));
});

test('all admins are mailed about an admin’s new device and new way to sign in', async () => {
  const email = 'second@example.com';
  const known = await signIn(email);
  await alerts();
  await enterMailedCode(service, email, { browser: known });
  assert.deepEqual(await alerts(), [], 'a known device');
  const toBoth = (change: string) => ['admin@example.com', email].map((to) => `${to}: ${change} ${email} by ${email}`);
  const unknown = await signIn(email);
  assert.deepEqual((await alerts()).sort(), toBoth('device_added'));
  const { prove } = await enableApp(service, unknown);
  assert.equal((await prove()).status, 200);
  assert.deepEqual((await alerts()).sort(), toBoth('sign_in_added'));
});

test('all admins are mailed about a reset of an admin’s sign-in, once', async () => {
  const email = 'second@example.com';
  await signIn(email);
  await alerts();
  const [{ member_id: memberId } = { member_id: '' }] = await service.sql<{ member_id: string }>(
    'select member_id from members where organization_id = $1 and email = $2',
    [organization.organizationUuid, email],
  );
  const reset = () =>
    resetSignIn(service.service.deps, {
      organizationId: organization.organizationId,
      memberId: encodeId('mem', memberId),
      actor: OPERATOR,
    });
  await reset();
  const by = `sign_in_reset ${email} by the operator (tester)`;
  assert.deepEqual((await alerts()).sort(), [`admin@example.com: ${by}`, `${email}: ${by}`]);
  await reset();
  assert.deepEqual(await alerts(), []);
});
