import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOf } from '../checker/read-record.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Fault } from './fault.ts';
import { injectUnderLoad } from './inject-under-load.ts';
import { openRig, type Rig } from './rig.ts';

const MESSAGE_TAKES_MS = 20;
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const OFFSETS = ['+3600', '+0', '-3600', '+0'] as const;
const HELD_MS = 12_000;
/** A steered order is processing for 20 s; a worker looks for work every second. */
const PROCESSED_WITHIN_MS = 45_000;
/** An hour more than the clock is moved by, and a bit. */
const LINK_TTL_DAYS = String(1.1 / 24);

/**
 * The clock of the real processes moves under them, by libfaketime: a clock within the service would leave out Node's own
 * timers, V8's time and what pg-boss makes of both. PostgreSQL keeps the true time, as where it runs on another machine.
 */
export const moveClock: Fault = {
  name: 'move-clock',
  summary: 'The clock an hour forward and back: nothing expires early, nothing is stuck, lists keep their order.',
  issueCount: 3,
  shortCount: 1,
  async run(context) {
    const { random } = context;
    if (!existsSync(LIBRARY)) throw new Error(`${LIBRARY} is missing; install Debian’s package faketime.`);
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const clock = join(rig.dataDir, 'clock');
      await writeFile(clock, '+0\n');
      const variables = {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        // As a real clock that is set: what measures how long something takes goes on.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        LINK_TTL_DAYS,
      };
      const server = await rig.startServer({ variables });
      const result = await injectUnderLoad(rig, context, {
        load: { urls: [server.url] },
        url: () => server.url,
        isClockTrue: false,
        async inject() {
          const failures: string[] = [];
          for (const offset of OFFSETS) {
            await writeFile(clock, `${offset}\n`);
            await sleep(HELD_MS);
            const waiting = await processingOrders(rig);
            failures.push(...(await stuck(rig, waiting, offset)));
          }
          if (server.child.exitCode !== null) failures.push('the server ended.');
          return { failures };
        },
      });
      result.failures.push(...expiredLinks(rig.recorder));
      return result;
    } finally {
      await rig.close();
    }
  },
};

async function processingOrders(rig: Rig): Promise<string[]> {
  const rows = await rig.sql<{ order_id: string }>('select order_id from orders where completes_at is not null');
  return rows.map(({ order_id }) => order_id);
}

async function stuck(rig: Rig, orderIds: readonly string[], offset: string): Promise<string[]> {
  const untilMs = performance.now() + PROCESSED_WITHIN_MS;
  for (;;) {
    const left = (await processingOrders(rig)).filter((id) => orderIds.includes(id));
    if (left.length === 0) return [];
    if (performance.now() > untilMs)
      return [`${left.length} of ${orderIds.length} orders were not processed within 45 s at ${offset} s: ${left[0]}.`];
    await sleep(500);
  }
}

/** Pages that say that their link has expired: none of them is an hour old. */
export function expiredLinks({ calls }: Recorder): string[] {
  const expired = calls.filter(
    (call) => isOf(call, 'openPage') && call.outcome.kind === 'failed' && call.outcome.code === 'page_410',
  );
  return expired.length === 0
    ? []
    : [`${expired.length} links expired early, such as that of ${expired[0]?.subjectId}.`];
}
