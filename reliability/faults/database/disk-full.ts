import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { injectUnderLoad } from '../inject-under-load.ts';
import { probeOrder } from '../probe-order.ts';
import { pick } from '../random.ts';
import { openRig } from '../rig.ts';
import { openSmallDisk } from './small-disk.ts';

/** A fresh PostgreSQL takes 90 MB; its log may grow meanwhile. */
const DISK_MB = 320;
const FULL_MS = { least: 4_000, most: 8_000 };
/** PostgreSQL may have to start again, and asks for that every five seconds at most. */
const RECOVERED_WITHIN_MS = 30_000;

export const diskFull: Fault = {
  name: 'disk-full',
  summary:
    'The disk under the database is full: no error object for a committed order; once there is space, all goes on.',
  issueCount: 3,
  shortCount: 1,
  needsRoot: true,
  async run(context) {
    const { random } = context;
    const disk = await openSmallDisk(DISK_MB);
    try {
      const rig = await openRig({ random, directory: disk.path });
      try {
        const { url, child } = await rig.startServer();
        const lasting = rig.organizations.filter(({ resets }) => !resets);
        let refused = 0;
        const result = await injectUnderLoad(rig, context, {
          load: { urls: [url] },
          url: () => url,
          async inject() {
            const before = rig.recorder.calls.length;
            const untilMs = performance.now() + FULL_MS.least + random() * (FULL_MS.most - FULL_MS.least);
            // PostgreSQL removes old files and makes room with that.
            for (; performance.now() < untilMs; await sleep(100)) {
              await disk.fill();
              // So that its log needs another file too; where that cannot be had, PostgreSQL ends.
              await rig.sql('select pg_switch_wal()').catch(() => undefined);
            }
            const failed = rig.recorder.calls
              .slice(before)
              .filter(({ outcome }) => outcome.kind === 'failed' && outcome.status === 500);
            refused += failed.length;
            await disk.free();
            rig.recorder.crash();
            const freedAtMs = performance.now();
            const { outcome, knownAtMs } = await probeOrder(rig, {
              urls: [url],
              organization: pick(random, lasting),
              random,
            });
            const recoveryMs = knownAtMs - freedAtMs;
            const failures = failed.length > 0 ? [] : ['no call was refused: the disk was not full.'];
            if (outcome.kind !== 'ok') failures.push(`an order came to ${JSON.stringify(outcome)}.`);
            if (recoveryMs > RECOVERED_WITHIN_MS) failures.push(`it was over ${Math.round(recoveryMs)} ms later.`);
            if (child.exitCode !== null || child.signalCode !== null) failures.push('the server ended.');
            return { recoveryMs, failures };
          },
        });
        return {
          ...result,
          notes: [...result.notes, `${refused} calls were refused with 500 while the disk was full`],
        };
      } finally {
        await rig.close();
      }
    } finally {
      await disk.close();
    }
  },
};
