import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectDatabase } from '../../../src/platform/database/connections.ts';
import { statements } from '../../../src/platform/database/statement.ts';
import { countStuck } from '../../../src/surfaces/doctor/queries.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** As docs/monitoring.md sets them; the last one sends the lines of the log to the client too. */
const LOGGED = '-c log_min_duration_statement=0 -c log_parameter_max_length=0 -c client_min_messages=log';

test('PostgreSQL logs a slow statement with its name and without its values', async () => {
  const database = connectDatabase({ ...service.target, options: LOGGED }, () => undefined);
  const lines: string[] = [];
  for (const pool of database.shards)
    pool.on('connect', (client) => client.on('notice', (notice) => lines.push(`${notice.message} ${notice.detail}`)));
  await countStuck(database.shards, [new Date(service.clock.now()), 10, ['a-value-of-the-statement']]);
  const [{ application_name }] = (await database.shards[0]?.query('show application_name'))?.rows ?? [];
  await database.close();
  // Numbered if a schema changed under another test of this process.
  const line = lines.find((one) => /^duration: [\d.]+ ms {2}execute doctor\.count_stuck(?: \d+)?: select/.test(one));
  assert.ok(line, lines.join('\n'));
  assert.doesNotMatch(lines.join('\n'), /a-value-of-the-statement/);
  assert.equal(application_name, 'bestow');
});

test('PostgreSQL does not shorten the name of any statement', () => {
  const cut = [...statements.keys()].filter((name) => Buffer.byteLength(`${name} 99`) > 63);
  assert.deepEqual(cut, []);
});
