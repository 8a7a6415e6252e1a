// `npm test`: types, lint and every test on a real PostgreSQL; `npm test -- FILE …` runs those test files only.
// The last line says how many passed and failed; the exit code is 1 where any failed.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { provideDebianPrograms } from './harness/debian-programs.ts';
import { runTests } from './harness/run-tests.ts';
import { LOG_DIRECTORY_VARIABLE, searchLogs } from './harness/test-log.ts';
import { openTestServer } from './test-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);

let passed = 0;
let failed = 0;

function check(name: string, command: string, args: string[]): void {
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, { stdio: 'inherit' });
  if (status === 0) passed += 1;
  else failed += 1;
  process.stdout.write(`${status === 0 ? '✔' : '✖'} ${name}\n`);
}

const named = process.argv.slice(2);
if (named.length === 0) {
  check('types (tsc)', 'tsc', ['--noEmit']);
  check('types of the portal (tsc)', 'tsc', ['--noEmit', '--project', 'portal']);
  check('format and lint (biome)', 'biome', ['check', '--error-on-warnings', '.']);
}

// Each file is a process of its own; what Node makes of the TypeScript is kept for the next one.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../node_modules/.cache/test', import.meta.url));

provideDebianPrograms();
// Those in a browser need the portal as it is now; a build that fails is told by them.
spawnSync(process.execPath, ['scripts/build-portal.js'], { stdio: 'inherit' });

const files = named.length > 0 ? named : globSync('{server,portal,sdk,reliability}/test/**/*.test.ts').sort();
/** Times a start of the service, which other tests beside it would slow down. */
const TIMED = 'server/test/process/start.test.ts';

/** A run that something holds up ends all the same, and says what did not. */
const wholeRun = AbortSignal.timeout(18 * 60_000);

async function runFiles(some: string[]): Promise<void> {
  if (some.length === 0) return;
  const options = { files: some, concurrency: 2, timeout: 300_000, signal: wholeRun };
  const events = runTests(options, ({ hasPassed }) => {
    if (hasPassed) passed += 1;
    else failed += 1;
  });
  const report = events.compose(new spec());
  report.pipe(process.stdout);
  await new Promise((resolve) => report.on('end', resolve));
}

// Not by `globalSetupPath`: the first run's teardown comes after its end, and would take the second run's PostgreSQL away.
const logDirectory = await mkdtemp(join(tmpdir(), 'bestow-logs-'));
process.env[LOG_DIRECTORY_VARIABLE] = logDirectory;
const closeTestServer = await openTestServer();
await runFiles(files.filter((file) => file === TIMED));
await runFiles(files.filter((file) => file !== TIMED));
await closeTestServer();

// «No address, name, key or token in any log»: whatever the tests made the service say.
const { lines, found } = searchLogs(logDirectory);
const isClean = found.length === 0 && (named.length > 0 || lines > 1_000);
if (isClean) passed += 1;
else failed += 1;
process.stdout.write(`${isClean ? '✔' : '✖'} ${lines} lines that the services logged hold no secret\n`);
for (const line of found.slice(0, 20)) process.stdout.write(`  ${line.slice(0, 500)}\n`);
await rm(logDirectory, { recursive: true, force: true });

process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
