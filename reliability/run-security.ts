// `npm run security -- [--only ID,…] [--seed N] [--short]`: every security control and the tests that hold it. It prints its
// seed first and a line for each control; the exit code is 1 where one does not hold.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { provideDebianPrograms } from '../server/test/harness/debian-programs.ts';
import { runTests } from '../server/test/harness/run-tests.ts';
import { openTestServer } from '../server/test/test-server.ts';
import type { Control, Program, Proof } from './security/control.ts';
import { controls } from './security/controls.ts';
import { NAME_SERVER } from './security/network-watch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Times as many rounds as in `npm test`. */
const WHOLE_LENGTH = 10;
const FILE_TIMEOUT_MS = 600_000;
const PROGRAM_TIMEOUT_MS = 300_000;

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string' }, short: { type: 'boolean', default: false } },
});
const ids = values.only?.split(',') ?? controls.map(({ id }) => id);
const unknown = ids.filter((id) => !controls.some((control) => control.id === id));
if (unknown.length > 0)
  throw new Error(`Not a control: ${unknown.join(', ')}. There are ${controls.map(({ id }) => id).join(', ')}.`);
const chosen = controls.filter(({ id }) => ids.includes(id));

const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed takes a whole number.');
process.env['SECURITY_SEED'] = String(seed);
process.env['SECURITY_LENGTH'] = String(values.short ? 1 : WHOLE_LENGTH);
say(`seed ${seed}`);

interface Outcome {
  name: string;
  hasPassed: boolean;
}

const isProof = (proof: Proof | Program): proof is Proof => 'file' in proof;

/** The outcome of every test of these files, by file. */
async function runFiles(files: string[]): Promise<Map<string, Outcome[]>> {
  const outcomes = new Map<string, Outcome[]>(files.map((file) => [file, []]));
  // Timing is measured by itself.
  const [timed, others] = [
    files.filter((file) => file.includes('timing')),
    files.filter((file) => !file.includes('timing')),
  ];
  for (const [some, concurrency] of [
    [others, 2],
    [timed, 1],
  ] as const) {
    if (some.length === 0) continue;
    const options = { files: [...some], concurrency, timeout: FILE_TIMEOUT_MS };
    const events = runTests(options, ({ file, name, hasPassed, error }) => {
      const path = relative(root, file ?? '');
      outcomes.get(path)?.push({ name, hasPassed });
      if (error !== undefined) say(`FAILED ${path}: ${name}\n  ${String(error.cause ?? error)}`);
    });
    events.on('test:diagnostic', ({ file, message }) => {
      if (file?.includes('timing')) say(`  timing: ${message}`);
    });
    events.resume();
    await new Promise((resolve) => events.on('end', resolve));
  }
  return outcomes;
}

/** Runs a program in a network namespace of its own, with a name server that is nobody. */
async function runProgram(program: string): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux';
  const directory = await mkdtemp(join(tmpdir(), 'bestow-security-'));
  const resolver = join(directory, 'resolv.conf');
  writeFileSync(resolver, `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:1\n`);
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$1" "$2"';
  const path = join(root, 'reliability/security', program);
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['--net', '--mount', 'sh', '-c', script, resolver, process.execPath, path],
    { encoding: 'utf8', timeout: PROGRAM_TIMEOUT_MS },
  );
  await rm(directory, { recursive: true });
  say(`  ${program}: ${stdout.trim()}`);
  return status === 0 ? undefined : `it ended with ${status}: ${stderr.slice(-1_000)}`;
}

/** What keeps this control from holding; nothing where it holds. */
function faultsOf(
  { proofs }: Control,
  outcomes: Map<string, Outcome[]>,
  programs: Map<string, string | undefined>,
): string[] {
  return proofs.flatMap((proof) => {
    if (!isProof(proof)) {
      const fault = programs.get(proof.program);
      return fault === undefined ? [] : [`${proof.program}: ${fault}`];
    }
    const { file, tests = [''] } = proof;
    return tests.flatMap((text) => {
      const ran = (outcomes.get(file) ?? []).filter(({ name }) => name.includes(text));
      if (ran.length === 0) return [`${file}: no test “${text}” ran`];
      return ran.filter(({ hasPassed }) => !hasPassed).map(({ name }) => `${file}: ${name}`);
    });
  });
}

provideDebianPrograms();
spawnSync(process.execPath, ['scripts/build-portal.js'], { stdio: 'inherit' });
const startedAtMs = performance.now();
const files = [...new Set(chosen.flatMap(({ proofs }) => proofs.filter(isProof).map(({ file }) => file)))].sort();
const programs = new Map<string, string | undefined>();
for (const proof of chosen.flatMap(({ proofs }) => proofs))
  if (!isProof(proof)) programs.set(proof.program, await runProgram(proof.program));
const closeTestServer = await openTestServer();
const outcomes = await runFiles(files);
await closeTestServer();

let broken = 0;
for (const control of chosen) {
  const faults = faultsOf(control, outcomes, programs);
  if (faults.length > 0) broken += 1;
  say(`${faults.length === 0 ? 'holds ' : 'BROKEN'} ${control.id}: ${control.control}`);
  for (const fault of faults) say(`       ${fault}`);
}
const tests = [...outcomes.values()].flat();
const passed = tests.filter(({ hasPassed }) => hasPassed).length;
const seconds = Math.round((performance.now() - startedAtMs) / 1000);
say(
  `security: ${chosen.length - broken} of ${chosen.length} controls hold; ${passed} of ${tests.length} tests in ${files.length} files, ${seconds} s, seed ${seed}`,
);
process.exitCode = broken === 0 ? 0 : 1;
