import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';

const executeFile = promisify(execFile);

/** Runs a program; fails with its output, also if it hangs. */
export async function execute(
  file: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await executeFile(file, args, { ...options, timeout: HUNG_AFTER_MS });
  } catch (error) {
    const { killed, stdout } = error as { killed: boolean; stdout: string };
    if (killed) Object.assign(error as Error, { message: `${file} hung.`, stdout: `${file} hung.\n${stdout}` });
    throw error;
  }
}
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
  // Each pack empties and builds the same folder, and test files run at the same time.
  const pack = [join(sdk, 'package.json'), 'npm', 'pack', '--json', '--pack-destination', project];
  const { stdout } = await execute('flock', pack, { cwd: sdk });
  const [packed] = JSON.parse(stdout) as [InstalledPackage['packed']];
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${packed.filename}`];
  await execute('npm', install, { cwd: project });
  return {
    service,
    project,
    packed,
    async runProgram(name, text, key, node = process.execPath) {
      await writeFile(join(project, name), text);
      const env = { PATH: process.env['PATH'], BESTOW_KEY: key, BASE_URL: service.url };
      const { stdout: printed, stderr } = await execute(node, [name], { cwd: project, env });
      assert.equal(stderr, '');
      return printed;
    },
    async close() {
      await service.close();
      await rm(project, { recursive: true, force: true });
    },
  };
}
