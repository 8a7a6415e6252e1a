import { systemClock } from '../base/clock.ts';
import { errorCode, errorMessage } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../configuration/config.ts';
import type { Targets } from '../database/connect-shards.ts';
import { type ConnectionTarget, clientConfig } from '../database/connections.ts';
import { appliedMigrations, migrate } from '../database/migrate.ts';
import { readUrl } from '../database/read-url.ts';
import { createServiceRole, grantService, isThereRole } from '../database/service-role.ts';
import { sharesSessions } from '../database/shares-sessions.ts';
import { withConnection } from '../database/with-connection.ts';
import { SERVICE_USER_NAME } from '../embedded-postgres/cluster.ts';
import { openEmbedded } from '../embedded-postgres/embedded.ts';
import type { Role } from '../embedded-postgres/session.ts';
import { createQueues } from '../jobs/create-queues.ts';

export interface OpenDatabase extends Targets {
  /** As the owner of the tables, whom only migrations need. */
  ownerTarget: ConnectionTarget;
  /** `embedded PostgreSQL 18.4 in /path` or `PostgreSQL 16.2 at host:port/database`. */
  description: string;
  /** Stops the embedded PostgreSQL unless another process uses it. Close all connections before. */
  close(): Promise<void>;
}

interface OpenOptions {
  migrates?: boolean;
  creates?: boolean;
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'databaseShards' | 'homeDatabaseUrl' | 'migrationUser'>>;

/**
 * Opens the database of `DATABASE_URL`, or the embedded one, and those of `DATABASE_SHARDS` and `HOME_DATABASE_URL`.
 * Commands may share a data directory with one server.
 *
 * @param log gets a sentence when the embedded PostgreSQL crashes and when it is back
 * @param options `migrates`: bring the schema up to date; `creates`: create a missing embedded database
 * @throws OperatorError for every reason
 */
export async function openDatabase(
  config: Place,
  role: Role,
  log: (message: string) => void = () => undefined,
  { migrates = true, creates = true }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { homeDatabaseUrl, migrationUser } = config;
  const home =
    homeDatabaseUrl === undefined
      ? undefined
      : await openByUrl(homeDatabaseUrl, 'HOME_DATABASE_URL', { migrates, migrationUser });
  const opened = await openMain(config, role, log, { migrates, creates });
  if (home === undefined) return { ...opened, homeTarget: undefined };
  return { ...opened, homeTarget: home.target, description: `${opened.description}, people on ${home.description}` };
}

type OpenedMain = Omit<OpenDatabase, 'homeTarget'>;

async function openMain(
  { databaseUrl, databaseShards = [], dataDir, migrationUser }: Place,
  role: Role,
  log: (message: string) => void,
  { migrates, creates }: Required<OpenOptions>,
): Promise<OpenedMain> {
  if (databaseUrl !== undefined) {
    const shardTargets = await openShards(databaseShards, migrates, migrationUser);
    const isRouter = shardTargets.length > 0;
    // Through the router nothing is migrated.
    const options = { migrates: migrates && !isRouter, migrationUser, isRouter };
    const opened = await openByUrl(databaseUrl, 'DATABASE_URL', options);
    if (shardTargets.length === 0) return { ...opened, shardTargets };
    return { ...opened, shardTargets, description: `${opened.description}, with ${shardTargets.length} shards` };
  }
  const embedded = await openEmbedded(dataDir, role, log, creates);
  try {
    const { target: ownerTarget, close } = embedded;
    if (migrates) await createServiceRole(ownerTarget, SERVICE_USER_NAME);
    const service = { ...ownerTarget, user: SERVICE_USER_NAME };
    // A command that changes nothing may find the data of an earlier release.
    const target = migrates || (await isThereRole(ownerTarget, SERVICE_USER_NAME)) ? service : ownerTarget;
    const version = await prepare({ target, ownerTarget }, 'The embedded PostgreSQL', migrates);
    return {
      target,
      ownerTarget,
      close,
      shardTargets: [],
      description: `embedded PostgreSQL ${version} in ${dataDir}`,
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** Opens one shard after another, and stops at the first that fails. */
async function openShards(
  urls: readonly string[],
  migrates: boolean,
  migrationUser: Config['migrationUser'],
): Promise<ConnectionTarget[]> {
  const targets: ConnectionTarget[] = [];
  const versions = new Set<string>();
  for (const [index, url] of urls.entries()) {
    try {
      const { target } = await openByUrl(url, `DATABASE_SHARDS, number ${index + 1}`, { migrates, migrationUser });
      targets.push(target);
      if (migrates) versions.add((await appliedMigrations(target)).join());
    } catch (error) {
      if (!(error instanceof OperatorError) || !migrates) throw error;
      const done = index === 0 ? 'No shard was migrated' : `Shards 1 to ${index} are migrated, the others are not`;
      throw new OperatorError(`${error.message} ${done}.`);
    }
  }
  if (versions.size > 1)
    throw new OperatorError('The shards have different schemas; run the latest Bestow’s migrate command first.');
  return targets;
}

interface UrlOptions {
  migrates: boolean;
  migrationUser: Config['migrationUser'];
  /** Its connections share sessions, and its user sees all organizations. */
  isRouter?: boolean;
}

async function openByUrl(
  url: string,
  setting: string,
  { migrates, migrationUser, isRouter = false }: UrlOptions,
): Promise<Pick<OpenDatabase, 'target' | 'ownerTarget' | 'description' | 'close'>> {
  const target = readUrl(url, setting);
  const ownerTarget = { ...target, ...migrationUser };
  const address = `${target.host}:${target.port}/${target.database}`;
  const name = `The database of ${setting} (${address})`;
  const version = await prepare({ target, ownerTarget }, name, migrates, !isRouter);
  return { target, ownerTarget, description: `PostgreSQL ${version} at ${address}`, close: async () => undefined };
}

/** Returns the server's version, such as `18.4`. */
async function prepare(
  { target, ownerTarget }: Pick<OpenDatabase, 'target' | 'ownerTarget'>,
  name: string,
  migrates: boolean,
  refusesSharing = false,
): Promise<string> {
  try {
    if (refusesSharing && (await sharesSessions(target))) throw new OperatorError(`${name} ${SHARES_SESSIONS}.`);
    if (migrates) {
      await migrate(ownerTarget);
      await createQueues(ownerTarget, systemClock);
      if (target.user !== undefined && target.user !== ownerTarget.user) await grantService(ownerTarget, target.user);
    }
    return await readVersion(target);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${name} ${explain(error)}.`);
  }
}

async function readVersion(target: ConnectionTarget): Promise<string> {
  return await withConnection(clientConfig(target, 0), async (client) => {
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    // Debian appends its package: `16.2 (Debian 16.2-1.pgdg120+2)`.
    return rows[0]?.version.split(' ', 1)[0] ?? 'of an unknown version';
  });
}

const SHARES_SESSIONS =
  'is behind a pooler in transaction mode, so valid keys would be refused; use its session mode (docs/operating.md#poolers), or connect to PostgreSQL itself';

const NO_ANSWER = 'cannot be reached: it does not answer; start it, or correct the address';

const EXPLANATIONS: Record<string, string> = {
  ECONNREFUSED: 'cannot be reached: nothing listens there; start it, or correct the address',
  ENOTFOUND: 'cannot be reached: the host is unknown; correct the address',
  EAI_AGAIN: 'cannot be reached: the host’s name cannot be looked up now; correct the address, or try again',
  ENOENT: 'cannot be reached: the socket does not exist; start it, or correct the address',
  ETIMEDOUT: NO_ANSWER,
  EHOSTUNREACH: 'cannot be reached: there is no route to the host; correct the address',
  '28P01': 'refuses the user or the password; correct them',
  '28000': 'rejects this user; correct the user, or allow it in pg_hba.conf',
  '3D000': 'does not exist; create it, or correct the name',
  '42501':
    'does not allow this user to migrate it; name the owner of the database in MIGRATION_DATABASE_USER, or run bestow migrate with it',
  '53300': 'has no connection left; raise its max_connections, or stop another client',
  '57P03': 'is starting or stopping; try again in a moment',
};

function explain(error: unknown): string {
  const code = errorCode(error) ?? '';
  const message = errorMessage(error);
  if (message === 'timeout expired') return NO_ANSWER;
  if (message.startsWith('unsupported startup parameter'))
    return `is behind a pooler that lacks settings (${message}); see docs/operating.md#poolers`;
  return EXPLANATIONS[code] ?? `cannot be used: ${message || code}`;
}
