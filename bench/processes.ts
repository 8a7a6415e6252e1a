import { randomBytes } from 'node:crypto';
import { type Installation, install } from './installation.ts';
import { type LoadResult, runLoad } from './load/run-load.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number, table } from './print.ts';
import { orderRequest, type Site } from './site.ts';
import { type Spread, spreadOf } from './statistics.ts';

const CONNECTIONS = 128;
const ORGANIZATIONS = 256;
/** The processes share the cores, so the sum cannot grow; it may fall by a fifth at most. */
const LEAST_SHARE = 0.8;

interface ProcessesRun {
  processes: number;
  /** Orders a second of all processes together. */
  perSecond: Spread;
  conflicts: number;
  failed: number;
  /** As a share of one process's rate. */
  share: number;
}

export interface ProcessesResult {
  machine: Machine;
  runs: ProcessesRun[];
  isMet: boolean;
  /** Whether `bestow ledger verify` finds nothing wrong. */
  invariantsHold: boolean;
}

interface Options {
  seconds: number;
  repeats: number;
  say(text: string): void;
}

export async function runProcesses({ seconds, repeats, say }: Options): Promise<ProcessesResult> {
  const machine = describeMachine();
  const installation = await install();
  try {
    await installation.bestow(['catalog', 'add-built-in', '--json']);
    const organizations = await installation.seed(ORGANIZATIONS, 'sandbox');
    const runs: ProcessesRun[] = [];
    for (const processes of [1, 2, 4]) {
      const results: LoadResult[] = [];
      const urls = await startServers(installation, processes);
      await loadAll(urls.addresses, organizations, 2);
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        say(`${processes} processes, run ${repeat} of ${repeats}`);
        results.push(await loadAll(urls.addresses, organizations, seconds));
      }
      await urls.stop();
      const perSecond = spreadOf(results.map((result) => result.perSecond));
      const sum = (of: (result: LoadResult) => number) => results.reduce((total, result) => total + of(result), 0);
      runs.push({
        processes,
        perSecond,
        conflicts: sum(({ conflicts }) => conflicts),
        failed: sum(({ failed }) => failed),
        share: perSecond.median / (runs[0]?.perSecond.median ?? perSecond.median),
      });
    }
    const invariantsHold = await installation.invariantsHold();
    const isMet = invariantsHold && runs.every(({ share, failed }) => share >= LEAST_SHARE && failed === 0);
    return { machine, runs, isMet, invariantsHold };
  } finally {
    await installation.close();
  }
}

async function startServers(installation: Installation, processes: number) {
  const shared = { DATABASE_URL: installation.databaseUrl, LINK_SECRET: randomBytes(32).toString('hex') };
  const servers = await Promise.all(Array.from({ length: processes }, () => installation.startServer(shared)));
  return {
    addresses: servers.map(({ url }) => url),
    stop: () => Promise.all(servers.map((server) => server.stop())),
  };
}

/** Loads all processes at the same time, each with its own organizations. */
async function loadAll(urls: string[], organizations: Site['sandbox'], seconds: number): Promise<LoadResult> {
  const results = await Promise.all(
    urls.map((url, n) => {
      const requests = organizations
        .filter((_, index) => index % urls.length === n)
        .map(({ key }) => orderRequest(key));
      return runLoad(url, { requests, connections: CONNECTIONS / urls.length, seconds, hasConflicts: true });
    }),
  );
  const sum = (of: (result: LoadResult) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    succeeded: sum(({ succeeded }) => succeeded),
    perSecond: sum(({ perSecond }) => perSecond),
    conflicts: sum(({ conflicts }) => conflicts),
    failed: sum(({ failed }) => failed),
    p50Ms: Math.max(...results.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
  };
}

export function presentProcesses({ machine, runs, isMet, invariantsHold }: ProcessesResult): string {
  const lines = runs.map(({ processes, perSecond: { median, least, most }, share, conflicts, failed }) => [
    `${processes}`,
    `${number(median)} (${number(least)}–${number(most)}) /s`,
    number(share, 2),
    `${conflicts}`,
    `${failed}`,
  ]);
  const rates = table(['Processes', 'Orders', 'Of one process', '409', 'Other errors'], lines);
  const verdict = `The invariants ${invariantsHold ? 'hold' : 'do NOT hold'}. Goal (at least ${LEAST_SHARE} of one, no errors): ${isMet ? 'met' : 'not met'}.`;
  return `${describe(machine)}\n\n${rates}\n\n${verdict}\n`;
}
