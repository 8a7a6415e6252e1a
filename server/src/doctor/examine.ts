import type { Clock } from '../base/clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/connections.ts';
import { checkDatabase } from './check-database.ts';
import { checkHooks } from './check-hooks.ts';
import { checkProviders } from './check-providers.ts';
import { checkRedis } from './check-redis.ts';
import { checkSettings } from './check-settings.ts';
import { checkWork } from './check-work.ts';
import type { Finding } from './finding.ts';

/** Checks everything the service depends on, without changes. Skips checks that need the schema if it is missing. */
export async function examine(config: Config, database: Database, clock: Clock): Promise<Finding[]> {
  const ofDatabase = await checkDatabase(config, database.read, clock);
  const hasSchema = ofDatabase.every(({ check, state }) => check !== 'migrations' || state !== 'fault');
  return [
    ...checkSettings(config),
    ...ofDatabase,
    ...(await checkProviders(config)),
    ...(await checkHooks(config.hooks)),
    ...(await checkRedis(config)),
    ...(hasSchema ? await checkWork({ config, clock, database }) : []),
  ];
}
