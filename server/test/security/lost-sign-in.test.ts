import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resetSignIn } from '../../src/portal/sign-in/reset-sign-in.ts';
import { createService, type Service } from '../../src/process/serve.ts';
import { type CookieBrowser, openCookieBrowser } from '../harness/cookie-browser.ts';
import { OPERATOR } from '../harness/operator.ts';
import { codeOf } from '../harness/portal-client.ts';
import { createTestLog } from '../harness/test-log.ts';
import { startTestService, type TestOrganization, type TestService, testConfig } from '../harness/test-service.ts';
import { totp } from '../harness/totp.ts';

/** A member cannot sign in: the secret of the authenticator app or the app itself is lost (docs/operating.md). */

const EMAIL = 'admin@example.com';

let service: TestService;
let organization: TestOrganization;
/** The same service after its stolen secret was replaced. */
let renewed: Service;
let renewedUrl: string;
before(async () => {
  service = await startTestService();
  organization = await service.organization();
  renewed = await createService(testConfig({}), {
    target: service.target,
    clock: service.clock,
    log: createTestLog(),
    linkSecrets: ['another link secret of more than thirty-two characters'],
  });
  await renewed.listen();
  const [bound] = renewed.app.addresses() as { port: number }[];
  renewedUrl = `http://127.0.0.1:${bound?.port}`;
});
after(async () => {
  await renewed?.close();
  await service?.close();
});

/** A browser after the person entered the mailed code, and the answer. */
async function enterMailedCode(url: string, by: Service): Promise<{ browser: CookieBrowser; answer: object }> {
  await service.clock.jump(120_000);
  await service.sql(`delete from notices where kind = 'sign_in_code'`);
  const browser = openCookieBrowser(url);
  await browser.call('POST', '/auth/email-otp/send-verification-otp', { email: EMAIL, type: 'sign-in' });
  const otp = await codeOf({ ...service, service: by }, EMAIL);
  const { status, text } = await browser.call('POST', '/auth/sign-in/email-otp', { email: EMAIL, otp });
  assert.equal(status, 200, text);
  return { browser, answer: JSON.parse(text) };
}

test('a member with an unreadable app gets help; after the reset a code is enough', async (context) => {
  const printed = context.mock.method(console, 'error', () => undefined);
  const { browser: owner } = await enterMailedCode(service.url, service.service);
  const { totpURI, backupCodes } = JSON.parse((await owner.call('POST', '/auth/two-factor/enable', {})).text);
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  const code = () => totp(secret, service.clock.now());
  assert.equal((await owner.call('POST', '/auth/two-factor/verify-totp', { code: code() })).status, 200);

  const { browser, answer } = await enterMailedCode(renewedUrl, renewed);
  assert.deepEqual(answer, { twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  for (const [path, proof] of [
    ['/auth/two-factor/verify-totp', code()],
    ['/auth/two-factor/verify-backup-code', backupCodes[0]],
  ]) {
    const { status, text } = await browser.call('POST', path, { code: proof });
    const { request_id: requestId, ...error } = JSON.parse(text).error;
    assert.match(requestId, /^req_/);
    assert.deepEqual(
      [status, error],
      [
        422,
        {
          code: 'refused',
          message:
            'Your authenticator app and its recovery codes stopped working when a secret of this service was replaced. Ask the operator of the service to reset your sign-in.',
        },
      ],
    );
  }
  assert.equal(printed.mock.callCount(), 0, 'what went wrong is for the log');

  const { organizationId, memberId } = organization;
  const change = { organizationId, memberId, actor: OPERATOR };
  assert.equal((await resetSignIn(service.service.deps, change)).email, EMAIL);
  for (const table of ['users', 'sessions', 'two_factors', 'passkeys'])
    assert.deepEqual(await service.sql(`select 1 from portal.${table}`), [], table);
  assert.equal((await owner.call('GET', '/me')).status, 401, 'sessions end');
  assert.equal((await browser.call('POST', '/auth/two-factor/verify-totp', { code: code() })).status, 401);
  const { browser: again } = await enterMailedCode(renewedUrl, renewed);
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
  const { browser } = await enterMailedCode(service.url, service.service);
  await service.sql('alter table portal.passkeys rename to lost');
  const { status, text } = await browser.call('GET', '/auth/passkey/list-user-passkeys');
  await service.sql('alter table portal.lost rename to passkeys');
  assert.deepEqual([status, JSON.parse(text).error.code], [500, 'internal_error']);
  assert.equal(printed.mock.callCount(), 0);
});
