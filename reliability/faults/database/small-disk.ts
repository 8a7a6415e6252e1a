import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of its own, in memory, that can be filled to the last byte. */
export interface SmallDisk {
  path: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): Promise<void>;
}

const PIECE_BYTES = 64 * 1024;

/** @throws where it may not be mounted: only root may */
export async function openSmallDisk(sizeMb: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'bestow-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'bestow-faults', path]);
  const ballast = join(path, 'ballast');
  return {
    path,
    async fill() {
      const file = await open(ballast, 'w');
      try {
        // One byte at the end: what PostgreSQL frees meanwhile is taken too.
        for (let bytes = PIECE_BYTES; bytes >= 1; )
          await file.write(Buffer.alloc(bytes)).catch(() => {
            bytes = Math.floor(bytes / 2);
          });
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async close() {
      await run('umount', [path]);
      await rmdir(path);
    },
  };
}
