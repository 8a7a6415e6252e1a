import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { gift } from '../../harness/api-client.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

let service: TestService;
let admin: Client;
before(async () => {
  service = await startTestService();
  admin = new Client({ ...service.target, database: 'postgres' });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await service.close();
});

async function allowConnections(isAllowed: boolean): Promise<void> {
  await admin.query(`alter database ${service.target.database} with allow_connections ${isAllowed}`);
  await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and application_name = 'bestow'`,
    [service.target.database],
  );
}

// An error means that nothing happened (docs/decisions.md#retry).
test('without the database calls get 500, health answers, and the service recovers', async () => {
  const { sandbox } = await service.organization();
  assert.equal((await sandbox.order([gift()], 'before')).status, 201);
  await allowConnections(false);
  assertRefused(await sandbox.get('/v1/orders'), 'internal_error');
  assertRefused(await sandbox.order([gift()], 'while'), 'internal_error');
  assertRefused(await service.api('bestow-bad').get('/v1/orders'), 'api_key_invalid');
  assert.deepEqual((await service.api().get('/v1/health')).body, { status: 'ok' });
  await allowConnections(true);
  assert.equal((await sandbox.get('/v1/orders')).body.data.length, 1);
  assert.equal((await sandbox.order([gift()], 'while')).status, 201);
});
