import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDebianPostgres } from '../../harness/debian-postgres.ts';
import { bestow } from '../../harness/server-process.ts';

test('shards that allow no prepared transactions are told by migrate and by the command that fails', async () => {
  const postgres = await startDebianPostgres();
  assert.equal(await postgres.run('createdb', ['second']), '');
  const variables = {
    DATABASE_SHARDS: `${postgres.url('bestow')},${postgres.url('second')}`,
    LINK_SECRET: 'a link secret that is long enough for tests',
  };
  const SENTENCE =
    /^Set max_prepared_transactions to 10 on every shard, and restart it: the catalog is written on all or on none\.$/m;
  const migrated = await bestow(['migrate'], variables).ended;
  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(migrated.stderr, SENTENCE);
  const refused = await bestow(['catalog', 'add', 'tea', '--name', 'Tea', '--description', 'For tea.'], variables)
    .ended;
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, SENTENCE);
});
