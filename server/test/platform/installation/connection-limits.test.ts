import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { explainRefusal } from '../../../src/platform/installation/explain-refusal.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const refusalAs = async (user: string) => {
  const client = new Client({ ...service.target, user });
  const error = await client.connect().then(
    () => assert.fail('It was admitted.'),
    (refusal: unknown) => refusal,
  );
  return explainRefusal(error).reason;
};

test('the limit of connections that is reached is the one to raise', async () => {
  await service.sql('create role few_connections login connection limit 0');
  await service.sql('create role other_connections login');
  assert.match(await refusalAs('few_connections'), /raise the connection limit of this role \(alter role/);
  await service.sql(`alter database ${service.target.database} connection limit 0`);
  assert.match(await refusalAs('other_connections'), /raise the connection limit of this database \(alter database/);
  await service.sql(`alter database ${service.target.database} connection limit -1`);
  await service.sql('drop role few_connections, other_connections');
});
