import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorder } from '../../record/recorder.ts';
import { monotonicNowMs } from '../../record/recorder.ts';
import type { Fault, FaultContext, FaultResult } from '../fault.ts';
import { type InstalledServer, openInstallation } from '../installation.ts';
import { type Injected, injectUnderLoad } from '../load-fault.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { cutOffFromCluster, type LeaderStrike, leaderStrikes } from './leader-strikes.ts';
import type { Machine } from './network.ts';
import type { Replication } from './settings.ts';

const BACK_WITHIN_MS = 30_000;
const GIVEN_UP_AFTER_MS = 120_000;
const LOOK_EVERY_MS = 50;
const MESSAGE_TAKES_MS = 5;
const LOAD_PER_SECOND = 40;
/** Clients retry until the failover is over. */
const KNOWN_WITHIN_MS = 60_000;
/** How long the old leader stays broken after the takeover. */
const HEALED_WITHIN_MS = 5_000;

export const failover: Fault = {
  name: 'failover',
  summary:
    'The leader of three PostgreSQL is killed, frozen or cut off: no acknowledged order is lost, and orders go on within 30 s without a restart of Bestow.',
  fullCount: 10,
  shortCount: 4,
  needsRoot: true,
  runsByDefault: false,
  run: (context) => run(context, 'synchronous', leaderStrikes),
};

export const failoverControl: Fault = {
  name: 'failover-control',
  summary:
    'Positive control: with asynchronous replication and a leader cut off from its cluster, the checker must report lost orders.',
  fullCount: 1,
  shortCount: 1,
  needsRoot: true,
  runsByDefault: false,
  async run(context) {
    const result = await run(context, 'asynchronous', [cutOffFromCluster]);
    const lost = result.violations.filter(({ invariant }) => invariant === 'I5');
    return {
      ...result,
      violations: [],
      failures: lost.length > 0 ? [] : ['The checker reported no lost order.'],
      notes: [...result.notes, ...lost.map(({ text }) => `Reported, as it should be: ${text}`)],
    };
  },
};

async function run(
  context: FaultContext,
  replication: Replication,
  strikes: readonly LeaderStrike[],
): Promise<FaultResult> {
  const { random, say } = context;
  const cluster = await startCluster(replication);
  try {
    const { databaseUrl } = cluster;
    const installation = await openInstallation({ random, databaseUrl, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const server = await installation.startServer();
      const first = Math.floor(random() * strikes.length);
      const took: string[] = [];
      const result = await injectUnderLoad(installation, context, {
        load: { urls: [server.url], perSecond: LOAD_PER_SECOND, knownWithinMs: KNOWN_WITHIN_MS },
        url: () => server.url,
        async inject(number) {
          const strike = strikes[(first + number) % strikes.length] ?? cutOffFromCluster;
          const injected = await loseLeader(cluster, installation.recorder, server, strike, random);
          const seconds = ((injected.recoveryMs ?? 0) / 1_000).toFixed(1);
          took.push(`${strike.name} ${seconds} s`);
          say(`number ${number}, ${strike.name}: orders again after ${seconds} s`);
          return injected;
        },
      });
      return { ...result, notes: [...result.notes, `Orders again: ${took.join('; ')}.`] };
    } finally {
      await installation.close();
    }
  } finally {
    await cluster.remove();
  }
}

/** Breaks the leader, waits for the next order, repairs the leader, and waits until the cluster is healthy. */
async function loseLeader(
  cluster: Cluster,
  recorder: Recorder,
  { child }: InstalledServer,
  { name, strike, heal }: LeaderStrike,
  random: () => number,
): Promise<Injected> {
  const leader = await cluster.leader();
  if (leader === undefined) throw new Error('The cluster has no leader.');
  await strike(cluster, leader);
  const struckAtMs = monotonicNowMs();
  recorder.crash();
  const untilMs = struckAtMs + GIVEN_UP_AFTER_MS;
  const hasTakenOver = await isTakenOver(cluster, leader, untilMs);
  const placedAtMs = await firstOrderAfter(recorder, struckAtMs, untilMs);
  await sleep(random() * HEALED_WITHIN_MS);
  await heal(cluster, leader);
  await cluster.untilHealthy();
  const recoveryMs = (placedAtMs ?? untilMs) - struckAtMs;
  const failures: string[] = [];
  if (recoveryMs > BACK_WITHIN_MS) failures.push(`${name}: orders again only after ${Math.round(recoveryMs)} ms.`);
  if (child.exitCode !== null || child.signalCode !== null) failures.push(`${name}: the server ended.`);
  if (!hasTakenOver) failures.push(`${name}: no other member took over.`);
  return { recoveryMs, failures };
}

/** Waits until the others follow another leader. @returns false if time is up */
async function isTakenOver(cluster: Cluster, lost: Machine, untilMs: number): Promise<boolean> {
  const others = cluster.nodes.filter(({ name }) => name !== lost.name);
  while (monotonicNowMs() < untilMs) {
    const leader = await cluster.leader(others);
    if (leader !== undefined && leader.name !== lost.name) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** Returns when the first order after this moment was acknowledged. */
async function firstOrderAfter({ calls }: Recorder, afterMs: number, untilMs: number): Promise<number | undefined> {
  while (monotonicNowMs() < untilMs) {
    const placed = calls
      .slice(calls.findIndex(({ endedAtMs }) => endedAtMs > afterMs))
      .find(
        ({ operation, startedAtMs, outcome }) =>
          operation === 'placeOrder' && startedAtMs > afterMs && outcome.kind === 'ok' && outcome.status === 201,
      );
    if (placed !== undefined) return placed.endedAtMs;
    await sleep(LOOK_EVERY_MS);
  }
  return undefined;
}
