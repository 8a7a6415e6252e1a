// Runs the tests on a real PostgreSQL. `npm test` runs the checks and `*.test.ts`; `npm run test:system` runs the gate's
// `*.system.test.ts`, with `-- --all` every one; `npm run test:shards` runs the tests of the interface on two servers; and
// `npm test -- FILE …` runs these files, and `-- --changed [COMMIT]` those that reach a file that changed since then. Exits
// with 1 if a test failed; the last line is the sum.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { provideDebianPrograms } from './harness/debian-programs.ts';
import { makeMemoryDirectory } from './harness/memory-directory.ts';
import { LOG_DIRECTORY_VARIABLE, searchLogs } from './harness/test-log.ts';
import { changedSince, chooseTests } from './runner/choose-tests.ts';
import { createFileGraph } from './runner/file-graph.ts';
import { needsOf } from './runner/needs.ts';
import { runFiles } from './runner/run-files.ts';
import { groupByFolder } from './runner/write-groups.ts';
import { startTestServer, startTestShards, type TestServers } from './test-server.ts';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const { values: options, positionals } = parseArgs({
  options: {
    system: { type: 'boolean' },
    shards: { type: 'boolean' },
    all: { type: 'boolean' },
    changed: { type: 'boolean' },
  },
  allowPositionals: true,
});
const named = options.changed ? [] : positionals;
// A third of the processor's time went to making and removing the files of databases. A release is tested on the disk too.
if (!options.all) process.env['TMPDIR'] = makeMemoryDirectory() ?? tmpdir();
const isSystem = options.system === true;
const isOnShards = options.shards === true;

/**
 * The system tests of the gate, the longest first: money, data, start and stop, migrations, the command, and a journey in each
 * browser.
 */
const GATE = [
  'server/test/surfaces/process/stop.system.test.ts',
  'server/test/core/delivery/worker-kills.system.test.ts',
  'server/test/capabilities/docs/browser.system.test.ts',
  'server/test/surfaces/process/ephemeral.system.test.ts',
  'server/test/surfaces/process/start.system.test.ts',
  'server/test/platform/embedded-postgres/killed.system.test.ts',
  'reliability/test/checker.system.test.ts',
  'sdk/test/proof.system.test.ts',
  'server/test/faces/redemption/recipient-browser.system.test.ts',
  'portal/test/files.system.test.ts',
  'portal/test/send.system.test.ts',
  'server/test/surfaces/commands/processes.system.test.ts',
  'server/test/surfaces/process/backup.system.test.ts',
  'server/test/platform/database/migrations-beside.system.test.ts',
  'server/test/surfaces/commands/migrate-wait.system.test.ts',
  'server/test/platform/database/earlier-database.system.test.ts',
];
/** Long tests whose guarantees others of the gate hold: a release runs them, with all system tests (docs/reliability.md). */
const OF_RELEASE = ['server/test/capabilities/yearly-gifts/two-years.test.ts'];
/** Tests of money and data, for which no second run may hide a failure. */
const FAILS_AT_ONCE = [
  'server/test/core/{balances,orders}/*.test.ts',
  'server/test/**/{*-races,races,races-*,*ledger*}.test.ts',
  'reliability/test/*.test.ts',
  'sdk/test/proof.system.test.ts',
];
/** Tests of the shards themselves. */
const OF_SHARDS = 'server/test/shards/**/*.test.ts';
/** Of the tests of the interface, those that `npm test` also runs on two servers: money, and a page of each kind. */
const OF_GATE =
  'server/test/{core/orders/races-in-twos,faces/redemption/page,platform/api/contract,surfaces/portal/overview}.test.ts';
/** On two servers the tests of these folders run. */
const OF_INTERFACE =
  'server/test/*/{api,audit,authentication,balances,cards,catalog,gifts,keys,orders,organizations,portal,redemption,request-log,sandbox}/*.test.ts';
/** Tests of one server: they run commands on it, look into its sessions, triggers or row versions, or change its address. */
const OF_ONE_DATABASE =
  'server/test/*/{audit/audit,authentication/one-statement,balances/accounts,balances/operator,cards/cards,gifts/cancel-doors,gifts/filter-plans,gifts/gift-races,orders/processing-jobs,orders/snapshot-races,orders/unknown-placements,organizations/operator,portal/home,portal/plans,redemption/link-page,request-log/find-any-request,request-log/limits,request-log/search}.test.ts';

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
  await check('types of the operator’s page (tsc)', 'tsc', ['--noEmit', '--project', 'portal/operator']);
  await check('format and lint (biome)', 'biome', ['check', '--error-on-warnings', '.']);
}

