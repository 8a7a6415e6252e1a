import { systemClock } from '../base/clock.ts';
import { createIdGenerator } from '../base/ids.ts';
import { readConfig } from '../config.ts';
import { connectDatabase } from '../database/connections.ts';
import { refuseOtherSchema } from '../database/migrate.ts';
import type { Deps } from '../deps.ts';
import { startJobsOnFirstUse } from '../jobs/start-jobs-on-first-use.ts';
import { openDatabase } from '../process/open-database.ts';

export type CommandDeps = Pick<Deps, 'config' | 'clock' | 'ids' | 'database' | 'jobs'>;

/**
 * Runs an act on the configured database, also beside a running server. Never creates a database, because a mistyped
 * `DATA_DIR` would then look like an empty one.
 *
 * @param options `migrates`: if false, refuses a database with another schema instead of migrating it
 * @throws OperatorError if a setting is invalid or the database cannot be used
 */
export async function withDatabase<Result>(
  act: (deps: CommandDeps) => Promise<Result>,
  { migrates = true }: { migrates?: boolean } = {},
): Promise<Result> {
  const config = readConfig(process.env);
  const opened = await openDatabase(config, 'command', undefined, { migrates, creates: false });
  try {
    if (!migrates) await refuseOtherSchema(opened.target);
    // Ignore errors of idle connections: the next query reports them.
    const database = connectDatabase(opened.target, () => undefined);
    // Commands only add jobs, so errors show when adding one.
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
