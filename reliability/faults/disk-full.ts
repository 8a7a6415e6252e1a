import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { failuresOfProbe, loadFaultOn } from './load-fault.ts';
import { probeOrder } from './probe-order.ts';
import { pick } from './random.ts';

/** A fresh PostgreSQL takes 90 MB. */
const DISK_MB = 320;
const FULL_MS = { least: 4_000, most: 8_000 };
/** PostgreSQL may have to restart. */
const DISK_RECOVERY_MS = 30_000;
const PIECE_BYTES = 64 * 1024;
const run = promisify(execFile);

/** Mounts a file system in memory that can be filled to the last byte. @throws if the user is not root */
export async function openSmallDisk(sizeMb: number) {
  const path = await mkdtemp(join(tmpdir(), 'bestow-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'bestow-faults', path]);
  const ballast = join(path, 'ballast');
  return {
    path,
    async fill() {
      const file = await open(ballast, 'w');
      try {
        // PostgreSQL may free space in the meantime, so the last pieces are single bytes.
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

export const diskFull = loadFaultOn({
  name: 'disk-full',
  summary: 'The disk of PostgreSQL is full: no error object for a committed order; with space again, orders go on.',
  fullCount: 3,
  shortCount: 1,
  needsRoot: true,
  open: () => openSmallDisk(DISK_MB),
  options: ({ path }) => ({ directory: path }),
  async start(installation, disk, { random }) {
    const { url, child } = await installation.startServer();
    const lasting = installation.organizations.filter(({ resets }) => !resets);
    return {
      load: { urls: [url] },
      url: () => url,
      async inject() {
        const before = installation.recorder.calls.length;
        const untilMs = performance.now() + FULL_MS.least + random() * (FULL_MS.most - FULL_MS.least);
        for (; performance.now() < untilMs; await sleep(100)) {
          await disk.fill();
          // Makes the write-ahead log need another file.
          await installation.sql('select pg_switch_wal()').catch(() => undefined);
        }
        const refused = installation.recorder.calls
          .slice(before)
          .filter(({ outcome }) => outcome.kind === 'failed' && outcome.status === 500);
        await disk.free();
        installation.recorder.crash();
        const freedAtMs = performance.now();
        const organization = pick(random, lasting);
        const { outcome, knownAtMs } = await probeOrder(installation, { urls: [url], organization, random });
        const recoveryMs = knownAtMs - freedAtMs;
        const failures = failuresOfProbe(outcome);
        if (refused.length === 0) failures.push('no call was refused: the disk was not full.');
        if (recoveryMs > DISK_RECOVERY_MS) failures.push(`it recovered after ${Math.round(recoveryMs)} ms.`);
        if (child.exitCode !== null || child.signalCode !== null) failures.push('the server ended.');
        return { recoveryMs, failures };
      },
    };
  },
});
