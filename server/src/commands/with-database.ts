import { systemClock } from '../base/clock.ts';
import { createIdGenerator } from '../base/ids.ts';
import { readConfig } from '../config.ts';
import { connectDatabase } from '../database/connections.ts';
import { openDatabase } from '../database/open.ts';
import type { Deps } from '../deps.ts';

/** What a command works with. */
export type CommandDeps = Pick<Deps, 'config' | 'clock' | 'ids' | 'database'>;

/**
 * Runs an act on the database of the environment's settings, beside a running server or alone.
 *
 * @throws OperatorError where a setting is wrong or the database cannot be used
 */
export async function withDatabase<Result>(act: (deps: CommandDeps) => Promise<Result>): Promise<Result> {
  const config = readConfig(process.env);
  const opened = await openDatabase(config, 'command');
  try {
    // A connection lost while idle shows in the next query.
    const database = connectDatabase(opened.target, () => undefined);
    try {
      return await act({ config, clock: systemClock, ids: createIdGenerator(systemClock), database });
    } finally {
      await database.close();
    }
  } finally {
    await opened.close();
  }
}
