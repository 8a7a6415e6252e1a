// `npm test`: types, lint and every test on a real PostgreSQL; `npm test -- FILE …` runs those test files only.
// The last line says how many passed and failed; the exit code is 1 where any failed.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { provideChromium } from './harness/chromium.ts';

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
  check('format and lint (biome)', 'biome', ['check', '--error-on-warnings', '.']);
}

provideChromium();

const files = named.length > 0 ? named : globSync('server/{src,test}/**/*.test.ts').sort();
const options = {
  files,
  concurrency: 2,
  timeout: 120_000,
  globalSetupPath: fileURLToPath(new URL('./global-setup.ts', import.meta.url)),
};
const events = run(options);
events.on('test:pass', ({ details, skip, todo }) => {
  if (details.type === 'suite') return;
  // A skipped test is not a passed one.
  if (skip === undefined && todo === undefined) passed += 1;
  else failed += 1;
});
events.on('test:fail', ({ details }) => {
  if (details.type !== 'suite') failed += 1;
});
const report = events.compose(new spec());
report.pipe(process.stdout);
await new Promise((resolve) => report.on('end', resolve));

process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
