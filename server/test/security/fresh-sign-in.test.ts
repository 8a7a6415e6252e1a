import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { linkGift } from '../harness/api-client.ts';
import { BRAND } from '../harness/audited-brand-acts.ts';
import { enableApp, enterMailedCode, openCookieBrowser } from '../harness/cookie-browser.ts';
import { keyIdOf } from '../harness/key-id.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

/** Sign-in methods can be changed only right after a sign-in (ASVS 5.0, 7.5.1). */

const DAY_MS = 86_400_000;
const EMAIL = 'admin@example.com';

let service: TestService;
before(async () => {
  service = await startTestService();
  await service.organization();
});
after(() => service?.close());

const signIn = async (browser = openCookieBrowser(service.url)) =>
  (await enterMailedCode(service, EMAIL, { browser })).browser;

const ageSessions = (minutes: number) =>
  service.sql('update portal.sessions set created_at = $1', [new Date(service.clock.now() - minutes * 60_000)]);

const CHANGES: readonly [method: 'GET' | 'POST', path: string, body?: object][] = [
  ['POST', '/auth/two-factor/enable', {}],
  ['POST', '/auth/two-factor/disable', {}],
  ['GET', '/auth/passkey/generate-register-options'],
  ['POST', '/auth/passkey/verify-registration', { response: {}, name: 'Mine' }],
  ['POST', '/auth/passkey/delete-passkey', { id: 'any' }],
];

test('only a session younger than ten minutes can change sign-in methods', async () => {
  const browser = await signIn();
  await ageSessions(11);
  for (const [method, path, body] of CHANGES) {
    const { status, text } = await browser.call(method, path, body);
    assert.equal(status, 403, path);
    const { request_id: requestId, ...error } = JSON.parse(text).error;
    assert.match(requestId, /^req_/);
    assert.deepEqual(error, {
      code: 'sign_in_again',
      message: 'You signed in more than ten minutes ago. Confirm that it is you, then try again.',
    });
  }
  assert.equal((await browser.call('GET', '/me')).status, 200, 'everything else goes on');
  assert.deepEqual(await service.sql('select 1 from portal.two_factors'), []);

  await ageSessions(9);
  assert.equal((await browser.call('POST', '/auth/two-factor/enable', {})).status, 200);
  await ageSessions(11);
  const again = await signIn();
  for (const [method, path, body] of CHANGES) assert.notEqual((await again.call(method, path, body)).status, 403, path);
});

test('a sign-in is judged by the clock of the service, however far ahead it is', async () => {
  await service.clock.jump(40 * DAY_MS);
  const browser = await signIn();
  await service.clock.jump(9 * 60_000);
  assert.equal((await browser.call('GET', '/fresh-sign-in')).status, 204);
  await service.clock.jump(2 * 60_000);
  assert.equal((await browser.call('GET', '/fresh-sign-in')).status, 403);
});

test('a person who is not signed in gets 401', async () => {
  for (const [method, path, body] of CHANGES)
    assert.equal((await openCookieBrowser(service.url).call(method, path, body)).status, 401, path);
});

test('no call replaces a session that is older than thirty days', async () => {
  const calls: typeof CHANGES = [
    ...CHANGES,
    ['POST', '/auth/two-factor/verify-totp', { code: '000000' }],
    ['POST', '/auth/two-factor/verify-backup-code', { code: 'aaaaa-bbbbb' }],
    ['GET', '/auth/passkey/list-user-passkeys'],
  ];
  await service.sql('delete from portal.sessions');
  for (const [method, path, body] of calls) {
    const browser = await signIn();
    await service.sql(`update portal.sessions set created_at = $1`, [new Date(service.clock.now() - 31 * DAY_MS)]);
    const { status } = await browser.call(method, path, body);
    assert.deepEqual([status, (await browser.call('GET', '/me')).status], [401, 401], path);
    assert.deepEqual(await service.sql('select created_at from portal.sessions'), [], path);
  }
});

