import type { Clock } from '../../platform/base/clock.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { Health } from './endpoint-health.ts';
import * as queries from './push-queries.ts';
import { DAY_MS } from './retry-schedule.ts';
import type { Window } from './window.ts';

export const LEASE_MS = 40_000;
/** A statement with 200 results takes about 5 ms. */
const WRITE_RESULTS = 200;
const WRITE_AFTER_MS = 1_000;
/** No delivery is given up sooner. */
const LONG_FAILURE_MS = 2 * DAY_MS;

interface ResultsOptions {
  clock: Clock;
  pool: Queryable;
  endpoint: queries.LeasedEndpoint;
  leaseId: string;
  window: Window;
  /** Called without an error if the endpoint was edited, removed, disabled, or taken over by another process. */
  onEnded: (error?: unknown) => void;
}

/** The results of a run, which it writes together with its progress, and each time leases the endpoint again. */
export class RunResults {
  private readonly options: ResultsOptions;
  private results: queries.PushResult[] = [];
  private writing: Promise<void> | undefined;
  private writtenAtMs: number;
  /** As it is written. */
  private failingSince: Date | null;

  constructor(options: ResultsOptions) {
    this.options = options;
    this.writtenAtMs = options.clock.now();
    this.failingSince = options.endpoint.failing_since;
  }

  add(result: queries.PushResult): void {
    this.results.push(result);
  }

  writeIfDue(health: Health): void {
    if (this.writing !== undefined) return;
    const isLate = this.options.clock.now() - this.writtenAtMs >= WRITE_AFTER_MS;
    if (this.results.length < WRITE_RESULTS && !(isLate && this.results.length > 0)) return;
    this.writing = this.write(health, LEASE_MS)
      .catch(this.options.onEnded)
      .finally(() => {
        this.writing = undefined;
      });
  }

  /** Waits for the write under way. */
  async settle(): Promise<void> {
    await this.writing;
  }

  /** Gives the lease back. */
  writeLast(health: Health): Promise<void> {
    return this.write(health, 0);
  }

  private async write(health: Health, leaseMs: number): Promise<void> {
    const { clock, pool, endpoint, leaseId, window, onEnded } = this.options;
    const key = queries.keyOf(endpoint);
    const now = new Date(clock.now());
    const results = JSON.stringify(this.results);
    this.results = [];
    this.writtenAtMs = now.getTime();
    const since = this.failingSince;
    const leased_until = new Date(now.getTime() + leaseMs);
    const progress = queries.progressText({ ...window.advance(), ...health, leased_until, now });
    const written = await queries.writeResults(pool, [...key, leaseId, results, progress]);
    if (written.length === 0) onEnded();
    if (since === null || health.failing_since !== null) return;
    this.failingSince = null;
    if (now.getTime() - since.getTime() > LONG_FAILURE_MS) await queries.requeueFailed(pool, [...key, since, now]);
  }
}
