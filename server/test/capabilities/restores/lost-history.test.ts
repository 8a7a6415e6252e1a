import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { finishRestore } from '../../../src/capabilities/restores/finish-restore.ts';
import { linkGift } from '../../harness/api-client.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { type RestoredService, startRestoredService } from '../../harness/restored-service.ts';

// Restores, and losses that the service noticed by itself; failover.system.test.ts makes them.

let history: RestoredService;
beforeEach(async () => {
  history = await startRestoredService();
});
const finish = (from?: Date) => finishRestore(history.now().service.deps, from, OPERATOR);

test('a restore moves on although the backup has a loss that was handled before it', async () => {
  const organization = await history.now().organization();
  await history.now().sql(
    `insert into lost_histories (system, timeline, begins_at, kept_until, noticed_at, moved_on_at, events_since)
       values ('1', 2, 0, $1, $1, $1, 0)`,
    [new Date(history.now().clock.now() - 60_000)],
  );
  const at = await history.backUp();
  await organization.sandbox.order([linkGift()]);
  await history.restore();
  const { moved_on, moved_before } = await finish(at);
  assert.deepEqual([moved_on, moved_before], [1, 0]);
});

test('a server that does not tell its history is served as before, and its restore is finished', async () => {
  await history.now().sql('revoke execute on function pg_control_system() from public');
  const at = await history.backUp();
  const organization = await history.now().organization();
  assert.equal((await organization.sandbox.order([linkGift()])).status, 201);
  assert.equal((await finish(at)).moved_on, 1);
});

test('without a loss that was noticed, a restore needs its time', async () => {
  await assert.rejects(finish(), /Say to which time the database was restored, by --from/);
});