test('a renewed cookie does not restart the ten minutes or the thirty days', async () => {
  await service.sql('delete from portal.sessions');
  const browser = await signIn();
  await ageSessions(9);
  const signedInAt = await service.sql('select created_at from portal.sessions');
  const isTheSame = async () =>
    assert.deepEqual(await service.sql('select created_at from portal.sessions'), signedInAt);
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);
  await isTheSame();
  const { prove } = await enableApp(service, browser);
  assert.equal((await prove()).status, 200);
  await isTheSame();
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);
  await isTheSame();
  await ageSessions(11);
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 403);
});

test('a sign-in with an authenticator app counts as fresh', async () => {
  const browser = await signIn();
  const { prove } = await enableApp(service, browser);
  assert.equal((await prove()).status, 200);
  await ageSessions(11);
  await signIn(browser);
  assert.equal((await browser.call('GET', '/me')).status, 401, 'half way');
  assert.equal((await prove()).status, 200);
  assert.equal((await browser.call('POST', '/auth/two-factor/disable', {})).status, 200);
});

const WEBHOOK = { description: null, types: null, ordered: false };

/** Acts that let an old session stay for good or take value. Paths of the organization. */
const GUARDED: readonly [method: string, path: string, body?: object][] = [
  ['POST', '/live/keys', { name: 'Mine' }],
  ['POST', '/live/keys/KEY/roll', { overlap_hours: 1 }],
  ['POST', '/live/webhooks', { ...WEBHOOK, url: 'https://shop.example/' }],
  ['PUT', '/live/webhooks/wh_01k0fxw4mzejhtt6k1sqh3p5cg', { ...WEBHOOK, url: 'https://shop.example/' }],
  ['POST', '/live/webhooks/wh_01k0fxw4mzejhtt6k1sqh3p5cg/rotate'],
  ['PUT', '/live/spending-caps', { key_id: null, hour: null, day: null }],
  ['PUT', '/live/topups/automatic', { rule: null }],
  ['POST', '/members', { email: 'mine@example.com', role: 'admin' }],
  ['PUT', '/members/MEMBER/role', { role: 'admin' }],
  ['PUT', '/members/MEMBER/team', { team_id: null }],
  ['POST', '/members/MEMBER/activate'],
  ['POST', '/roles', { name: 'Mine', permissions: ['gifts'] }],
  ['PUT', '/roles/role_01k0fxw4mzejhtt6k1sqh3p5cg', { name: 'Mine', permissions: ['gifts'] }],
  ['PUT', '/live/limits', { holder_id: 'MEMBER', day: null, month: null, recipient: null }],
  ['PUT', '/approval-rules', { member_id: null, above: null, approvals: 1, approvers: [] }],
  ['GET', '/live/gifts/GIFT/link'],
  ['PUT', '/live/gifts/GIFT/delivery', { method: 'email', email: 'mine@example.com' }],
  ['POST', '/live/gifts/GIFT/link'],
  ['POST', '/live/gifts/GIFT/release'],
  ['POST', '/live/gifts/GIFT/cancel', {}],
  ['POST', '/live/orders/ORDER/cancel', {}],
  ['POST', '/gifts/release'],
  ['POST', '/live/orders', {}],
  ['PUT', '/brand', BRAND],
  ['PUT', '/brand/logo', { file: null }],
  ['PUT', '/brand/sender-domain', { address: 'gifts@acme.example' }],
  ['POST', '/brand/sender-domain/check'],
  ['DELETE', '/brand/sender-domain'],
  ['PUT', '/program', { program: 'award', unclaimed_after_days: null, reminder_days: [], messages_show_value: false }],
  ['GET', '/live/gifts.csv'],
  ['GET', '/live/contacts.csv'],
  ['PUT', '/live/gift-templates/tpl_01k0fxw4mzejhtt6k1sqh3p5cg', {}],
  ['POST', '/live/yearly-rules', {}],
  ['PUT', '/live/yearly-rules/rule_01k0fxw4mzejhtt6k1sqh3p5cg', {}],
  ['GET', '/live/batches/batch_01k0fxw4mzejhtt6k1sqh3p5cg/results.csv'],
  ['GET', '/live/batches/batch_01k0fxw4mzejhtt6k1sqh3p5cg/links.csv'],
  [
    'POST',
    '/issuers/iss_01k0fxw4mze6hv3tqx4d5s8r2n/codes',
    { category: 'coffee', csv: 'value,code,shop\n25.00,A,Shop' },
  ],
  ['PUT', '/gift-request-policy', { is_allowed: true }],
  ['POST', '/live/gift-requests/x/approve'],
];

