import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOn } from '../../harness/end-processes.ts';
import { serve, temporaryDirectory, until } from '../../harness/server-process.ts';

/** Makes a data directory whose first start was killed. */
async function killFirstStart(t: TestContext): Promise<string> {
  for (let time = 0; time < 10; time += 1) {
    const dataDir = await temporaryDirectory(t);
    const server = serve(dataDir);
    await until(() => processesOn(dataDir).length > 2, 'its PostgreSQL runs');
    // Somewhere between initdb and the panel.
    await sleep(200);
    server.signal('SIGKILL');
    // Otherwise a busy machine stopped this process for longer than the start took.
    if (!/Bestow is ready/.test((await server.ended).stdout)) return dataDir;
  }
  return assert.fail('Each start was over before it could be killed.');
}

test('after kill -9 during the first start, the next start shows the keys', async (t) => {
  const next = serve(await killFirstStart(t), { LOG_LEVEL: 'silent' });
  assert.ok((await next.ready()).sandboxKey);
});
