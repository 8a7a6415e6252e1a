import { randomUUID } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { within } from '../../platform/base/within.ts';
import type { OneServer } from '../../platform/database/connections.ts';
import { EndpointRun } from './endpoint-run.ts';
import { createInterruptedRuns } from './interrupted-runs.ts';
import { type LeasedEndpoint, leaseEndpoints } from './push-queries.ts';
import { LEASE_MS } from './run-results.ts';
import type { Sender } from './send-push.ts';

/** Counters are polled, so that no order waits for a notification. */
const POLL_MS = 500;
/** Endpoints at a time. Those that fail have separate places, because each may take ten seconds. */
const MAX_RUNS = { accepting: 300, failing: 100 };
const FINISHED_WITHIN_MS = 5_000;

type PusherDeps = Pick<Deps, 'clock' | 'clockWatch' | 'config' | 'database' | 'log' | 'meter' | 'cipher'>;

/** Pushes events to endpoints, next to other processes that do the same. */
interface Pusher {
  start(): void;
  /** Takes nothing more, waits for answers for five seconds, and gives the endpoints back. */
  stop(): Promise<void>;
}

export function createPusher(deps: PusherDeps, sender: Sender): Pusher {
  const { clock, clockWatch, config, log, meter } = deps;
  const runs = { accepting: new Set<Promise<void>>(), failing: new Set<Promise<void>>() };
  const interrupted = createInterruptedRuns(deps);
  let isStopping = false;
  let timer: unknown;
  let polling: Promise<void> | undefined;

  async function lease(server: OneServer, kind: keyof typeof runs): Promise<void> {
    const limit = MAX_RUNS[kind] - runs[kind].size;
    if (limit <= 0) return;
    const now = new Date(clock.now());
    const leaseId = randomUUID();
    const leased = await leaseEndpoints(
      [server.pool],
      [config.serveEnvironments, now, leaseId, new Date(now.getTime() + LEASE_MS), kind === 'failing', limit],
    );
    for (const endpoint of leased) startRun(server, endpoint, leaseId, runs[kind]);
  }

  function startRun(server: OneServer, endpoint: LeasedEndpoint, leaseId: string, set: Set<Promise<void>>): void {
    const runDeps = {
      clock,
      database: server,
      cipher: deps.cipher,
      sender,
      isStopping: () => isStopping,
      onAttempt: (isAccepted: boolean) => meter.push(isAccepted ? 'accepted' : 'failed'),
    };
    const run: Promise<void> = new EndpointRun(runDeps, endpoint, leaseId)
      .run()
      .catch((error: unknown) => interrupted.add({ server, endpoint, leaseId }, error))
      .finally(() => set.delete(run));
    set.add(run);
  }

  async function poll(): Promise<void> {
    const servers = deps.database.servers.filter((_, index) => clockWatch.isRight(index));
    const leases = servers.flatMap((server) => [lease(server, 'accepting'), lease(server, 'failing')]);
    for (const result of await Promise.allSettled([...leases, interrupted.giveBack()]))
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'Endpoints could not be read.');
    if (!isStopping) timer = clock.setTimeout(startPoll, POLL_MS);
  }

  function startPoll(): void {
    polling = poll();
  }

  return {
    start: startPoll,
    async stop() {
      isStopping = true;
      clock.clearTimeout(timer);
      await polling;
      const ended = Promise.all([...runs.accepting, ...runs.failing]);
      await within(FINISHED_WITHIN_MS, ended, () => {
        sender.abort();
        return [];
      });
      await ended;
      sender.close();
    },
  };
}
