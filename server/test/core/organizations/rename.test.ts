import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renameOrganization } from '../../../src/core/organizations/rename-organization.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { openLink, startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

test('recipients of later gifts see the new name, and the audit log has both', async () => {
  const organization = await service.organization();
  const { organizationId } = organization;
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${organizationId}/name`;
  assert.equal((await admin.call('PUT', path, { name: 'Acme Gifts' })).status, 204);
  assert.equal((await admin.call('PUT', path, { name: 'Acme Gifts' })).status, 204);
  const { body } = await organization.live.order([{ ...linkGift(), personalization: {} }]);
  const page = await openLink(service, body.gifts[0].delivery.link);
  assert.match(page.text, /Acme Gifts/);
  assert.doesNotMatch(page.text, /Test Organization/);
  const query = 'audit-events?action=organization.renamed';
  const { data } = (await admin.call('GET', `/organizations/${organizationId}/live/${query}`)).body;
  assert.deepEqual(
    data.map(({ sentence }: { sentence: string }) => sentence),
    ['Renamed the organization from “Test Organization” to “Acme Gifts”'],
  );
});

test('two admins at once leave one name, and each change names the one before', async () => {
  const { organizationId, organizationUuid } = await service.organization();
  const rename = (name: string) => renameOrganization(service.service.deps, { organizationId, name, actor: OPERATOR });
  await Promise.all(['One', 'Two', 'Three'].map(rename));
  const rows = await service.sql<{ details: { name: string; before: string } }>(
    `select details from audit_events where organization_id = $1 and action = 'organization.renamed' order by event_id`,
    [organizationUuid],
  );
  const names = new Map(rows.map(({ details }) => [details.before, details.name]));
  let name = 'Test Organization';
  for (let next = names.get(name); next !== undefined; next = names.get(name)) name = next;
  const [organization] = await service.sql<{ name: string }>(
    'select name from organizations where organization_id = $1',
    [organizationUuid],
  );
  assert.deepEqual([names.size, organization?.name], [3, name]);
});

test('a name with a line break, and one that is empty, are refused', async () => {
  const { organizationId } = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  for (const name of ['', ' ', 'Acme\nGifts', 'x'.repeat(201)]) {
    const { status, body } = await admin.call('PUT', `/organizations/${organizationId}/name`, { name });
    assert.deepEqual([status, body.error.param], [422, 'name']);
  }
});
