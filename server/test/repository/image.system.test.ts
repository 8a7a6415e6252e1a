import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Samples, scrape } from '../harness/metrics-text.ts';
import { until } from '../harness/server-process.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

// Runs what the image runs, without a container engine: in a directory made of what the Dockerfile copies.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What `COPY --from=dependencies` and `COPY` put into the image's last stage. */
async function makeImageDirectory(directory: string): Promise<void> {
  const stages = read('Dockerfile')
    .split(/^FROM .*$/m)
    .slice(1);
  const [, dependencies = '', last = ''] = stages;
  for (const [, from = '', to = ''] of dependencies.matchAll(/^COPY ((?:\S+ )+)(\S+)$/gm))
    for (const path of from.trim().split(' '))
      copy(path, join(directory, to, to.endsWith('/') ? (path.split('/').at(-1) ?? '') : ''));
  const install = /^RUN (npm ci .*)$/m.exec(dependencies)?.[1] ?? assert.fail('no npm ci');
  const { status, stderr } = spawnSync('bash', ['-c', `${install} --prefer-offline --loglevel=error`], {
    cwd: directory,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  for (const [, from = '', to = ''] of last.matchAll(/^COPY (?!--from)(\S+) (\S+)$/gm)) copy(from, join(directory, to));
  for (const [, from = '', to = ''] of last.matchAll(/^COPY --from=build \/app\/(\S+) (\S+)$/gm))
    copy(from, join(directory, to));
}

function copy(from: string, to: string): void {
  const target = to.endsWith('/.') ? to.slice(0, -2) : to;
  mkdirSync(dirname(target), { recursive: true });
  // As .dockerignore leaves them out.
  const filter = (path: string) =>
    !/\/node_modules(?:\/|$)|\.test\.ts$|\/server\/test(?:\/|$)/.test(path.slice(root.length - 1));
  cpSync(join(root, from), target, { recursive: true, filter });
}

let directory: string;
let service: TestService;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bestow-image-'));
  service = await startTestService();
});
after(async () => {
  await service.close();
  await rm(directory, { recursive: true, force: true });
});

function imageVariables(): Record<string, string> {
  const { host, port, user, database } = service.target;
  return {
    PATH: dirname(process.execPath),
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(`${host}`)}`,
    LINK_SECRET: 'a secret of thirty-two characters',
    NODE_ENV: 'production',
    PORT: '0',
    METRICS_PORT: '0',
    PUBLIC_URL: 'https://gifts.example.com',
  };
}

test('the image serves with production dependencies only and stops at SIGTERM', async () => {
  await makeImageDirectory(directory);
  const dockerfile = read('Dockerfile');
  const entrypoint = JSON.parse(/^ENTRYPOINT (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
  const command = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
  const [program = '', ...words] = [...entrypoint, ...command];
  const server: ChildProcess = spawn(program, words, {
    cwd: directory,
    env: imageVariables(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  try {
    await until(() => /"msg":"ready"|Ctrl-C/.test(printed), 'the image serves');
    const metrics = /^ {4}Metrics +(\S+)$/m.exec(printed)?.[1] ?? assert.fail(printed);
    const samples: Samples = await scrape(metrics);
    assert.equal(samples['bestow_database_up'], 1);
  } finally {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  }
});
