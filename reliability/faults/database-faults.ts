import { setTimeout as sleep } from 'node:timers/promises';
// Imported for their statements.
import '../../server/src/core/cards/queries.ts';
import '../../server/src/core/gifts/gift/queries.ts';
import '../../server/src/core/orders/queries.ts';
import { statements } from '../../server/src/platform/database/statement.ts';
import { createHttpClient } from '../load/send.ts';
import type { Moment } from '../proxy/session.ts';
import { type PostgresProxy, startProxy } from '../proxy/start-proxy.ts';
import { monotonicNowMs, type RecordedCall } from '../record/recorder.ts';
import { diskFull } from './disk-full.ts';
import type { Fault, FaultResult } from './fault.ts';
import { type InstallationOptions, openInstallation } from './installation.ts';
import { failuresOfProbe, injectUnderLoad } from './load-fault.ts';
import { probeOrder } from './probe-order.ts';
import { pick } from './random.ts';

/** Opens an installation whose servers reach PostgreSQL through a proxy that can harm the connection. */
export async function openProxiedInstallation(options: InstallationOptions) {
  const installation = await openInstallation(options);
  const proxy = await startProxy(installation.target);
  return {
    installation,
    proxy,
    startServer: (variables: Record<string, string> = {}) =>
      installation.startServer({ variables: { DATABASE_URL: proxy.url, ...variables } }),
    async close() {
      await proxy.close();
      await installation.close();
    },
  };
}

const KNOWN_WITHIN_MS = 5_000;
/** The server answers an order or closes its connection within 8 s. */
const CUT_WITHIN_MS = 15_000;
/** With each sixth order a commit of another kind is cut. */
const ANOTHER_EACH = 6;
const ANOTHER_WITHIN_MS = 2_000;
const OTHERS = ['gifts.redirect', 'gifts.claim', 'gifts.open', 'cards.insert_purchase', 'gifts.settle_delivery'];

const isNamed = (name: string) => (texts: readonly string[]) => {
  const text = statements.get(name);
  if (text === undefined) throw new Error(`There is no statement ${name}.`);
  return texts.includes(text);
};

async function isDoneWithin(done: Promise<void>, withinMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(withinMs, false, { signal: timer.signal }).catch(() => false);
  const isDone = await Promise.race([done.then(() => true), late]);
  timer.abort();
  return isDone;
}

const cuts: readonly { moment: Moment; when: string; fullCount: number }[] = [
  { moment: 'before', when: 'just before', fullCount: 300 },
  { moment: 'during', when: 'the moment', fullCount: 100 },
  { moment: 'after', when: 'just after', fullCount: 300 },
];

const cutFaults = cuts.map(
  ({ moment, when, fullCount }): Fault => ({
    name: `cut-${moment}-commit`,
    summary: `The connection to PostgreSQL is lost ${when} a commit arrives: no committed order gets an error object.`,
    fullCount,
    shortCount: 20,
    async run(context) {
      const { random } = context;
      const { installation, proxy, startServer, close } = await openProxiedInstallation({ random, messageTakesMs: 5 });
      try {
        const { url } = await startServer();
        const lasting = installation.organizations.filter(({ resets }) => !resets);
        return await injectUnderLoad(installation, context, {
          load: { urls: [url] },
          url: () => url,
          betweenMs: { least: 10, most: 100 },
          async inject(number) {
            const cut = proxy.cutCommit(moment, isNamed('orders.place'));
            const startedAtMs = performance.now();
            const probe = probeOrder(installation, { urls: [url], organization: pick(random, lasting), random });
            installation.recorder.crash();
            const isCut = await isDoneWithin(cut, CUT_WITHIN_MS);
            const { outcome, knownAtMs } = await probe;
            const recoveryMs = knownAtMs - startedAtMs;
            const failures = failuresOfProbe(outcome);
            if (!isCut) failures.push('no commit of an order was cut.');
            if (recoveryMs > KNOWN_WITHIN_MS) failures.push(`it took ${Math.round(recoveryMs)} ms.`);
            if (number % ANOTHER_EACH === 0) {
              const another = proxy.cutCommit(moment, isNamed(pick(random, OTHERS)));
              if (await isDoneWithin(another, ANOTHER_WITHIN_MS)) installation.recorder.crash();
              proxy.cutNothing();
            }
            return { recoveryMs, failures };
          },
        });
      } finally {
        await close();
      }
    },
  }),
);

const LASTS_MS = { least: 2_500, most: 5_000 };
const REFUSED_WITHIN_MS = 2_000;
const HEALTHY_WITHIN_MS = 100;
/** Other programs use the machine too. */
const HEALTHY_SHARE = 0.95;

