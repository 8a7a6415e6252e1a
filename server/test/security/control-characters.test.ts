import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../harness/api-client.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { createRecipient } from '../harness/recipient.ts';
import { startTestService } from '../harness/test-service.ts';

// PostgreSQL stores neither NUL nor half a character, so such a text must be refused before.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());

test('a sign-in with control characters or half a character is 422', async () => {
  const admin = await createPortalClient(service, 'admin@example.com');
  for (const text of ['a\u0000b@example.com', 'a\ud800b@example.com', 'a\u001b[2J@example.com'])
    for (const [path, body, param] of [
      ['/email-otp/send-verification-otp', { email: text, type: 'sign-in' }, 'email'],
      ['/sign-in/email-otp', { email: text, otp: '123456' }, 'email'],
      ['/sign-in/email-otp', { email: 'admin@example.com', otp: text }, 'otp'],
      ['/passkey/delete-passkey', { id: text }, 'id'],
      ['/passkey/verify-authentication', { response: { id: text, rawId: text } }, 'id'],
      ['/passkey/verify-registration', { name: text, response: {} }, 'name'],
    ] as const) {
      await service.clock.jump(20_000);
      const answer = await admin.call('POST', `/auth${path}`, body);
      assert.deepEqual([answer.status, answer.body.error?.param], [422, param], path);
    }
});

test('an id with NUL in a path of the portal is not found', async () => {
  await organization.addMembers();
  const admin = await createPortalClient(service, 'admin@example.com');
  for (const { method, path } of service.service.app.portalRoutes) {
    const url = path.replace('{organization_id}', organization.organizationId).replaceAll(/\{\w+\}/g, 'a%00b');
    if (!url.includes('%00')) continue;
    const { status } = await admin.call(method, url, method === 'GET' ? undefined : {});
    assert.ok(status < 500, `${method} ${path}: ${status}`);
  }
});

test('no field of a recipient’s form ends in an error of the service', async () => {
  for (const act of ['choose', 'claim', 'prove', 'pin', 'thank', 'purchase'])
    for (const [field, text] of [
      ['category', 'a\u0000b'],
      ['digits', '\u0000'],
      ['note', '\ud800\u0000'],
    ] as const) {
      const { body } = await organization.live.order([linkGift()]);
      const { status } = await createRecipient(service).press(body.gifts[0].delivery.link, act, { [field]: text });
      assert.ok(status < 500, `${act} ${field}: ${status}`);
    }
});