test('an old session cannot make keys or admins, set caps, or show or replace links', async () => {
  const organization = await service.organization();
  const { body } = await organization.live.order([linkGift()]);
  const keyId = await keyIdOf(service, organization.keys.live);
  const paths = GUARDED.map(([method, path, sent]) => {
    const ids = { MEMBER: organization.memberId, GIFT: body.gifts[0].gift_id, ORDER: body.order_id, KEY: keyId };
    const named = path.replace(/MEMBER|GIFT|ORDER|KEY/, (name) => ids[name as keyof typeof ids]);
    return [method, `/organizations/${organization.organizationId}${named}`, sent] as const;
  });
  const browser = await signIn();
  await ageSessions(11);
  for (const [method, path, sent] of paths) {
    const { status, text } = await browser.call(method, path, sent);
    assert.deepEqual([status, JSON.parse(text).error?.code], [403, 'sign_in_again'], `${method} ${path}`);
  }
  const keys = await browser.call('GET', `/organizations/${organization.organizationId}/live/keys`);
  assert.equal(JSON.parse(keys.text).data.length, 1);
  const again = await signIn(browser);
  for (const [method, path, sent] of paths) {
    const { status, text } = await again.call(method, path, sent);
    assert.notEqual(JSON.parse(status >= 400 ? text : '{}').error?.code, 'sign_in_again', path);
  }
});

test('every act that the list names declares that it needs a fresh sign-in', () => {
  const declared = service.service.app.portalRoutes.filter(({ needsFreshSignIn }) => needsFreshSignIn);
  assert.deepEqual(declared.map(({ operationId }) => operationId).sort(), [
    'activateMember',
    'addSenderDomain',
    'addWebhook',
    'addYearlyRule',
    'agreeToConnection',
    'approveChange',
    'approveGiftRequest',
    'cancelBatch',
    'cancelGift',
    'cancelOrder',
    'changeGiftTemplate',
    'changeMemberRole',
    'changeRole',
    'changeWebhook',
    'changeYearlyRule',
    'checkFreshSignIn',
    'checkSenderDomain',
    'createGrant',
    'createKey',
    'createRole',
    'declineChange',
    'exportBatchLinks',
    'exportBatchRows',
    'exportContacts',
    'exportGifts',
    'inviteMember',
    'redirectGift',
    'releaseGift',
    'releaseGifts',
    'removeSenderDomain',
    'removeYearlyRule',
    'renameOrganization',
    'reopenCard',
    'replaceGiftLink',
    'replaceGrantToken',
    'resendGift',
    'resumeBatch',
    'rollKey',
    'rotateWebhook',
    'scheduleGift',
    'sendGifts',
    'setApprovalRule',
    'setAutomaticTopup',
    'setBrand',
    'setGiftRequestPolicy',
    'setGrantLimits',
    'setLimits',
    'setLogo',
    'setProgram',
    'setSecondFactorPolicy',
    'setSpendingCaps',
    'setTeam',
    'showGiftLink',
    'startBatch',
    'uploadCodes',
  ]);
});

test('a code of the authenticator app makes an old session fresh, a wrong one does not', async () => {
  const organization = await service.organization();
  const browser = await signIn();
  const { prove } = await enableApp(service, browser);
  assert.equal((await prove()).status, 200);
  await ageSessions(11);
  const createKey = async () =>
    (await browser.call('POST', `/organizations/${organization.organizationId}/live/keys`, { name: 'Mine' })).status;
  assert.equal(await createKey(), 403);
  assert.equal((await prove('000000')).status, 401);
  assert.equal(await createKey(), 403);
  await service.clock.jump(60_000);
  assert.equal((await prove()).status, 200);
  assert.equal(await createKey(), 200);
  await service.clock.jump(11 * 60_000);
  assert.equal(await createKey(), 403);
  await service.sql('delete from portal.users');
});

test('a new sign-in in the same browser ends the session that it replaces', async () => {
  await service.sql('delete from portal.sessions');
  await signIn(await signIn());
  assert.equal((await service.sql('select id from portal.sessions')).length, 1);
});
