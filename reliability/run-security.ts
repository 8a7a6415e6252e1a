// `npm run security -- [--only ID,…]`: lists the security controls and runs the tests that prove them. The exit code is 1 if
// a test fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { provideDebianPrograms } from '../server/test/harness/debian-programs.ts';
import { createFileGraph } from '../server/test/runner/file-graph.ts';
import { needsOf } from '../server/test/runner/needs.ts';
import { controls } from './security/controls.ts';
import { NAME_SERVER } from './security/network-watch.ts';
import { proofs } from './security/proofs.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const say = (line: string) => process.stdout.write(`${line}\n`);
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const ids = Object.keys(controls) as (keyof typeof controls)[];
const only = values.only?.split(',');
const chosen = ids.filter((id) => only?.includes(id) ?? true);
if (chosen.length === 0) throw new Error(`There are ${ids.join(', ')}.`);

/** Runs a program in a new network namespace with a watched name server. */
function runProgram(program: string): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'bestow-security-'));
  const resolver = join(directory, 'resolv.conf');
  writeFileSync(resolver, `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:1\n`);
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$1" "$2"';
  const args = ['--net', '--mount', 'sh', '-c', script, resolver, process.execPath, program];
  const { status } = spawnSync('unshare', args, { stdio: 'inherit', timeout: 300_000 });
  rmSync(directory, { recursive: true });
  say(`${status === 0 ? '✔' : '✖'} ${program} (needs root on Linux)`);
  return status === 0;
}

const files = [...new Set(chosen.flatMap((id) => Object.keys(proofs[id])))].sort();
const isTest = (file: string) => file.endsWith('.test.ts');
const others = files.filter((file) => !isTest(file));
provideDebianPrograms(needsOf(others, createFileGraph()).programs);
const havePassed = others.map(runProgram).every(Boolean);
const { status } = spawnSync(process.execPath, ['server/test/run.ts', ...files.filter(isTest)], { stdio: 'inherit' });
for (const id of chosen) say(`${id}: ${controls[id]}`);
process.exitCode = havePassed && status === 0 ? 0 : 1;
