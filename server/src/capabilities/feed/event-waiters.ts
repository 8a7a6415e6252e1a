import type { Deps } from '../../core/deps.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Lane } from '../../platform/database/connections.ts';
import { selectCounters } from './queries.ts';

/** One statement for all waiting requests of a process and a shard. */
const POLL_MS = 250;
/** A request beyond these of a shard waits for its time only, because each event makes all others read. */
const MAX_WAITERS = 500;
const MAX_WAITERS_OF_ONE = 50;

interface Waiter {
  after: number;
  end(mayWaitAgain: boolean): void;
}

interface Stream {
  scope: Scope;
  waiters: Set<Waiter>;
}

/** Lets requests wait for events. */
export interface EventWaiters {
  /**
   * Returns true when an event after this sequence may be there or the time is over; false if the request should not wait
   * again: the signal aborts, or the server stops.
   */
  wait(scope: Scope, after: number, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Ends all waits, also later ones. */
  close(): void;
}

export function createEventWaiters(deps: Pick<Deps, 'clock' | 'database' | 'log'>): EventWaiters {
  const shards = new Map<Lane, EventWaiters>();
  let isClosed = false;
  return {
    wait(scope, ...rest) {
      if (isClosed) return Promise.resolve(false);
      const lane = deps.database.laneOf(scope.organizationId);
      const waiters = shards.get(lane) ?? createWaitersOf(lane, deps);
      shards.set(lane, waiters);
      return waiters.wait(scope, ...rest);
    },
    close() {
      isClosed = true;
      for (const waiters of shards.values()) waiters.close();
    },
  };
}

/** The waits of one shard, so that they do not notice when another is down. */
function createWaitersOf({ pool }: Lane, { clock, log }: Pick<Deps, 'clock' | 'log'>): EventWaiters {
  const streams = new Map<string, Stream>();
  /** Those that no event wakes. */
  const others = new Set<Waiter>();
  let count = 0;
  let isPolling = false;
  let isClosed = false;

  const all = () => [...streams.values()].flatMap(({ waiters }) => [...waiters]);

  async function poll(): Promise<void> {
    const scopes = [...streams.values()].map(({ scope }) => scope);
    const counters = await selectCounters(
      [pool],
      [scopes.map(({ organizationId }) => organizationId), scopes.map(({ environment }) => environment)],
    );
    for (const { organization_id, environment, last_sequence } of counters)
      for (const waiter of streams.get(`${organization_id} ${environment}`)?.waiters ?? [])
        if (last_sequence > waiter.after) waiter.end(true);
  }

  function pollLater(): void {
    if (isPolling || streams.size === 0) return;
    isPolling = true;
    clock.setTimeout(() => {
      const done = () => {
        isPolling = false;
        pollLater();
      };
      poll().then(done, (error) => {
        if (!isClosed) log.warn({ err: error }, 'Waiting requests could not look for events.');
        // Each reads by itself, and answers what is wrong.
        for (const waiter of all()) waiter.end(false);
        done();
      });
    }, POLL_MS);
  }

  return {
    wait({ organizationId, environment }, after, ms, signal) {
      const id = `${organizationId} ${environment}`;
      const stream = streams.get(id) ?? { scope: { organizationId, environment }, waiters: new Set<Waiter>() };
      if (isClosed || signal.aborted) return Promise.resolve(false);
      const isFull = count >= MAX_WAITERS || stream.waiters.size >= MAX_WAITERS_OF_ONE;
      const { waiter, ended } = createWaiter(clock, { after, ms, signal }, () => {
        others.delete(waiter);
        if (!stream.waiters.delete(waiter)) return;
        count -= 1;
        if (stream.waiters.size === 0) streams.delete(id);
      });
      if (isFull) {
        others.add(waiter);
        return ended;
      }
      streams.set(id, stream);
      stream.waiters.add(waiter);
      count += 1;
      pollLater();
      return ended;
    },
    close() {
      isClosed = true;
      for (const waiter of [...all(), ...others]) waiter.end(false);
    },
  };
}

/** Makes a wait that its time, its signal or `end` ends. */
function createWaiter(
  clock: Clock,
  { after, ms, signal }: { after: number; ms: number; signal: AbortSignal },
  leave: () => void,
): { waiter: Waiter; ended: Promise<boolean> } {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const timer = clock.setTimeout(() => end(true), ms);
  const abort = () => end(false);
  signal.addEventListener('abort', abort);
  function end(mayWaitAgain: boolean): void {
    clock.clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    leave();
    resolve(mayWaitAgain);
  }
  return { waiter: { after, end }, ended };
}
