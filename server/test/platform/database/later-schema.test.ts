import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { addColumns } from '../../harness/add-columns.ts';
import { linkGift } from '../../harness/api-client.ts';
import { type DescribedOperation, describedOperations, describedRoutes } from '../../harness/described-operations.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { type PortalIds, portalIdsOf } from '../../harness/portal-ids.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// A release serves while the next one migrates: its statements are prepared against the schema before.

const service = openForFile(() => startTestService());
let organization: TestOrganization;
let admin: PortalClient;
let ids: PortalIds;

before(async () => {
  organization = await service.organization();
  admin = await createPortalClient(service, 'admin@example.com');
  ids = await portalIdsOf(service, admin, organization, 'sandbox');
});

const reads = (operations: DescribedOperation[]) => operations.filter(({ method }) => method === 'GET');

const fill = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { organizationId: organization_id } = organization;
    const fixed: Record<string, string> = { organization_id, environment: 'sandbox', month: '2026-11', number: '1' };
    return fixed[name] ?? encodeURIComponent(ids[name as keyof PortalIds] ?? 'mail');
  });

/** The status of every read of `/v1` and of the portal. */
async function readAll(): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const { operationId, path } of reads(describedOperations()))
    statuses[operationId] = (await organization.sandbox.get(fill(path))).status;
  for (const { operationId, path } of reads(describedRoutes(service.service.app.portalRoutes, 'portal')))
    statuses[`portal ${operationId}`] = (await admin.call('GET', fill(path.replace('/portal/api', '')))).status;
  return statuses;
}

async function cancel(): Promise<number> {
  const { body } = await organization.sandbox.order([linkGift()]);
  return (await organization.sandbox.post(`/v1/gifts/${body.gifts[0].gift_id}/cancel`)).status;
}

test('every read, an order and a cancellation go on when each table has one more column', async () => {
  const earlier = await readAll();
  assert.equal(await cancel(), 200);
  assert.ok(Object.values(earlier).filter((status) => status === 200).length > 60, JSON.stringify(earlier));
  assert.deepEqual(
    Object.entries(earlier).filter(([, status]) => status >= 500),
    [],
  );
  await addColumns(service);
  assert.deepEqual(await readAll(), earlier);
  assert.equal((await organization.sandbox.order([linkGift()])).status, 201);
  assert.equal(await cancel(), 200);
});

const setTypeOfName = (type: string) =>
  service.sql(`call limit_rows('organizations', '{name}'); alter table organizations alter column name type ${type};
    call limit_rows('organizations')`);

test('reads and an order go on when a column has another type', async () => {
  const many = () => Promise.all(Array.from({ length: 20 }, () => organization.sandbox.get('/v1/categories')));
  const warm = await many();
  await setTypeOfName('varchar');
  await service.sql('alter table categories alter column name type varchar');
  for (const [n, { status, body }] of (await many()).entries()) assert.deepEqual([status, body], [200, warm[n]?.body]);
  assert.equal((await organization.sandbox.order([linkGift()])).status, 201);
  assert.equal(await cancel(), 200);
});

test('a transaction that another type interrupts leaves nothing, and its retry succeeds', async () => {
  const add = (key: string) =>
    organization.sandbox.post('/v1/webhook_endpoints', { url: 'https://shop.example/' }, { 'Idempotency-Key': key });
  const count = async () => (await organization.sandbox.get('/v1/webhook_endpoints')).body.data.length;
  assert.equal((await add('before')).status, 201);
  const endpoints = await count();
  // The first statement of this act is in its transaction.
  await setTypeOfName('text');
  assert.equal((await add('after')).status, 500);
  assert.equal(await count(), endpoints);
  assert.equal((await add('after')).status, 201);
});
