import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SeededOrganization } from '../../../bench/installation.ts';
import { writeRequests } from '../../../bench/load/request.ts';
import { runProgram } from '../../../bench/programs.ts';
import { orderRequest } from '../../../bench/site.ts';
import type { FloodInput, FloodResult } from './flood.ts';

const PROGRAM = fileURLToPath(new URL('flood.ts', import.meta.url));

/** Orders of these organizations, from a process of their own. */
export interface Flood {
  run(options: Pick<FloodInput, 'url' | 'connections' | 'seconds' | 'perSecond'>): Promise<FloodResult>;
  close(): Promise<void>;
}

/** @param processors those that it may run on, as Linux lists them */
export async function createFlood(organizations: readonly SeededOrganization[], processors: string): Promise<Flood> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-flood-'));
  const file = join(directory, 'requests');
  await writeRequests(
    file,
    organizations.map(({ key }) => orderRequest(key)),
  );
  let runs = 0;
  return {
    async run(options) {
      runs += 1;
      const input: FloodInput = { file, run: `run-${runs}`, ...options };
      return JSON.parse(
        await runProgram('taskset', ['--cpu-list', processors, process.execPath, PROGRAM, JSON.stringify(input)]),
      );
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
