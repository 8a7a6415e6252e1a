import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

async function openViews({ organizationId }: TestOrganization, email: string) {
  const person = await createPortalClient(service, email);
  const path = `/organizations/${organizationId}/gift-views`;
  return {
    list: async () => (await person.call('GET', path)).body.data,
    save: (name: string, search: object) => person.call('PUT', path, { name, search }),
    rename: (name: string, new_name: string) => person.call('POST', `${path}/rename`, { name, new_name }),
    remove: (name: string) => person.call('POST', `${path}/remove`, { name }),
  };
}

test('a member’s views are theirs alone, with one name each', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const other = await service.organization();
  const own = await openViews(organization, 'member@example.com');
  const admins = await openViews(organization, 'admin@example.com');
  const failed = { status: 'failed', order: 'largest', columns: 'status,amount' };
  assert.deepEqual((await own.save(' Failed ', { status: 'sent' })).status, 200);
  assert.deepEqual((await own.save('Failed', failed)).body.data, [{ name: 'Failed', search: failed }]);
  await own.save('Spring', { query: 'spring' });
  assert.deepEqual(await admins.list(), []);
  assert.deepEqual(await (await openViews(other, 'admin@example.com')).list(), []);
  const taken = await own.rename('Spring', 'Failed');
  assert.deepEqual([taken.status, taken.body.error.message], [422, 'You have another view with this name.']);
  assert.equal((await own.rename('Failed', 'To do')).status, 200);
  assert.equal((await own.rename('Failed', 'Again')).body.error.message, 'This view is removed.');
  assert.equal((await own.remove('Spring')).status, 200);
  assert.equal((await own.remove('Spring')).status, 200);
  assert.deepEqual(await own.list(), [{ name: 'To do', search: failed }]);
});

test('a member keeps at most 20 views', async () => {
  const organization = await service.organization();
  const own = await openViews(organization, 'admin@example.com');
  for (let n = 1; n <= 20; n += 1) assert.equal((await own.save(`View ${n}`, {})).status, 200);
  assert.equal((await own.save('One more', {})).status, 422);
  assert.equal((await own.save('View 7', { status: 'failed' })).status, 200, 'over an earlier one');
  assert.equal((await own.list()).length, 20);
});

test('an erased recipient is in no saved view', async () => {
  const organization = await service.organization();
  const own = await openViews(organization, 'admin@example.com');
  await own.save('Ada', { query: 'Ada.Lovelace@' });
  await own.save('Campaign', { query: 'spring' });
  await eraseRecipient(service.service.deps, {
    organizationId: organization.organizationId,
    recipient: { method: 'email', email: 'ada.lovelace@example.com' },
    actor: OPERATOR,
  });
  assert.deepEqual(await own.list(), [{ name: 'Campaign', search: { query: 'spring' } }]);
});
