import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { quantile } from '../../../bench/statistics.ts';
import { startDebianPostgres } from '../../../server/test/harness/debian-postgres.ts';
import type { Installation } from '../installation.ts';
import { failuresOfProbe, type Injection, loadFaultOn } from '../load-fault.ts';
import { probeOrder } from '../probe-order.ts';
import { pick } from '../random.ts';
import { countStalls, mailTimes, orderTimes, refusals, timesText, watchedText, watchServer } from '../watch-server.ts';

const SLOW_MS = 300;
const HELD_MS = 20_000;
const NORMAL_WITHIN_MS = 5_000;
/** Of the orders: those behind so many commits of their organization that their statement takes 1.6 s. */
const MOST_REFUSED = 0.25;
const SOURCE = fileURLToPath(new URL('slow-fsync.c', import.meta.url));

/** Starts Debian's PostgreSQL with a disk that can be made slow; the embedded one gets no `LD_PRELOAD`. */
async function startOnSlowDisk() {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-slow-disk-'));
  await chmod(directory, 0o755);
  const [library, delay] = [join(directory, 'slow-fsync.so'), join(directory, 'milliseconds')];
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl']);
  await writeFile(delay, '0');
  const variables = { LD_PRELOAD: library, SLOW_FSYNC_FILE: delay };
  const postgres = await startDebianPostgres(variables, ['fsync=on']);
  return {
    url: postgres.url('bestow'),
    takes: (milliseconds: number) => writeFile(delay, `${milliseconds}`),
    async close() {
      await postgres.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type SlowDisk = Awaited<ReturnType<typeof startOnSlowDisk>>;

export const slowDisk = loadFaultOn({
  name: 'slow-disk',
  summary:
    'Each fsync of PostgreSQL takes 300 ms for 20 s: orders go on, the few that are refused have their reason in the log, and all is as before at once.',
  fullCount: 5,
  shortCount: 1,
  open: startOnSlowDisk,
  options: ({ url }) => ({ databaseUrl: url }),
  start: (installation, disk, { random }) => slowDown(installation, disk, random),
});

async function slowDown(installation: Installation, disk: SlowDisk, random: () => number): Promise<Injection> {
  const server = await installation.startServer();
  const { url, child } = server;
  const { recorder } = installation;
  const lasting = installation.organizations.filter(({ resets }) => !resets);
  const notes: string[] = [];
  return {
    load: { urls: [url], clients: 24 },
    url: () => url,
    async inject() {
      const [calls, messages] = [recorder.calls.length, recorder.messages.length];
      const stalls = countStalls(server.stdout());
      const watch = watchServer(installation, server);
      await disk.takes(SLOW_MS);
      await sleep(HELD_MS);
      await disk.takes(0);
      const overAtMs = performance.now();
      const organization = pick(random, lasting);
      const { outcome, knownAtMs } = await probeOrder(installation, { urls: [url], organization, random });
      const recoveryMs = knownAtMs - overAtMs;
      const watched = await watch.stop();
      const [orders, mails] = [orderTimes(recorder, calls), mailTimes(recorder, messages)];
      notes.push(`${timesText('orders', orders)}; ${timesText('mails', mails)}; ${watchedText(watched)}`);
      const failures = failuresOfProbe(outcome);
      const refused = refusals(recorder, calls);
      notes.push(`${refused.length} calls of ${recorder.calls.length - calls} refused`);
      const isExplained = countStalls(server.stdout()) - stalls >= refused.length;
      if (!isExplained) failures.push(`the log does not explain: ${[...new Set(refused)].join(' ')}`);
      if (refused.length > MOST_REFUSED * orders.length) failures.push(`${refused.length} calls were refused.`);
      const medianMs = quantile(orders, 0.5);
      if (!(medianMs > SLOW_MS)) failures.push(`an order took ${medianMs} ms: the disk was not slow.`);
      if (recoveryMs > NORMAL_WITHIN_MS) failures.push(`an order took ${Math.round(recoveryMs)} ms afterwards.`);
      if (watched.ready < watched.asked) failures.push(`/readyz said ${watched.reasons}, but orders were placed.`);
      if (child.exitCode !== null || child.signalCode !== null) failures.push('the server ended.');
      return { recoveryMs, failures };
    },
    finish: (result) => void result.notes.push(...notes),
  };
}
