import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bringJobsForward } from '../../../src/platform/jobs/bring-jobs-forward.ts';
import { emailGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

test('after a test suite moved the clock, waiting jobs are due earlier by that time', async () => {
  const { sandbox } = await service.organization();
  await sandbox.order([emailGift('processing')]);
  const dueMs = async () => {
    const [row] = await service.sql<{ due: Date }>(
      `select start_after as due from pgboss.job where name = 'complete-order'`,
    );
    return row?.due.getTime() ?? 0;
  };
  const before = await dueMs();
  await bringJobsForward(service.service.deps, 30_000);
  assert.equal(await dueMs(), before - 30_000);
});
