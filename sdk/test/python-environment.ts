import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execute, root } from './installed-package.ts';
import { keptFolder } from './kept-folder.ts';

const executeFile = promisify(execFile);

export const pythonClient = join(root, 'sdk', 'python');

/** Why nothing is tried. */
export const NO_PYTHON = 'This machine has no Python 3.10 or later with its venv module.';

const ASK = 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2]); print(sys.base_prefix)';

/** A Python with the pinned tools. */
export interface PythonEnvironment {
  /** Such as `3.13`. */
  version: string;
  /** The program. */
  file: string;
  /** Runs Python in the folder of the client; returns its output. */
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
}

/** Finds each Python from 3.10 on that the machine has, the latest first, one for each minor version. */
export async function findPythons(): Promise<{ version: string; file: string }[]> {
  const named = Array.from({ length: 10 }, (_, number) => `python3.${10 + number}`);
  const files = ['python3', ...named, ...globSync(join(homedir(), '.pyenv/versions/*/bin/python3'))];
  const found = new Map<string, string>();
  for (const file of files) {
    const asked = await executeFile(file, ['-c', ASK]).catch(() => undefined);
    const [version = '', prefix = ''] = asked?.stdout.trim().split('\n') ?? [];
    const isRecent = /^3\.\d{2,}$/.test(version);
    // A shim of pyenv chooses its version by the folder it is called in.
    if (isRecent && !found.has(version)) found.set(version, await realpath(join(prefix, 'bin', `python${version}`)));
  }
  const minor = (version: string) => Number(version.split('.')[1]);
  return [...found]
    .map(([version, file]) => ({ version, file }))
    .sort((one, other) => minor(other.version) - minor(one.version));
}

/** Opens the virtual environment of each Python. It is made once and kept until the pinned requirements change. */
export async function openPythons(most = Number.POSITIVE_INFINITY): Promise<PythonEnvironment[]> {
  const pythons = (await findPythons()).slice(0, most);
  const opened: PythonEnvironment[] = [];
  for (const { version, file } of pythons) opened.push(await openPython(version, file));
  return opened;
}

async function openPython(version: string, file: string): Promise<PythonEnvironment> {
  const requirements = join(pythonClient, 'requirements-development.txt');
  const contents = `${await readFile(requirements, 'utf8')}${file}`;
  const folder = await keptFolder(`python-${version}`, contents, async (draft) => {
    await execute(file, ['-m', 'venv', draft], { cwd: root });
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', requirements];
    await execute(join(draft, 'bin', 'python'), install, { cwd: root });
  });
  const python = join(folder, 'bin', 'python');
  return {
    version,
    file: python,
    async run(args, env = {}) {
      const given = { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONDONTWRITEBYTECODE: '1', ...env };
      return (await execute(python, args, { cwd: pythonClient, env: given })).stdout;
    },
  };
}
