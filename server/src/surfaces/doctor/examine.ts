import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { attempt } from './attempt.ts';
import { checkBeforeLive, checkSettingsBeforeLive } from './before-live.ts';
import { checkBackup } from './check-backup.ts';
import { checkClocks } from './check-clocks.ts';
import { checkDatabase, checkWrite } from './check-database.ts';
import { checkDemo } from './check-demo.ts';
import { checkHistory } from './check-history.ts';
import { checkHooks } from './check-hooks.ts';
import { checkIssuers } from './check-issuers.ts';
import { checkKept } from './check-kept.ts';
import { checkLedger } from './check-ledger.ts';
import { checkProviders } from './check-providers.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkServers, checkShards } from './check-shards.ts';
import { checkStripe } from './check-stripe.ts';
import { checkWork } from './check-work.ts';
import { type Finding, fault } from './finding.ts';

/** What a person may ask for besides. */
interface Examination {
  /** Also checks what the first live gift needs. */
  beforeLive?: boolean;
  /** Verifies every entry of the ledger, not only the newest; is called with how far it came. */
  wholeLedger?: ((progress: string) => void) | undefined;
}

/**
 * Checks everything the service depends on, without changes, and yields each finding as it is known. Other services come
 * after the database, because they may not answer. Skips checks that need the schema if it is missing.
 */
export async function* examine(
  config: Config,
  database: Database,
  clock: Clock,
  { beforeLive = false, wholeLedger }: Examination = {},
): AsyncGenerator<Finding> {
  yield* await attempt('settings', () => checkSettings(config));
  const { found: ofDatabase, living } = await checkServers(config, database, clock);
  yield* ofDatabase;
  const hasSchema = ofDatabase.every(({ check, state }) => !check.startsWith('migrations') || state !== 'fault');
  const withSchema: typeof attempt = async (check, look) => (hasSchema ? attempt(check, look) : []);
  const { backupFile, isProduction } = config;
  const need = beforeLive ? 'fault' : isProduction ? 'warning' : undefined;
  yield* await withSchema('clocks', () => checkClocks(living));
  yield* await withSchema('shards', () => checkShards(living));
  yield* await checkHome(config, database, clock);
  yield* await withSchema('demo', () => checkDemo(config, living));
  yield* await withSchema('kept settings', () => checkKept(config, living));
  yield* await withSchema('history', () => checkHistory(config, living));
  yield* await attempt('backup', () => checkBackup({ backupFile, servers: living.shards, nowMs: clock.now(), need }));
  yield* await withSchema('encrypted values', () => checkSecrets(config, living));
  if (hasSchema) yield* await checkWork({ config, clock, database: living });
  if (wholeLedger === undefined) yield* await withSchema('ledger', () => checkLedger(living));
  yield* checkOutside(config);
  yield* await withSchema('issuers', () => checkIssuers(config, living, clock));
  yield* await withSchema('Stripe', () => checkStripe(config, living, clock));
  if (hasSchema && beforeLive) yield* await checkBeforeLive(config, living);
  if (wholeLedger !== undefined) yield* await withSchema('ledger', () => checkLedger(living, wholeLedger));
}

/** Of the database of people, if it is another one. Its checks do not gate those of organizations. */
async function checkHome(config: Config, database: Database, clock: Clock): Promise<Finding[]> {
  if (database.shards.includes(database.home)) return [];
  const found = await attempt('PostgreSQL', async () => [
    ...(await checkDatabase(config, database.home, clock)),
    ...(await checkWrite(database.home)),
  ]);
  return found.map((finding) => ({ ...finding, check: `${finding.check} of people` }));
}

/** Checks what needs no database. */
export async function* examineWithoutDatabase(
  config: Config,
  reason: string,
  clock: Clock,
  { beforeLive = false }: Examination = {},
): AsyncGenerator<Finding> {
  yield* await attempt('settings', () => checkSettings(config));
  // The reason of a database by its address says what to do.
  const advice = config.databaseUrls.length > 0 ? 'Do that first' : 'Start it, or correct DATA_DIR';
  yield fault('PostgreSQL', reason, `${advice}. The other checks of data need it.`);
  const { backupFile } = config;
  if (backupFile !== undefined)
    yield* await attempt('backup', () => checkBackup({ backupFile, servers: [], nowMs: clock.now(), need: undefined }));
  yield* checkOutside(config);
  if (beforeLive) yield* checkSettingsBeforeLive(config);
}

async function* checkOutside(config: Config): AsyncGenerator<Finding> {
  yield* await attempt('providers', () => checkProviders(config));
  yield* await attempt('webhooks of providers', () => checkHooks(config.hooks));
}
