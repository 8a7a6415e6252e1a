import { setTimeout as sleep } from 'node:timers/promises';
import { startNginx } from '../../server/test/harness/nginx.ts';
import { freePort, until } from '../../server/test/harness/server-process.ts';
import type { Fault } from './fault.ts';
import type { Installation } from './installation.ts';
import { loadFault } from './load-fault.ts';

// What is outside the database: a mail server that is away, and a proxy with readers that wait.

const AWAY_MS = { least: 4_000, most: 10_000 };
const TRIED_AGAIN = /^bestow_deliveries_total\{[^}]*outcome="tried_again"[^}]*\} (\d+)/gm;
const READERS = 8;
const WAIT_SECONDS = 30;

const sumOf = (text: string) => [...text.matchAll(TRIED_AGAIN)].reduce((sum, [, count]) => sum + Number(count), 0);

const mailDown = loadFault({
  name: 'mail-down',
  summary: 'No mail server answers: the metrics show failed attempts, and each message is sent once it is back.',
  fullCount: 20,
  shortCount: 2,
  async start({ mailServer, startServer }, { random }) {
    const metricsPort = await freePort();
    const { url } = await startServer({ variables: { METRICS_PORT: `${metricsPort}` } });
    const triedAgain = async () => sumOf(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
    return {
      load: { urls: [url] },
      url: () => url,
      async inject() {
        const before = await triedAgain();
        await mailServer?.stop();
        const beganAtMs = performance.now();
        await until(async () => (await triedAgain()) > before, 'the metrics show failed attempts');
        await sleep(AWAY_MS.least + random() * (AWAY_MS.most - AWAY_MS.least));
        await mailServer?.start();
        return { recoveryMs: performance.now() - beganAtMs };
      },
    };
  },
});

const idleReaders = loadFault({
  name: 'proxy',
  summary: 'Eight readers wait for events behind the shipped nginx: no other client gets an error of the proxy.',
  fullCount: 3,
  shortCount: 1,
  async start(installation) {
    const variables = { TRUST_PROXY: '127.0.0.1' };
    const servers = [await installation.startServer({ variables }), await installation.startServer({ variables })];
    const port = await freePort();
    const { errors, close } = await startNginx('nginx.conf', port, replacementsFor(servers, port), false);
    const url = `http://127.0.0.1:${port}`;
    return {
      load: { urls: [url] },
      url: () => servers[0]?.url ?? url,
      finish: close,
      async inject() {
        const before = installation.recorder.calls.length;
        const logged = await errors();
        const statuses = await Promise.all(Array.from({ length: READERS }, () => waitForEvents(installation, url)));
        const failures = installation.recorder.calls.slice(before).flatMap(({ operation, outcome }) => {
          const status = outcome.kind === 'failed' ? outcome.status : 0;
          return [502, 503, 504].includes(status) ? [`${operation} was answered ${status}.`] : [];
        });
        if (statuses.some((status) => status !== 200)) failures.push(`the readers got ${statuses}.`);
        if ((await errors()) !== logged) failures.push(`nginx logged ${(await errors()).slice(logged.length)}.`);
        return { failures };
      },
    };
  },
});

const replacementsFor = (servers: readonly { url: string }[], port: number) => (directory: string) =>
  [
    ['/tmp/nginx.pid', `${directory}/nginx.pid`],
    ['/dev/stderr', `${directory}/error.log`],
    [/ *resolver .*\n/g, ''],
    [' resolve ', ' '],
    ...servers.map(({ url }, index) => [`server-${index + 1}:3000`, new URL(url).host] as const),
    ['listen 8080', `listen 127.0.0.1:${port}`],
  ] as const;

/** Waits at the end of a feed in which nothing happens, such as that of a new type. */
async function waitForEvents({ organizations }: Installation, url: string): Promise<number> {
  const [organization] = organizations;
  const headers = { Authorization: `Bearer ${organization?.key}` };
  const path = `/v1/events?types=sandbox.reset&wait=${WAIT_SECONDS}`;
  const first = await (await fetch(`${url}${path.replace(/wait=\d+/, 'wait=0')}`, { headers })).json();
  return (await fetch(`${url}${path}&after=${first.next_after}`, { headers })).status;
}

export const outsideFaults: readonly Fault[] = [mailDown, idleReaders];