/** With two test processes, two cores were idle for a quarter of the time. */
const AT_ONCE = 3;

// Keeps the compiled TypeScript for the next process.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../node_modules/.cache/test', import.meta.url));
const isSystemTest = (file: string) => file.endsWith('.system.test.ts');
interface Part {
  files: string[];
  start(): Promise<TestServers>;
}

function partsOfRun(): Part[] {
  const onShards = (files: string[]) => ({ files, start: startTestShards });
  const exclude = ['**/*.system.test.ts', OF_ONE_DATABASE];
  if (isOnShards) return [onShards(named.length > 0 ? named : globSync([OF_SHARDS, OF_INTERFACE], { exclude }))];
  const alone = { files: named.length > 0 ? named : filesOnOneServer(), start: startTestServer };
  return isSystem || named.length > 0 ? [alone] : [onShards(globSync([OF_SHARDS, OF_GATE])), alone];
}

function filesOnOneServer(): string[] {
  if (isSystem && !options.all) return GATE;
  const files = globSync('{readers,server,portal,sdk}/test/**/*.test.ts', { exclude: [OF_SHARDS] });
  return files.filter((file) => (isSystemTest(file) || OF_RELEASE.includes(file)) === isSystem);
}

/** A system test and a test of the shards has its own process; each takes long, so these come first. */
function groupsOf(files: string[]): string[][] {
  const [others = [], alone = []] = [false, true].map((isAlone) =>
    files.filter((file) => (isSystemTest(file) || matchesGlob(file, OF_SHARDS)) === isAlone),
  );
  // Those of whole services take longest and come last in the alphabet; the gate's list has its order.
  const longestFirst = isSystem && !options.all ? alone : alone.sort().reverse();
  return [...longestFirst.map((file) => [file]), ...groupByFolder(others.sort())];
}

const graph = createFileGraph();

/** The parts of this run, or of them the files that changed files are reached by. */
function chosenParts(): Part[] {
  const whole = partsOfRun();
  if (!options.changed) return whole;
  const all = [...new Set(whole.flatMap((part) => part.files))];
  const { files: chosen, reason } = chooseTests(all, changedSince(positionals[0]), graph);
  process.stdout.write(`${reason}\n`);
  const some = whole.map((part) => ({ ...part, files: part.files.filter((file) => chosen.includes(file)) }));
  return some.filter(({ files }) => files.length > 0);
}

const parts = chosenParts();
const needs = needsOf(
  parts.flatMap(({ files }) => files),
  graph,
);
provideDebianPrograms(needs.programs);
// The tests in a browser need the portal as it is now. If the build fails, they fail.
const built = needs.portal
  ? once(spawn(process.execPath, ['scripts/build-portal.js'], { stdio: 'inherit' }), 'exit')
  : undefined;

const logDirectory = await mkdtemp(join(tmpdir(), 'bestow-logs-'));
process.env[LOG_DIRECTORY_VARIABLE] = logDirectory;
const starting = Promise.all(parts.map(async ({ files, start }) => ({ files, servers: await start() })));
const [started] = await Promise.all([starting, built]);
const checks = isSystem || isOnShards || named.length > 0 ? undefined : runChecks();
// All parts in one queue: while the last processes of each part ended, a core was idle.
const groups = started.flatMap(({ files, servers: { variables } }) =>
  groupsOf(files).map((group) => ({ files: group, variables })),
);
const result = await runFiles(groups, {
  concurrency: AT_ONCE,
  failsAtOnce: (file) => FAILS_AT_ONCE.some((pattern) => matchesGlob(file, pattern)),
  print: (text) => process.stdout.write(text),
});
passed += result.passed;
failed += result.failed;
for (const { servers } of started) await servers.close();
await checks;

const { lines, found } = searchLogs(logDirectory);
for (const line of found.slice(0, 20)) process.stdout.write(`  ${line.slice(0, 500)}\n`);
const isPart = isOnShards || named.length > 0 || options.changed === true;
count(`${lines} lines in the services' logs hold no secret`, found.length === 0 && (isPart || lines > 1_000));
await rm(logDirectory, { recursive: true, force: true });

const slowest = result.files.sort((one, other) => other.durationMs - one.durationMs).slice(0, 10);
const table = slowest
  .map(({ file, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(7)} s  ${file}\n`)
  .join('');
process.stdout.write(`\nThe slowest files:\n${table}`);
if (!isPart) await writeFile('node_modules/.cache/slowest-tests.txt', table);

process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
