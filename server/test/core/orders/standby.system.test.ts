import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openInstallation } from '../../../../reliability/faults/installation.ts';
import { randomFrom } from '../../../../reliability/faults/random.ts';
import { endSession } from '../../../src/platform/database/end-session.ts';
import { createApiClient, linkGift } from '../../harness/api-client.ts';

/** Above every process id. */
const NO_PROCESS = 2 ** 30;

test('acknowledges an order only after the standby has its commit', async (t) => {
  const installation = await openInstallation({
    random: randomFrom(1),
    organizations: [{ environments: ['sandbox'] }],
  });
  t.after(() => installation.close());
  const { url } = await installation.startServer();
  const api = createApiClient(url, installation.organizations[0]?.key);
  const setStandbys = async (standbys: string) => {
    await installation.sql(`alter system set synchronous_standby_names = '${standbys}'`);
    await installation.sql('select pg_reload_conf()');
  };
  /** Waits until commits wait: PostgreSQL reloads its settings some time after the call. */
  const holdCommits = async () => {
    await setStandbys('absent');
    const isHeld = `select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'`;
    for (let committed = true; committed; ) {
      committed = false;
      void installation.sql(`select pg_logical_emit_message(true, 'test', '')`).then(() => {
        committed = true;
      });
      while (!committed && (await installation.sql(isHeld)).length === 0) await sleep(10);
    }
  };
  await holdCommits();
  let answer: number | undefined;
  const asked = api.order([linkGift()], 'waits').then(
    ({ status }) => {
      answer = status;
    },
    () => undefined,
  );
  // After five seconds the service asks for the order's outcome.
  await sleep(7_000);
  assert.equal(answer, undefined);
  assert.deepEqual(await installation.sql('select from orders'), [], 'the order is not visible');
  await setStandbys('');
  await asked;
  const again = await api.order([linkGift()], 'waits');
  assert.ok([200, 201].includes(again.status), JSON.stringify(again.body));
  assert.equal((await api.get('/v1/orders')).body.data.length, 1);

  // An ended session may have committed what no standby has yet.
  const client = new Client(installation.target);
  await client.connect();
  await holdCommits();
  let isKnown = false;
  const ended = endSession(client, NO_PROCESS).then(() => {
    isKnown = true;
  });
  await sleep(1_000);
  assert.equal(isKnown, false);
  await setStandbys('');
  await ended;
  await client.end();
});
