import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { attempt } from './attempt.ts';
import { checkBeforeLive, checkSettingsBeforeLive } from './before-live.ts';
import { checkBackup } from './check-backup.ts';
import { checkDatabase, checkWrite } from './check-database.ts';
import { checkDemo } from './check-demo.ts';
import { checkHistory } from './check-history.ts';
import { checkHooks } from './check-hooks.ts';
import { checkIssuers } from './check-issuers.ts';
import { checkKept } from './check-kept.ts';
import { checkProviders } from './check-providers.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkServers, checkShards } from './check-shards.ts';
import { checkStripe } from './check-stripe.ts';
import { checkWork } from './check-work.ts';
import { type Finding, fault } from './finding.ts';

/**
 * Checks everything the service depends on, without changes. Skips checks that need the schema if it is missing.
 *
 * @param isBeforeLive also checks what the first live gift needs
 */
export async function examine(
  config: Config,
  database: Database,
  clock: Clock,
  isBeforeLive = false,
): Promise<Finding[]> {
  const { found: ofDatabase, living } = await checkServers(config, database, clock);
  // Its checks do not gate those of organizations.
  const ofHome = database.shards.includes(database.home)
    ? []
    : await attempt('PostgreSQL', async () => [
        ...(await checkDatabase(config, database.home, clock)),
        ...(await checkWrite(database.home)),
      ]);
  const hasSchema = ofDatabase.every(({ check, state }) => !check.startsWith('migrations') || state !== 'fault');
  const withSchema: typeof attempt = async (check, look) => (hasSchema ? attempt(check, look) : []);
  const { backupFile, isProduction } = config;
  const need = isBeforeLive ? 'fault' : isProduction ? 'warning' : undefined;
  return [
    ...(await attempt('settings', () => checkSettings(config))),
    ...ofDatabase,
    ...(await withSchema('shards', () => checkShards(living))),
    ...ofHome.map((finding) => ({ ...finding, check: `${finding.check} of people` })),
    ...(await checkOutside(config)),
    ...(await withSchema('demo', () => checkDemo(config, living))),
    ...(await withSchema('kept settings', () => checkKept(config, living))),
    ...(await withSchema('history', () => checkHistory(config, living))),
    ...(await attempt('backup', () => checkBackup({ backupFile, servers: living.shards, nowMs: clock.now(), need }))),
    ...(await withSchema('encrypted values', () => checkSecrets(config, living))),
    ...(await withSchema('issuers', () => checkIssuers(config, living, clock))),
    ...(await withSchema('Stripe', () => checkStripe(config, living, clock))),
    ...(hasSchema ? await checkWork({ config, clock, database: living }) : []),
    ...(hasSchema && isBeforeLive ? await checkBeforeLive(config, living) : []),
  ];
}

/** Checks what needs no database. */
export async function examineWithoutDatabase(config: Config, reason: string, isBeforeLive = false): Promise<Finding[]> {
  return [
    ...(await attempt('settings', () => checkSettings(config))),
    // The reason of a database by its address says what to do.
    fault(
      'PostgreSQL',
      reason,
      `${config.databaseUrls.length > 0 ? 'Do that first' : 'Start it, or correct DATA_DIR'}. The other checks of data need it.`,
    ),
    ...(await checkOutside(config)),
    ...(isBeforeLive ? checkSettingsBeforeLive(config) : []),
  ];
}

const checkOutside = async (config: Config): Promise<Finding[]> => [
  ...(await attempt('providers', () => checkProviders(config))),
  ...(await attempt('webhooks of providers', () => checkHooks(config.hooks))),
];
