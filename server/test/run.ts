// Runs the tests on a real PostgreSQL. `npm test` runs the checks and `*.test.ts`, `npm run test:system` runs
// `*.system.test.ts`, `npm run test:shards` tests on two servers behind PgDog, and `npm test -- FILE …` runs these files.
// Exits with 1 if a test failed; the last line is the sum.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { provideDebianPrograms } from './harness/debian-programs.ts';
import { runTests } from './harness/run-tests.ts';
import { groupByFolder, writeGroups } from './harness/test-groups.ts';
import { LOG_DIRECTORY_VARIABLE, searchLogs } from './harness/test-log.ts';
import { openTestServer, openTestShards } from './test-server.ts';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const isSystem = process.argv[2] === '--system';
const isOnShards = process.argv[2] === '--shards';
const isShort = isOnShards && process.argv[3] === '--short';
const named = process.argv.slice(isShort ? 4 : isSystem || isOnShards ? 3 : 2);
/** Tests of the shards themselves. */
const OF_SHARDS = 'server/test/shards/**/*.test.ts';
/** On shards the tests of these folders run too; with `--short` those that move money or gifts. */
const MONEY = 'balances,gifts,orders,redemption';
const OF_INTERFACE = isShort
  ? `server/test/{${MONEY}}/*.test.ts`
  : `server/test/{${MONEY},api,audit,authentication,cards,catalog,keys,organizations,portal,requests,sandbox}/*.test.ts`;
/** Tests of one database: they run commands on it, look into its sessions, triggers or row versions, or change its address. */
const OF_ONE_DATABASE =
  'server/test/{audit/audit,cards/cards,gifts/cancel-doors,gifts/erase-recipient,gifts/filter-plans,orders/processing-jobs,orders/snapshot-races,orders/unknown-placements,organizations/operator,portal/home,portal/plans,redemption/link-page,requests/find-any-request}.test.ts';
const GROUP_TIMEOUT_MS = 600_000;

let passed = 0;
let failed = 0;

function count(name: string, hasPassed: boolean): void {
  if (hasPassed) passed += 1;
  else failed += 1;
  process.stdout.write(`${hasPassed ? '✔' : '✖'} ${name}\n`);
}

/** Runs a program of npm's and prints what it printed when it ends. */
async function check(name: string, command: string, args: string[]): Promise<void> {
  const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  if (code !== 0) process.stdout.write(output);
  count(name, code === 0);
}

async function runChecks(): Promise<void> {
  await check('types (tsc)', 'tsc', ['--noEmit']);
  await check('types of the portal (tsc)', 'tsc', ['--noEmit', '--project', 'portal']);
  await check('format and lint (biome)', 'biome', ['check', '--error-on-warnings', '.']);
}

/** How long each test file took, milliseconds. */
const times = new Map<string, number>();

/** With two test processes, two cores were idle for a quarter of the time. */
const AT_ONCE = 3;

/** Runs the groups, some processes at a time. */
async function runGroups(directory: string, groups: string[][]): Promise<void> {
  if (groups.length === 0) return;
  const files = writeGroups(directory, groups);
  const events = runTests({ files, concurrency: AT_ONCE, timeout: GROUP_TIMEOUT_MS }, ({ hasPassed }) => {
    if (hasPassed) passed += 1;
    else failed += 1;
  });
  for (const event of ['test:pass', 'test:fail'] as const)
    events.on(event, ({ name, nesting, details }) => {
      if (nesting === 0 && details.type === 'suite') times.set(name, details.duration_ms);
    });
  const report = events.compose(new spec());
  report.pipe(process.stdout);
  await new Promise((resolve) => report.on('end', resolve));
}

// Keeps the compiled TypeScript for the next process.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../node_modules/.cache/test', import.meta.url));
provideDebianPrograms();
// The tests in a browser need the portal as it is now. If the build fails, they fail.
spawnSync(process.execPath, ['scripts/build-portal.js'], { stdio: 'inherit' });

const closeTestServer = await (isOnShards ? openTestShards() : openTestServer());
if (!closeTestServer) {
  process.stdout.write('Skipped: there is no PgDog; set PGDOG_BIN to its program.\n\n0 passed, 0 failed\n');
  process.exit();
}
const logDirectory = await mkdtemp(join(tmpdir(), 'bestow-logs-'));
process.env[LOG_DIRECTORY_VARIABLE] = logDirectory;
const pattern = `{server,portal,sdk}/test/**/*${isSystem ? '.system' : ''}.test.ts`;
const exclude = [OF_SHARDS, ...(isSystem ? [] : ['**/*.system.test.ts'])];
const onShards = () => [
  ...globSync(OF_SHARDS),
  ...globSync(OF_INTERFACE, { exclude: ['**/*.system.test.ts', OF_ONE_DATABASE] }),
];
const files = named.length > 0 ? named : (isOnShards ? onShards() : globSync(pattern, { exclude })).sort();
const checks = isSystem || isOnShards || named.length > 0 ? undefined : runChecks();
// A system test has its own process, so that it ends with all that it started.
// Those of whole services take longest and come last in the alphabet.
const ofSystem = files.filter((file) => file.endsWith('.system.test.ts')).reverse();
const inProcess = files.filter((file) => !file.endsWith('.system.test.ts'));
await runGroups(join(logDirectory, 'groups'), [...groupByFolder(inProcess), ...ofSystem.map((file) => [file])]);
await checks;
await closeTestServer();

const { lines, found } = searchLogs(logDirectory);
for (const line of found.slice(0, 20)) process.stdout.write(`  ${line.slice(0, 500)}\n`);
const isPart = isOnShards || named.length > 0;
count(`${lines} lines in the services' logs hold no secret`, found.length === 0 && (isPart || lines > 1_000));
await rm(logDirectory, { recursive: true, force: true });

const slowest = [...times].sort(([, one], [, other]) => other - one).slice(0, 10);
const table = slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`).join('');
process.stdout.write(`\nThe slowest files:\n${table}`);
if (!isPart) await writeFile('node_modules/.cache/slowest-tests.txt', table);

process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
