import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadOrganization } from '../../load/state.ts';
import type { Installation, InstalledServer } from '../installation.ts';
import { failuresOfProbe, type Injection, loadFaultOn } from '../load-fault.ts';
import { probeOrder } from '../probe-order.ts';
import { orderTimes, timesText } from '../watch-server.ts';
import { type MemoryGroup, openMemoryGroup } from './memory-group.ts';

const MEGABYTES = 256;
/** As the shipped unit of systemd. */
const RESTARTS_AFTER_MS = 2_000;
const FILLED_MS = 30_000;
const HELD_MS = 20_000;
const MOST_ENDS = 20;
const EXPORTS_AT_ONCE = 8;

export const smallMemory = loadFaultOn({
  name: 'small-memory',
  summary:
    'The server has 256 MB while clients order and export all gifts: it goes on, or is started again without a loss.',
  fullCount: 5,
  shortCount: 1,
  needsRoot: true,
  open: () => openMemoryGroup(MEGABYTES),
  start: (installation, group, { random }) => squeeze(installation, group, random),
});

async function squeeze(installation: Installation, group: MemoryGroup, random: () => number): Promise<Injection> {
  const { recorder } = installation;
  const kept = await keepRunning(installation, group);
  const { url } = kept;
  const [organization] = installation.organizations.filter(({ resets }) => !resets) as [LoadOrganization];
  const options = { urls: [url], organizations: [organization], only: ['placeOrder'] as const, steers: false };
  const filling = installation.startLoad({ ...options, clients: 16, perSecond: 300 });
  await sleep(FILLED_MS);
  await filling.stop();
  const notes: string[] = [];
  return {
    load: { urls: [url] },
    url: () => url,
    async inject() {
      const [calls, ends] = [recorder.calls.length, kept.ends()];
      const untilMs = performance.now() + HELD_MS;
      const exporting = Array.from({ length: EXPORTS_AT_ONCE }, () => exportUntil(url, organization.key, untilMs));
      const exports = (await Promise.all(exporting)).flat();
      const overAtMs = performance.now();
      const { outcome, knownAtMs } = await probeOrder(installation, { urls: [url], organization, random });
      const whole = exports.filter((lines) => lines !== undefined);
      notes.push(
        `${whole.length} of ${exports.length} exports of up to ${Math.max(0, ...whole)} gifts; ${timesText('orders', orderTimes(recorder, calls))}; at most ${Math.round(await group.mostMb())} MB; ended ${kept.ends() - ends} times`,
      );
      return { recoveryMs: knownAtMs - overAtMs, failures: failuresOfProbe(outcome) };
    },
    async finish(result) {
      result.notes.push(...notes);
      result.failures.push(...(await kept.stop()));
    },
  };
}

/** Starts the server, and again each time that it ends. */
async function keepRunning(installation: Installation, { through }: MemoryGroup) {
  let server: InstalledServer = await installation.startServer({ through });
  const { port, url } = server;
  const endings: string[] = [];
  let isOver = false;
  const keeping = (async () => {
    while (endings.length < MOST_ENDS) {
      const { code, signal, stderr } = await server.ended;
      if (isOver) return;
      installation.recorder.crash();
      endings.push(`${signal ?? code} ${stderr.slice(0, 300)}`);
      await sleep(RESTARTS_AFTER_MS);
      // It may be killed again before it is ready.
      server = await installation.startServer({ through, port }).catch(() => server);
    }
  })();
  return {
    url,
    ends: () => endings.length,
    /** @returns what was wrong */
    async stop(): Promise<string[]> {
      isOver = true;
      server.signal('SIGTERM');
      await keeping;
      const other = endings.filter((text) => !/SIGKILL|heap/.test(text));
      return other.map((text) => `the server ended with ${text}`);
    },
  };
}

/** Exports all gifts one time after another. @returns the lines of each file; undefined if it broke off */
async function exportUntil(url: string, key: string, untilMs: number): Promise<(number | undefined)[]> {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'text/csv' };
  const files: (number | undefined)[] = [];
  while (performance.now() < untilMs) {
    const lines = await fetch(`${url}/v1/gifts`, { headers })
      .then(async (answer) => (answer.status === 200 ? (await answer.text()).split('\r\n').length - 2 : undefined))
      // The server was killed.
      .catch(() => undefined);
    files.push(lines);
    await sleep(100);
  }
  return files;
}
