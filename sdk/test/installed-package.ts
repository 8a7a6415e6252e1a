import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';

export const execute = promisify(execFile);
export const root = fileURLToPath(new URL('../..', import.meta.url));
export const sdk = join(root, 'sdk');

/** The client as users get it: packed and installed into a plain project, beside a running service. */
export interface InstalledPackage {
  service: TestService;
  project: string;
  packed: { filename: string; files: { path: string }[] };
  /** Runs a program of the project and returns its output. */
  runProgram(name: string, text: string, key: string, node?: string): Promise<string>;
  close(): Promise<void>;
}

export async function installPackage(): Promise<InstalledPackage> {
  const service = await startTestService();
  const project = await mkdtemp(join(tmpdir(), 'bestow-sdk-'));
  const options = { cwd: sdk, timeout: 120_000 };
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', project], options);
  const [packed] = JSON.parse(stdout) as [InstalledPackage['packed']];
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${packed.filename}`];
  await execute('npm', install, { cwd: project, timeout: 60_000 });
  return {
    service,
    project,
    packed,
    async runProgram(name, text, key, node = process.execPath) {
      await writeFile(join(project, name), text);
      const env = { PATH: process.env['PATH'], BESTOW_KEY: key, BASE_URL: service.url };
      const { stdout: printed, stderr } = await execute(node, [name], { cwd: project, env, timeout: 30_000 });
      assert.equal(stderr, '');
      return printed;
    },
    async close() {
      await service.close();
      await rm(project, { recursive: true, force: true });
    },
  };
}
