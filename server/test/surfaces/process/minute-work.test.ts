import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTasks } from '../../../src/surfaces/process/create-tasks.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// One failing act of the every-minute job must not stop the others.

const service = openForFile(() => startTestService());

const HOUR_MS = 3_600_000;

test('runs all acts of the every-minute job and reports every error', async () => {
  const { organizationUuid } = await service.organization();
  const nowMs = service.clock.now();
  const triedAt = (key: string, ms: number) =>
    service.sql('insert into steered_tries (organization_id, idempotency_key, tried_at) values ($1, $2, $3)', [
      organizationUuid,
      key,
      new Date(ms),
    ]);
  await triedAt('old', nowMs - 2 * HOUR_MS);
  await triedAt('new', nowMs);
  await service.sql(`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no % of %', lower(tg_op), tg_table_name; end $$`);
  for (const [event, table] of [
    ['delete', 'notices'],
    ['update', 'balance_alerts'],
  ])
    await service.sql(
      `create trigger refused before ${event} on ${table} for each statement execute function refuse()`,
    );
  const channels = { email: undefined, phone: undefined, notice: undefined };
  const [tasks] = createTasks(service.service.deps, channels);
  const everyMinute = async () => tasks?.everyMinute();
  await assert.rejects(everyMinute(), ({ message }: Error) => {
    assert.ok(message.includes('no delete of notices') && message.includes('no update of balance_alerts'), message);
    return true;
  });
  const left = await service.sql<{ idempotency_key: string }>('select idempotency_key from steered_tries');
  assert.deepEqual(left, [{ idempotency_key: 'new' }]);

  await service.sql('drop trigger refused on balance_alerts');
  await assert.rejects(everyMinute(), { message: 'no delete of notices' });
  await service.sql('drop trigger refused on notices');
  await everyMinute();
});
