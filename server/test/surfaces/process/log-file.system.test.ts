import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { processesOn } from '../../harness/end-processes.ts';
import { freePort, run, serve, serveOnFullDisk, temporaryDirectory, until } from '../../harness/server-process.ts';

// The service goes on if its log cannot be written.

test('the service answers and stops while the disk of the log is full', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const port = await freePort();
  const server = serveOnFullDisk(dataDir, port);
  const order = () =>
    fetch(`http://localhost:${port}/v1/orders`, { method: 'POST' }).then(
      ({ status }) => status,
      () => undefined,
    );
  await until(async () => (await order()) === 401, 'it answers');
  // The log is written every second.
  await pause(2_500);
  assert.equal(await order(), 401);
  server.signal('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.deepEqual([code, stderr, processesOn(dataDir)], [0, '', []]);
});

test('a stalled reader of the log delays neither requests nor a stop', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir);
  const { address } = await server.ready();
  server.child.stdout?.pause();
  // Some 200 kB of lines, more than a pipe holds.
  for (let n = 0; n < 10; n += 1)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${address}/v1/orders`)).text()));
  server.signal('SIGTERM');
  // Its output does not end before it is read.
  await until(() => server.child.exitCode !== null || server.child.signalCode !== null, 'it ends');
  assert.deepEqual([server.child.exitCode, processesOn(dataDir)], [0, []]);
});

const LINES = 100_000;
const TALKATIVE = `
  import { createLog } from '${new URL('../../../src/platform/installation/create-log.ts', import.meta.url)}';
  const log = createLog({ logLevel: 'info', processes: 1 });
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

test('the log keeps 8 MB for a stalled reader and counts the dropped lines', async () => {
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
  assert.equal(last?.msg, 'Dropped log lines: the destination was too slow.');
  assert.deepEqual(
    lines.map(({ n }) => n),
    lines.map((_, index) => index),
  );
  assert.equal(lines.length + (last?.lines ?? 0), LINES);
});

const MEASURED = `
  import fs from 'node:fs';
  const { write } = fs;
  let most = 0;
  fs.write = (file, text, ...more) => {
    most = Math.max(most, Buffer.byteLength(text));
    return write(file, text, ...more);
  };
  const { createLog } = await import('${new URL('../../../src/platform/installation/create-log.ts', import.meta.url)}');
  const log = createLog({ logLevel: 'info', processes: 2 });
  for (let n = 0; n < 2_000; n += 1) log.info({ text: 'é'.repeat(n % 500) });
  log.flush(() => {
    process.stderr.write(String(most));
    process.exit();
  });
`;

test('processes that share a pipe keep their lines whole: no write is above 4 KiB', async () => {
  const { code, stderr } = await run(process.execPath, ['--input-type=module', '--eval', MEASURED], {}).ended;
  assert.equal(code, 0);
  assert.ok(Number(stderr) > 3_000 && Number(stderr) <= 4_096, stderr);
});
