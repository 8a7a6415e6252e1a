import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowRequests } from '../../harness/gift-requests.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Templates of gifts in the portal. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const added = openForFile(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const at = (rest = '', environment = 'live') =>
  `/organizations/${organization.organizationId}/${environment}/gift-templates${rest}`;
const template = (name: string, more: object = {}) => ({
  name,
  amount: 2500,
  category: 'coffee',
  sender_name: 'The team',
  message: 'Welcome!\nEnjoy.',
  language: 'de',
  ...more,
});
const namesIn = async (environment: string) =>
  (await admin.call('GET', at('', environment))).body.data.map(({ name }: { name: string }) => name);

test('an admin adds, changes and deletes templates of one environment', async () => {
  const { status, body } = await admin.call('POST', at(), template('welcome'));
  assert.equal(status, 200);
  const { template_id, changed_at, ...shown } = body;
  assert.match(template_id, /^tpl_/);
  assert.ok(changed_at);
  assert.deepEqual(shown, template('welcome'));
  await admin.call('POST', at(), template('Birthday', { message: null, sender_name: null, language: null }));
  assert.deepEqual(await namesIn('live'), ['Birthday', 'welcome']);
  assert.deepEqual(await namesIn('sandbox'), []);
  const changed = await admin.call('PUT', at(`/${template_id}`), template('Hello', { amount: 5000 }));
  assert.deepEqual([changed.body.template_id, changed.body.name, changed.body.amount], [template_id, 'Hello', 5000]);
  assert.equal((await admin.call('DELETE', at(`/${template_id}`))).status, 204);
  assert.equal((await admin.call('DELETE', at(`/${template_id}`))).status, 404);
  assert.equal((await admin.call('PUT', at(`/${template_id}`), template('Hello'))).status, 404);
  assert.deepEqual(await namesIn('live'), ['Birthday']);
});

test('two templates cannot have one name, also if they are added at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin.call('POST', at('', 'sandbox'), template('Twice'))),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(422)]);
  const other = (await admin.call('POST', at('', 'sandbox'), template('Once'))).body.template_id;
  const refused = await admin.call('PUT', at(`/${other}`, 'sandbox'), template('Twice'));
  assert.deepEqual([refused.status, refused.body.error.param], [422, 'name']);
});

test('a template can only have what a gift can have', async () => {
  for (const [more, param] of [
    [{ amount: 999 }, 'amount'],
    [{ amount: 50_001 }, 'amount'],
    [{ category: 'unknown' }, 'category'],
    [{ message: 'x'.repeat(501) }, 'message'],
    [{ message: 'lost \ufffd' }, 'message'],
    [{ message: 'Hi {fristname}' }, 'message'],
    [{ message: 'Dear [First Name]' }, 'message'],
    [{ sender_name: 'two\nlines' }, 'sender_name'],
    [{ language: 'tlh' }, 'language'],
    [{ name: ' ' }, 'name'],
  ] as const) {
    const { status, body } = await admin.call('POST', at(), template('Wrong', more));
    assert.deepEqual([status, body.error.param], [422, param], JSON.stringify(more));
  }
});

test('an environment has at most 100 templates, and a reset of the sandbox keeps them', async () => {
  for (let n = (await namesIn('sandbox')).length; n < 100; n += 1)
    assert.equal((await admin.call('POST', at('', 'sandbox'), template(`No ${n}`))).status, 200);
  const { status, body } = await admin.call('POST', at('', 'sandbox'), template('One more'));
  assert.deepEqual([status, body.error.param], [422, 'name']);
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset')).status, 200);
  assert.equal((await namesIn('sandbox')).length, 100);
});

test('members see templates if they may ask for gifts, and change none', async () => {
  assert.ok(added.member);
  const member = await createPortalClient(service, 'member@example.com');
  assert.equal((await member.call('GET', at())).body.error.code, 'admin_required');
  await allowRequests(admin, organization);
  assert.equal((await member.call('GET', at())).status, 200);
  assert.equal((await member.call('POST', at(), template('Mine'))).body.error.code, 'admin_required');
});
