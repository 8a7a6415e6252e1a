// `npm run security -- [--only ID,…] [--seed N] [--short]`: lists the security controls and runs the tests that prove them,
// ten times as long as `npm test` does. The exit code is 1 if a test fails.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { controls } from './security/controls.ts';
import { NAME_SERVER } from './security/network-watch.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const say = (line: string) => process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string' }, short: { type: 'boolean', default: false } },
});
const ids = values.only?.split(',');
const chosen = controls.filter(({ id }) => ids?.includes(id) ?? true);
if (chosen.length === 0) throw new Error(`There are ${controls.map(({ id }) => id).join(', ')}.`);
const seed = values.seed ?? String(randomInt(2 ** 31));
Object.assign(process.env, { SECURITY_SEED: seed, SECURITY_LENGTH: values.short ? '1' : '10' });
say(`seed ${seed}`);

/** Runs a program in a new network namespace with a watched name server. */
function runProgram(program: string): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'bestow-security-'));
  const resolver = join(directory, 'resolv.conf');
  writeFileSync(resolver, `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:1\n`);
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$1" "$2"';
  const path = join('reliability/security', program);
  const args = ['--net', '--mount', 'sh', '-c', script, resolver, process.execPath, path];
  const { status } = spawnSync('unshare', args, { stdio: 'inherit', timeout: 300_000 });
  rmSync(directory, { recursive: true });
  say(`${status === 0 ? '✔' : '✖'} ${program} (needs root on Linux)`);
  return status === 0;
}

const proofs = chosen.flatMap((control) => control.proofs);
const programs = new Set(proofs.flatMap((proof) => ('program' in proof ? [proof.program] : [])));
const files = new Set(proofs.flatMap((proof) => ('file' in proof ? [proof.file] : [])));
const havePassed = [...programs].map(runProgram).every(Boolean);
const { status } = spawnSync(process.execPath, ['server/test/run.ts', ...[...files].sort()], { stdio: 'inherit' });
for (const { id, control } of chosen) say(`${id}: ${control}`);
process.exitCode = havePassed && status === 0 ? 0 : 1;
