import type { Deps } from '../../core/deps.ts';
import type { OneServer } from '../../platform/database/connections.ts';
import { keyOf, type LeasedEndpoint, shortenLease } from './push-queries.ts';

/** Until a run that was interrupted, such as by a restart of the database, is repeated. */
const REPEATED_AFTER_MS = 2_000;

/** A run that did not give its lease back. */
interface InterruptedRun {
  server: OneServer;
  endpoint: LeasedEndpoint;
  leaseId: string;
}

/** Gives endpoints back whose run was interrupted; otherwise they would wait until their lease ends. */
export function createInterruptedRuns({ clock, log }: Pick<Deps, 'clock' | 'log'>) {
  let runs: InterruptedRun[] = [];
  return {
    add(run: InterruptedRun, error: unknown): void {
      log.warn({ err: error }, 'Pushing to an endpoint was interrupted.');
      runs.push(run);
    },
    /** @throws if the database does not answer; the next call tries again */
    async giveBack(): Promise<void> {
      for (const run of runs) {
        const until = new Date(clock.now() + REPEATED_AFTER_MS);
        await shortenLease(run.server.pool, [...keyOf(run.endpoint), run.leaseId, until]);
        runs = runs.filter((other) => other !== run);
      }
    },
  };
}
