import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresProxy } from '../../proxy/start-proxy.ts';
import { monotonicNowMs, type RecordedCall } from '../../record/recorder.ts';
import type { Fault } from '../fault.ts';
import { injectUnderLoad } from '../inject-under-load.ts';
import { probeOrder } from '../probe-order.ts';
import { pick } from '../random.ts';
import { openProxiedRig } from './proxied-rig.ts';
import { watchHealth } from './watch-health.ts';

const LASTS_MS = { least: 2_500, most: 5_000 };
const REFUSED_WITHIN_MS = 2_000;
const HEALTHY_WITHIN_MS = 100;
/** Of all looks at a server's health: the machine does other things too. */
const HEALTHY_SHARE = 0.95;
const RECOVERED_WITHIN_MS = 5_000;

/** Other refusals, such as `resource_locked`, are answers of a database that is back. */
const FOR_THE_FAULT = new Set(['internal_error', 'rate_limit_exceeded']);

interface Harm {
  name: string;
  summary: string;
  /** Whether what is refused is refused within two seconds; a step takes a second where all bytes are late. */
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
    summary: 'PostgreSQL answers nothing any more, and goes on later',
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

/** Of calls that were refused: what each took longer than it may, counted from the fault's begin where that came later. */
const lateRefusals = (calls: readonly RecordedCall[], beganAtMs: number) =>
  calls.flatMap(({ operation, outcome, startedAtMs, endedAtMs }) => {
    const tookMs = endedAtMs - Math.max(startedAtMs, beganAtMs);
    const isOurs = outcome.kind === 'failed' && FOR_THE_FAULT.has(outcome.code);
    if (!isOurs || tookMs <= REFUSED_WITHIN_MS) return [];
    return [`${operation} was refused (${outcome.code}) after ${Math.round(tookMs)} ms.`];
  });

const outOfReach = ({ name, summary, isPrompt, begin, end }: Harm): Fault => ({
  name,
  summary: `${summary}: ${isPrompt ? 'refused within 2 s' : 'placed, or honestly refused'}, health answers within 100 ms, all is well 5 s after it.`,
  issueCount: 10,
  shortCount: 2,
  async run(context) {
    const { random } = context;
    const { rig, proxy, startServer, close } = await openProxiedRig({ random });
    const healthMs: number[] = [];
    const came: Record<string, number> = {};
    try {
      const { url } = await startServer();
      const lasting = rig.organizations.filter(({ resets }) => !resets);
      const result = await injectUnderLoad(rig, context, {
        load: { urls: [url] },
        url: () => url,
        async inject() {
          const before = rig.recorder.calls.length;
          const health = watchHealth(url);
          const beganAtMs = monotonicNowMs();
          begin(proxy);
          await sleep(LASTS_MS.least + random() * (LASTS_MS.most - LASTS_MS.least));
          end(proxy);
          rig.recorder.crash();
          const endedAtMs = performance.now();
          healthMs.push(...(await health.stop()));
          const { outcome, knownAtMs } = await probeOrder(rig, {
            urls: [url],
            organization: pick(random, lasting),
            random,
          });
          const recoveryMs = knownAtMs - endedAtMs;
          const during = rig.recorder.calls.slice(before).filter((call) => call.startedAtMs >= beganAtMs - 10_000);
          for (const { outcome: each } of during) {
            const kind = each.kind === 'failed' ? each.code : each.kind;
            came[kind] = (came[kind] ?? 0) + 1;
          }
          const failures = isPrompt ? lateRefusals(during, beganAtMs) : [];
          if (outcome.kind !== 'ok') failures.push(`an order after it came to ${JSON.stringify(outcome)}.`);
          if (recoveryMs > RECOVERED_WITHIN_MS) failures.push(`it was over ${Math.round(recoveryMs)} ms later.`);
          return { recoveryMs, failures };
        },
      });
      return {
        ...result,
        ...judgeHealth(result.failures, healthMs),
        notes: [...result.notes, JSON.stringify(came), tellHealth(healthMs)],
      };
    } finally {
      await close();
    }
  },
});

const share = (healthMs: readonly number[]) =>
  healthMs.filter((tookMs) => tookMs <= HEALTHY_WITHIN_MS).length / healthMs.length;

const judgeHealth = (failures: readonly string[], healthMs: readonly number[]) => ({
  failures: share(healthMs) >= HEALTHY_SHARE ? [...failures] : [...failures, `Health: ${tellHealth(healthMs)}.`],
});

function tellHealth(healthMs: readonly number[]): string {
  const worstMs = Math.max(...healthMs);
  return `${healthMs.length} looks at its health, ${(100 * share(healthMs)).toFixed(2)} % answered within ${HEALTHY_WITHIN_MS} ms, the slowest after ${worstMs.toFixed(0)} ms`;
}

export const outOfReachFaults = harms.map(outOfReach);
