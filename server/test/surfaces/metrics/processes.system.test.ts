import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { processesOn } from '../../harness/end-processes.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { connectRaw } from '../../harness/raw-http.ts';
import { bestow, serve, temporaryDirectory, until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** Processes that use the test's database. */
function processVariables(dataDir: string): Record<string, string> {
  const { host, port, user, database } = service.target;
  const DATABASE_URL = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(`${host}`)}`;
  return {
    DATABASE_URL,
    LINK_SECRET: 'a secret of thirty-two characters',
    DATA_DIR: dataDir,
    PORT: '0',
    PUBLIC_URL: 'http://localhost:1',
    LOG_LEVEL: 'error',
  };
}

test('server and worker report a taken metrics port in one sentence', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const holder = createServer().listen(0, '127.0.0.1');
  t.after(() => holder.close());
  await new Promise((resolve) => holder.once('listening', resolve));
  const bound = holder.address();
  assert.ok(bound && typeof bound === 'object');
  const variables = { ...processVariables(dataDir), METRICS_PORT: String(bound.port) };
  for (const command of ['serve', 'worker']) {
    const { code, stdout, stderr } = await bestow([command], variables).ended;
    assert.deepEqual([code, stdout], [1, '']);
    const sentence: string = `Port ${bound.port} on 127.0.0.1 is taken; stop the other program, or set METRICS_PORT to another one.`;
    assert.equal(stderr, `${sentence}\n`);
    assert.deepEqual(processesOn(dataDir), []);
  }
});

test('server and worker log their metrics URL and stop despite a connection', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const variables = { ...processVariables(dataDir), METRICS_PORT: '0' };
  const server = serve(dataDir, variables);
  const { text } = await server.ready();
  const worker = bestow(['worker'], variables);
  await until(() => worker.stdout().includes('Stop it with Ctrl-C.\n'), 'the worker is ready');
  const addresses = [
    [/^Its metrics are at (\S+)\.$/m.exec(worker.stdout()), worker],
    [/^ {4}Metrics +(\S+)$/m.exec(text), server],
  ] as const;
  for (const [found, running] of addresses) {
    const address = found?.[1] ?? assert.fail('no metrics');
    assert.equal((await scrape(address))['bestow_database_up'], 1);
    const [silent, half] = [await connectRaw(address), await connectRaw(address)];
    await half.write('GET /metrics HTTP/1.1\r\n');
    running.signal('SIGTERM');
    assert.deepEqual(await running.ended.then(({ code, stderr }) => ({ code, stderr })), { code: 0, stderr: '' });
    assert.doesNotMatch(running.stdout(), /were cut off/);
    await Promise.all([silent.closed, half.closed]);
  }
  assert.deepEqual(processesOn(dataDir), []);
});
