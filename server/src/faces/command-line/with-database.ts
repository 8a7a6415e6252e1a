import type { Deps } from '../../core/deps.ts';
import { systemClock } from '../../platform/base/clock.ts';
import { createIdGenerator } from '../../platform/base/ids.ts';
import { type Config, readConfig } from '../../platform/configuration/config.ts';
import { openConnections } from '../../platform/database/connect-shards.ts';
import { refuseOtherSchema } from '../../platform/database/migrate.ts';
import { finishShared } from '../../platform/database/on-every-shard.ts';
import { requireCluster } from '../../platform/embedded-postgres/cluster.ts';
import { leaveRoot } from '../../platform/embedded-postgres/leave-root.ts';
import { openDatabase } from '../../platform/installation/open-database.ts';
import { printRemark } from './print.ts';

export type CommandDeps = Pick<Deps, 'config' | 'clock' | 'ids' | 'database' | 'tracer'>;

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
  await leaveRoot(config);
  const opened = await openDatabase(config, 'command', undefined, { migrates, creates: false, needsAll: false });
  try {
    for (const sentence of opened.missing) printRemark(`${sentence} The command goes on without it.`);
    if (!migrates) for (const server of opened.living) await refuseOtherSchema(server);
    // Ignore errors of idle connections: the next query reports them.
    const database = openConnections(opened, () => undefined);
    try {
      if (migrates && opened.servers.length > 1 && opened.missing.length === 0) await finishShared(database);
      return await act({
        config,
        clock: systemClock,
        ids: createIdGenerator(systemClock),
        database,
        tracer: undefined,
      });
    } finally {
      await database.close();
    }
  } finally {
    await opened.close();
  }
}

/**
 * Runs an act that needs files of `DATA_DIR`, but no database, as the data's user.
 *
 * @throws OperatorError if a setting is invalid, or if the data directory is needed and missing
 */
export async function withDataDir(act: (config: Config) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrls.length === 0) {
    await requireCluster(config.dataDir);
    await leaveRoot(config);
  }
  await act(config);
}
