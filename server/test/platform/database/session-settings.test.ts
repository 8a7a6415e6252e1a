import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientConfig } from '../../../src/platform/database/connections.ts';
import { SESSION_SETTINGS } from '../../../src/platform/database/session-settings.ts';
import { withConnection } from '../../../src/platform/database/with-connection.ts';
import { checkDatabase } from '../../../src/surfaces/doctor/check-database.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, testConfig } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const DEFAULTS = {
  datestyle: 'SQL, DMY',
  intervalstyle: 'iso_8601',
  timezone: 'Asia/Kathmandu',
  search_path: 'nowhere',
  standard_conforming_strings: 'off',
  bytea_output: 'escape',
};

test('defaults of the database change nothing that the service reads or writes', async () => {
  const organization = await service.organization();
  const before = await organization.sandbox.order([emailGift('spent'), emailGift('delivered')]);
  for (const [name, value] of Object.entries(DEFAULTS))
    await service.sql(`alter database ${service.target.database} set ${name} = '${value}'`);
  const second = await service.second();
  const sandbox = second.api(organization.keys.sandbox);
  assert.equal((await sandbox.order([linkGift()])).status, 201);
  const read = await sandbox.get(`/v1/orders/${before.body.order_id}`);
  assert.deepEqual([read.status, read.body], [200, before.body]);
  for (const path of ['/v1/gifts', '/v1/orders', '/v1/balance', '/v1/events'])
    assert.equal((await sandbox.get(path)).status, 200, path);
  const person = await createPortalClient(second, 'admin@example.com');
  assert.equal((await person.call('GET', '/me')).status, 200);
  await second.clock.advance(61_000);
  const { rows } = await withConnection(clientConfig(service.target, 0), (client) =>
    client.query('select name, current_setting(name) as value from unnest($1::text[]) as asked (name)', [
      Object.keys(SESSION_SETTINGS),
    ]),
  );
  for (const { name, value } of rows) assert.equal(value.replace(/^ISO, .*/, 'ISO'), SESSION_SETTINGS[name], name);
});

test('plans are not compiled, also where the server does so', async () => {
  await service.sql(`alter database ${service.target.database} set jit = on`);
  const { home } = (await service.second()).service.deps.database;
  assert.deepEqual((await home.query('show jit')).rows, [{ jit: 'off' }]);
});

test('doctor finds a pooler that drops the settings of a connection', async () => {
  const found = (text: string) =>
    withConnection(clientConfig(service.target, 0), async (client) => {
      await client.query(text);
      const findings = await checkDatabase(testConfig(), client, service.clock);
      return findings.find(({ check }) => check === 'session');
    });
  assert.equal((await found('select'))?.state, 'ok');
  const { state, found: text } = (await found(`set datestyle = 'SQL, DMY'`)) ?? assert.fail();
  assert.deepEqual([state, text], ['fault', 'datestyle is SQL, DMY']);
});
