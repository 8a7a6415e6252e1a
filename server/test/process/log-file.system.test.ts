import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  freePort,
  processesOn,
  run,
  serve,
  serveOnFullDisk,
  temporaryDirectory,
  until,
} from '../harness/server-process.ts';

// A log that cannot be written holds nobody up («Monitoring»). One whose reader is gone: `stop.test.ts`.

test('a disk without room for the log ends no service', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const port = await freePort();
  const server = serveOnFullDisk(dataDir, port);
  const order = () =>
    fetch(`http://localhost:${port}/v1/orders`, { method: 'POST' }).then(
      ({ status }) => status,
      () => undefined,
    );
  await until(async () => (await order()) === 401, 'it answers');
  // A line is written a second after it came, at the latest.
  await pause(2_500);
  assert.equal(await order(), 401);
  server.signal('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.deepEqual([code, stderr, processesOn(dataDir)], [0, '', []]);
});

test('a reader of the log that stalls holds up neither the service nor its stop', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir);
  const { address } = await server.ready();
  server.child.stdout?.pause();
  // Some 200 kB of lines, more than a pipe holds.
  for (let n = 0; n < 10; n += 1)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${address}/v1/orders`)).text()));
  server.signal('SIGTERM');
  const [code] = await once(server.child, 'exit', { signal: AbortSignal.timeout(30_000) });
  assert.deepEqual([code, processesOn(dataDir)], [0, []]);
});

const LINES = 100_000;
const TALKATIVE = `
  import { createLog } from '${new URL('../../src/process/create-log.ts', import.meta.url)}';
  const log = createLog({ logLevel: 'info' });
  const residentMb = () => process.memoryUsage.rss() / 1_048_576;
  const before = residentMb();
  for (let n = 0; n < ${LINES}; n += 1) {
    log.info({ n, text: 'x'.repeat(1_000) });
    if (n % 100 === 0) await new Promise(setImmediate);
  }
  process.stderr.write(String(residentMb() - before));
  setInterval(() => {}, 1_000);
  log.flush(() => process.exit());
`;

test('of 100 MB that its reader leaves waiting, the log keeps a few and tells how many lines are missing', async () => {
  const talkative = run(process.execPath, ['--input-type=module', '--eval', TALKATIVE], {});
  talkative.child.stdout?.pause();
  await once(talkative.child.stderr ?? assert.fail(), 'data');
  talkative.child.stdout?.resume();
  const { code, stdout, stderr } = await talkative.ended;
  assert.equal(code, 0);
  assert.ok(Number(stderr) < 64, `${stderr} MB`);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { n: number; lines?: number; msg?: string });
  const last = lines.pop();
  assert.equal(last?.msg, 'Lines of the log are missing: they could not be written in time.');
  assert.deepEqual(
    lines.map(({ n }) => n),
    lines.map((_, index) => index),
  );
  assert.equal(lines.length + (last?.lines ?? 0), LINES);
});
