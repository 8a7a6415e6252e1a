import { systemClock } from '../base/clock.ts';
import { createIdGenerator } from '../base/ids.ts';
import { readConfig } from '../config.ts';
import { connectDatabase } from '../database/connections.ts';
import { refuseOtherSchema } from '../database/migrate.ts';
import type { Deps } from '../deps.ts';
import { startJobsOnFirstUse } from '../jobs/start-jobs-on-first-use.ts';
import { openDatabase } from '../process/open-database.ts';

/** What a command works with. */
export type CommandDeps = Pick<Deps, 'config' | 'clock' | 'ids' | 'database' | 'jobs'>;

/**
 * Runs an act on the database of the environment's settings, beside a running server or alone. It makes none where there
 * is none: under a mistyped `DATA_DIR` all would seem lost, or well.
 *
 * @param options `migrates`: false where the database must stay as it is; one of another schema is then refused
 * @throws OperatorError where a setting is wrong or the database cannot be used
 */
export async function withDatabase<Result>(
  act: (deps: CommandDeps) => Promise<Result>,
  { migrates = true }: { migrates?: boolean } = {},
): Promise<Result> {
  const config = readConfig(process.env);
  const opened = await openDatabase(config, 'command', undefined, { migrates, creates: false });
  try {
    if (!migrates) await refuseOtherSchema(opened.target);
    // A connection lost while idle shows in the next query.
    const database = connectDatabase(opened.target, () => undefined);
    // The work itself is the server's or a worker's; the queue's own trouble shows in what is added to it.
    const jobs = startJobsOnFirstUse(async () => {
      const { startJobs } = await import('../jobs/jobs.ts');
      const silent = { error: () => undefined, warn: () => undefined };
      return await startJobs(opened.target, systemClock, silent, { supervises: false });
    });
    try {
      return await act({ config, clock: systemClock, ids: createIdGenerator(systemClock), database, jobs });
    } finally {
      await jobs.stop();
      await database.close();
    }
  } finally {
    await opened.close();
  }
}
