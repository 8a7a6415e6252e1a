import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resetSignIn } from '../../src/surfaces/portal/sign-in/reset-sign-in.ts';
import { enableApp, enterMailedCode } from '../harness/cookie-browser.ts';
import { OPERATOR } from '../harness/operator.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

/** A member cannot sign in: the secret of the authenticator app or the app itself is lost (docs/operating.md). */

const EMAIL = 'admin@example.com';

let service: TestService;
let organization: TestOrganization;
/** The same service after its stolen secret was replaced. */
let renewed: TestService;
before(async () => {
  service = await startTestService();
  organization = await service.organization();
  renewed = await service.second({}, ['another link secret of more than thirty-two characters']);
});
after(() => service?.close());

test('a member with an unreadable app gets help; after the reset a code is enough', async (context) => {
  const printed = context.mock.method(console, 'error', () => undefined);
  const { browser: owner } = await enterMailedCode(service, EMAIL);
  const { shown, prove, recoveryCodes } = await enableApp(service, owner);
  assert.equal((await prove()).status, 200);

  const { browser, answer } = await enterMailedCode(renewed, EMAIL);
  assert.deepEqual(answer, { twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  const message =
    'Your authenticator app and its recovery codes stopped working when a secret of this service was replaced. Ask the operator of the service to reset your sign-in.';
  for (const [path, proof] of [
    ['/auth/two-factor/verify-totp', shown()],
    ['/auth/two-factor/verify-backup-code', recoveryCodes[0]],
  ] as const) {
    const { status, text } = await browser.call('POST', path, { code: proof });
    const { request_id: requestId, ...error } = JSON.parse(text).error;
    assert.match(requestId, /^req_/);
    assert.deepEqual([status, error], [422, { code: 'refused', message }]);
  }
  assert.equal(printed.mock.callCount(), 0, 'what went wrong is for the log');

  const { organizationId, memberId } = organization;
  const change = { organizationId, memberId, actor: OPERATOR };
  assert.equal((await resetSignIn(service.service.deps, change)).email, EMAIL);
  for (const table of ['users', 'sessions', 'two_factors', 'passkeys'])
    assert.deepEqual(await service.sql(`select 1 from portal.${table}`), [], table);
  assert.equal((await owner.call('GET', '/me')).status, 401, 'sessions end');
  assert.equal((await browser.call('POST', '/auth/two-factor/verify-totp', { code: shown() })).status, 401);
  const { browser: again } = await enterMailedCode(renewed, EMAIL);
  assert.equal((await again.call('GET', '/me')).status, 200);
});

test('a reset for a person who never signed in changes and records nothing', async () => {
  const other = await service.organization();
  await service.sql(`update members set email = 'never@example.com' where organization_id = $1`, [
    other.organizationUuid,
  ]);
  const { organizationId, memberId } = other;
  await resetSignIn(service.service.deps, { organizationId, memberId, actor: OPERATOR });
  assert.deepEqual(
    await service.sql(`select 1 from audit_events where action = 'member.sign_in_reset' and organization_id = $1`, [
      other.organizationUuid,
    ]),
    [],
  );
});

test('an unexpected sign-in error is answered and logged', async (context) => {
  const printed = context.mock.method(console, 'error', () => undefined);
  const { browser } = await enterMailedCode(service, EMAIL);
  await service.sql('alter table portal.passkeys rename to lost');
  const { status, text } = await browser.call('GET', '/auth/passkey/list-user-passkeys');
  await service.sql('alter table portal.lost rename to passkeys');
  assert.deepEqual([status, JSON.parse(text).error.code], [500, 'internal_error']);
  assert.equal(printed.mock.callCount(), 0);
});
