import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseName } from '../../src/faces/command-line/parse-argument.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { startTestService } from '../harness/test-service.ts';

// Names by which members tell roles, teams and other things apart.

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());

const HIDDEN = [
  'a\u202eb',
  '\u200b',
  'a\u200bb',
  'a\u2066b\u2069',
  '\u3164',
  '\u2800',
  'a\u00adb',
  'a\u{e0041}',
  '\ufe0f',
];

test('no name that members give hides or turns letters, or shows nothing', async () => {
  const admin = await createPortalClient(service, 'admin@example.com');
  const at = `/organizations/${organization.organizationId}`;
  const template = { amount: 2_500, category: 'coffee' };
  const doors = {
    [`${at}/roles`]: (name: string) => ({ name, permissions: ['gifts'] }),
    [`${at}/teams`]: (name: string) => ({ name }),
    [`${at}/sandbox/keys`]: (name: string) => ({ name }),
    [`${at}/sandbox/gift-templates`]: (name: string) => ({ ...template, name }),
    [`${at}/sandbox/webhooks`]: (description: string) => ({ url: 'https://shop.example/in', description }),
  };
  for (const [path, bodyOf] of Object.entries(doors))
    for (const name of HIDDEN) {
      const { status, body } = await admin.call('POST', path, bodyOf(name));
      assert.equal(status, 422, `${path} ${JSON.stringify([name, body])}`);
      assert.match(body.error.param, /^(?:name|description)$/, path);
    }
  for (const name of HIDDEN) {
    const { status } = await admin.call('PUT', `${at}/gift-views`, { name, search: {} });
    assert.equal(status, 422, JSON.stringify(name));
    assert.throws(() => parseName(name), JSON.stringify(name));
  }
  for (const name of ['Ärzte & Co.', 'فريق', '東京', 'Team ❤️', 'O’Neil-2'])
    assert.equal((await admin.call('POST', `${at}/teams`, { name })).status, 200, name);
});

test('an own role has no built-in role’s name, however it is written', async () => {
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${organization.organizationId}/roles`;
  for (const name of ['Admin', 'admin', 'AD MIN', 'A.d.m.i.n', 'Ａｄｍｉｎ', 'Viewer', 'finance ✓']) {
    const { status, body } = await admin.call('POST', path, { name, permissions: ['gifts'] });
    assert.equal(status, 422, JSON.stringify([name, body]));
    assert.match(body.error.message, /is the name of a role that every organization has/);
  }
  const { body: own } = await admin.call('POST', path, { name: 'Front desk', permissions: ['gifts'] });
  const renamed = await admin.call('PUT', `${path}/${own.role_id}`, { name: 'Sender', permissions: ['gifts'] });
  assert.equal(renamed.status, 422);
});
