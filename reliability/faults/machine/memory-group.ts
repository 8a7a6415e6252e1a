import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A cgroup whose processes may have a number of bytes together; the kernel kills one of them rather than give more. */
export interface MemoryGroup {
  /** The command that becomes a process of the group. */
  through: readonly string[];
  /** The most that its processes had, with the files that the kernel keeps for them. */
  mostMb(): Promise<number>;
  /** Removes the group once its processes have ended. */
  close(): Promise<void>;
}

const FIRST_VERSION = '/sys/fs/cgroup/memory';
const SECOND_VERSION = '/sys/fs/cgroup';

/** @throws if this is not root or has no memory cgroups */
export async function openMemoryGroup(megabytes: number): Promise<MemoryGroup> {
  const isFirst = existsSync(join(FIRST_VERSION, 'memory.limit_in_bytes'));
  const path = join(isFirst ? FIRST_VERSION : SECOND_VERSION, `bestow-faults-${process.pid}`);
  const files = isFirst
    ? { limit: 'memory.limit_in_bytes', most: 'memory.max_usage_in_bytes' }
    : { limit: 'memory.max', most: 'memory.peak' };
  await mkdir(path);
  await writeFile(join(path, files.limit), `${megabytes * 2 ** 20}`);
  return {
    through: ['sh', '-c', `echo $$ > ${join(path, 'cgroup.procs')} && exec "$0" "$@"`],
    mostMb: async () => Number(await readFile(join(path, files.most), 'utf8')) / 2 ** 20,
    async close() {
      // The kernel takes a moment to forget an ended process.
      for (let tries = 50; tries > 0; tries -= 1) {
        if (
          await rmdir(path).then(
            () => true,
            () => false,
          )
        )
          return;
        await sleep(100);
      }
    },
  };
}
