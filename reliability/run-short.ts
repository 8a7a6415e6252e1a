// `npm run reliability -- --short`: the short forms of the faults and the fuzzer, the checker with its controls, the list of
// security controls, and the linters of openapi.json. The last line is the sum; the exit code is 1 if anything failed.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

if (!process.argv.includes('--short')) {
  process.stderr.write('Use --short, or npm run faults, fuzz, mutate, security or lint:openapi for one harness.\n');
  process.exit(2);
}

const files = [...globSync('reliability/test/*.test.ts').sort(), 'server/test/security/controls.test.ts'];
const tests = spawnSync(process.execPath, ['server/test/run.ts', ...files], {
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
const [, sum = '', passed = '0', failed = '1'] = /((\d+) passed, (\d+) failed)\s*$/.exec(tests.stdout) ?? [];
process.stdout.write(tests.stdout.slice(0, tests.stdout.length - sum.length - 1));
const lint = spawnSync(process.execPath, ['reliability/lint-openapi.ts'], { stdio: 'inherit' });
const isLintClean = lint.status === 0;
process.stdout.write(`${isLintClean ? '✔' : '✖'} lint of openapi.json\n`);

const totals = { passed: Number(passed) + Number(isLintClean), failed: Number(failed) + Number(!isLintClean) };
process.exitCode = totals.failed === 0 && totals.passed > 1 ? 0 : 1;
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