interface Harm {
  name: string;
  summary: string;
  /** Whether refusals must come within 2 s. */
  isPrompt: boolean;
  begin(proxy: PostgresProxy): void;
  end(proxy: PostgresProxy): void;
}

const harms: readonly Harm[] = [
  {
    name: 'connections-taken',
    summary: 'PostgreSQL has no connection left',
    isPrompt: true,
    begin(proxy) {
      proxy.refuse(true);
      proxy.cutAll();
    },
    end: (proxy) => proxy.refuse(false),
  },
  {
    name: 'statements-hang',
    summary: 'PostgreSQL stops answering and goes on later',
    isPrompt: true,
    begin: (proxy) => proxy.stall(true),
    end: (proxy) => proxy.stall(false),
  },
  {
    name: 'slow-database',
    summary: 'All bytes to and from PostgreSQL take 500 ms',
    isPrompt: false,
    begin: (proxy) => proxy.delay(500),
    end: (proxy) => proxy.delay(0),
  },
];

/** Reports refusals that took too long, counted from the fault's begin at the earliest. */
const lateRefusals = (calls: readonly RecordedCall[], beganAtMs: number) =>
  calls.flatMap(({ operation, outcome, startedAtMs, endedAtMs }) => {
    const tookMs = endedAtMs - Math.max(startedAtMs, beganAtMs);
    const isRefusal = outcome.kind === 'failed' && outcome.code === 'internal_error';
    if (!isRefusal || tookMs <= REFUSED_WITHIN_MS) return [];
    return [`${operation} was refused (${outcome.code}) after ${Math.round(tookMs)} ms.`];
  });

/** Asks for the health every 50 ms. @returns stops, and returns the times that it took */
function watchHealth(url: string): () => Promise<readonly number[]> {
  const http = createHttpClient(5_000);
  const tookMs: number[] = [];
  let isStopping = false;
  const asking = (async () => {
    while (!isStopping) {
      const startedAtMs = performance.now();
      const { status } = await http.send(url, { method: 'GET', path: '/v1/health' }).catch(() => ({ status: 0 }));
      tookMs.push(status === 200 ? performance.now() - startedAtMs : Number.POSITIVE_INFINITY);
      await sleep(50);
    }
  })();
  return async () => {
    isStopping = true;
    await asking;
    http.close();
    return tookMs;
  };
}

const unreachableFaults = harms.map(
  ({ name, summary, isPrompt, begin, end }): Fault => ({
    name,
    summary: `${summary}: ${isPrompt ? 'refused within 2 s' : 'placed or refused'}; health in 100 ms; recovers in 5 s.`,
    fullCount: 10,
    shortCount: 2,
    async run(context) {
      const { random } = context;
      const options = { random, messageTakesMs: 20 };
      const { installation, proxy, startServer, close } = await openProxiedInstallation(options);
      const healthMs: number[] = [];
      try {
        const { url } = await startServer();
        const lasting = installation.organizations.filter(({ resets }) => !resets);
        return await injectUnderLoad(installation, context, {
          load: { urls: [url] },
          url: () => url,
          async inject() {
            const before = installation.recorder.calls.length;
            const stopWatch = watchHealth(url);
            const beganAtMs = monotonicNowMs();
            begin(proxy);
            await sleep(LASTS_MS.least + random() * (LASTS_MS.most - LASTS_MS.least));
            end(proxy);
            installation.recorder.crash();
            const endedAtMs = performance.now();
            healthMs.push(...(await stopWatch()));
            const organization = pick(random, lasting);
            const { outcome, knownAtMs } = await probeOrder(installation, { urls: [url], organization, random });
            const recoveryMs = knownAtMs - endedAtMs;
            const failures = failuresOfProbe(outcome);
            if (isPrompt) failures.push(...lateRefusals(installation.recorder.calls.slice(before), beganAtMs));
            if (recoveryMs > KNOWN_WITHIN_MS) failures.push(`it recovered after ${Math.round(recoveryMs)} ms.`);
            return { recoveryMs, failures };
          },
          finish: (result) => judgeHealth(result, healthMs),
        });
      } finally {
        await close();
      }
    },
  }),
);

function judgeHealth({ failures, notes }: FaultResult, healthMs: readonly number[]): void {
  const share = healthMs.filter((tookMs) => tookMs <= HEALTHY_WITHIN_MS).length / healthMs.length;
  const percent = (100 * share).toFixed(2);
  const text = `${percent} % of ${healthMs.length} health checks took at most ${HEALTHY_WITHIN_MS} ms`;
  (share >= HEALTHY_SHARE ? notes : failures).push(text);
}

/** Faults of the database, or of the connection to it. */
export const databaseFaults: readonly Fault[] = [...cutFaults, ...unreachableFaults, diskFull];
