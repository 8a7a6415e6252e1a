// `npm run schemathesis -- [--seconds N] [--seed N] [--short]`: Schemathesis against a running service, half of the seconds
// with valid data and half with invalid data; `--short` for 80 seconds with the same seed each time. It installs Schemathesis
// in `node_modules/.cache/clients`. The last line is the sum; the exit code is 1 if it found anything.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { linkGift } from '../server/test/harness/api-client.ts';
import { startTestService } from '../server/test/harness/test-service.ts';
import { openTestServer } from '../server/test/test-server.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '120' }, seed: { type: 'string' }, short: { type: 'boolean' } },
});
// The same requests for the same code, so that a failure is of the change.
const settings = values.short ? { seconds: '80', seed: '1' } : values;
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const say = (line: string) => process.stdout.write(`${line}\n`);
const HERE = pathOf('schemathesis');
const CACHE = pathOf('../node_modules/.cache/clients/schemathesis');

/** Installs once, and again when the list of packages changed. */
function install(): void {
  const wanted = readFileSync(`${HERE}/requirements.txt`, 'utf8');
  const stamp = `${CACHE}/installed`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(CACHE, { recursive: true });
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', CACHE],
    [`${CACHE}/bin/pip`, 'install', '-q', '--disable-pip-version-check', '-r', `${HERE}/requirements.txt`],
  ] as const)
    if (spawnSync(program, args, { stdio: 'inherit' }).status !== 0) throw new Error(`${program} failed.`);
  writeFileSync(stamp, wanted);
}

/** @returns the exit code */
async function run(url: string, key: string, mode: 'positive' | 'negative'): Promise<number> {
  const seed = settings.seed === undefined ? [] : ['--seed', settings.seed];
  const command = ['--config-file', `${HERE}/schemathesis.toml`, '--no-color', 'run', `${url}/v1/openapi.json`];
  const options = [
    '--url',
    url,
    '--checks',
    'all',
    '--exclude-checks',
    'unsupported_method',
    '--max-time',
    String(Math.ceil(Number(settings.seconds) / 2)),
    '--mode',
    mode,
    ...seed,
  ];
  // The key in a variable would not reach it; loopback only, and the key opens an empty sandbox.
  const header = ['--header', `Authorization: Bearer ${key}`];
  const child = spawn(`${CACHE}/bin/st`, [...command, ...options, ...header], {
    cwd: HERE,
    env: { ...process.env, GENERATION_MODE: mode },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

if (spawnSync('which', ['python3']).status !== 0) {
  say('- Schemathesis: not tried, python3 is not on this machine');
  say('0 passed, 0 failed');
  process.exit(0);
}
install();
const closeTestServer = await openTestServer();
const service = await startTestService();
const { sandbox, keys, fund } = await service.organization({ sandbox: 0 });
// A reset deletes the balance, so it is filled again and again.
const FUNDS_CENTS = 100_000_000;
await fund('sandbox', FUNDS_CENTS);
await sandbox.order([linkGift()]);
let isOver = false;
// Time passes: orders complete, events arrive, requests that wait end.
const passing = (async () => {
  while (!isOver) {
    await fund('sandbox', FUNDS_CENTS).catch(() => undefined);
    await service.clock.advance(1_000);
    await setTimeout(1_000);
  }
})();
const sum = { passed: 0, failed: 0 };
try {
  for (const mode of ['positive', 'negative'] as const)
    sum[(await run(service.url, keys.sandbox, mode)) === 0 ? 'passed' : 'failed'] += 1;
} finally {
  isOver = true;
  await passing;
  await service.close();
  await closeTestServer();
}
process.exitCode = sum.failed === 0 ? 0 : 1;
say(`${sum.passed} passed, ${sum.failed} failed`);
