import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../configuration/config.ts';
import type { Targets } from '../database/connect-shards.ts';
import { type ConnectionTarget, clientConfig } from '../database/connections.ts';
import { isOutOfOrder } from '../database/lost-commit.ts';
import { appliedMigrations, migrate } from '../database/migrate.ts';
import { canPrepare, SET_PREPARED } from '../database/on-every-shard.ts';
import { readUrl } from '../database/read-url.ts';
import { createServiceRole, grantService, isThereRole, lacksGrants } from '../database/service-role.ts';
import { sharesSessions } from '../database/shares-sessions.ts';
import { withConnection } from '../database/with-connection.ts';
import { SERVICE_USER_NAME } from '../embedded-postgres/cluster.ts';
import { openEmbedded } from '../embedded-postgres/embedded.ts';
import type { Role } from '../embedded-postgres/session.ts';
import { createQueues } from '../jobs/create-queues.ts';
import { explainRefusal } from './explain-refusal.ts';
import { numberShards } from './number-shards.ts';

export interface OpenDatabase extends Targets {
  /** The first server, as the owner of the tables, whom only migrations need. */
  ownerTarget: ConnectionTarget;
  /** `embedded PostgreSQL 18.4 in /path` or `PostgreSQL 16.2 at host:port/database`. */
  description: string;
  /** The servers that answer. */
  living: readonly ConnectionTarget[];
  /** A sentence about each that does not. */
  missing: readonly string[];
  /** Stops the embedded PostgreSQL unless another process uses it. Close all connections before. */
  close(): Promise<void>;
}

interface OpenOptions {
  migrates?: boolean;
  creates?: boolean;
  /** If false, goes on without shards that do not answer. */
  needsAll?: boolean;
}

type Place = Pick<Config, 'databaseUrls' | 'dataDir'> & Partial<Pick<Config, 'homeDatabaseUrl' | 'migrationUser'>>;

/**
 * Opens the database of `DATABASE_URL`, those of `DATABASE_SHARDS` or the embedded one, and that of `HOME_DATABASE_URL`.
 * Commands may share a data directory with one server.
 *
 * @param log gets a sentence when the embedded PostgreSQL crashes and when it is back, and if shards lack a setting
 * @param options `migrates`: bring the schema up to date; `creates`: create a missing embedded database
 * @throws OperatorError for every reason
 */
export async function openDatabase(
  config: Place,
  role: Role,
  log: (message: string) => void = () => undefined,
  { migrates = true, creates = true, needsAll = true }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { databaseUrls, homeDatabaseUrl, migrationUser } = config;
  const home =
    homeDatabaseUrl === undefined
      ? undefined
      : await openByUrl(homeDatabaseUrl, 'HOME_DATABASE_URL', { migrates, migrationUser });
  const opened =
    databaseUrls.length > 0
      ? await openServers(databaseUrls, { migrates, migrationUser, needsAll }, log)
      : await openOwn(config, role, log, { migrates, creates });
  if (home === undefined) return opened;
  return { ...opened, homeTarget: home.target, description: `${opened.description}, people on ${home.description}` };
}

async function openOwn(
  { dataDir }: Place,
  role: Role,
  log: (message: string) => void,
  { migrates, creates }: Required<Pick<OpenOptions, 'migrates' | 'creates'>>,
): Promise<OpenDatabase> {
  const embedded = await openEmbedded(dataDir, role, log, creates);
  try {
    const { target: ownerTarget, close } = embedded;
    if (migrates) await createServiceRole(ownerTarget, SERVICE_USER_NAME);
    const service = { ...ownerTarget, user: SERVICE_USER_NAME };
    // A command that changes nothing may find the data of an earlier release.
    const target = migrates || (await isThereRole(ownerTarget, SERVICE_USER_NAME)) ? service : ownerTarget;
    const version = await prepare({ target, ownerTarget }, 'The embedded PostgreSQL', migrates);
    const description = `embedded PostgreSQL ${version} in ${dataDir}`;
    return { servers: [target], ownerTarget, close, description, living: [target], missing: [] };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

const canPrepareOn = async (targets: readonly ConnectionTarget[]): Promise<boolean> => {
  const each = await Promise.all(
    targets.map((target) => withConnection(clientConfig(target, 0), (client) => canPrepare([client]))),
  );
  return each.every(Boolean);
};

interface UrlOptions {
  migrates: boolean;
  migrationUser: Config['migrationUser'];
}

/** Opens one server after another, and stops at the first that fails. */
async function openServers(
  urls: readonly string[],
  { needsAll, ...options }: UrlOptions & { needsAll: boolean },
  log: (message: string) => void,
): Promise<OpenDatabase> {
  const named = urls.map((url, index) => {
    const setting = urls.length === 1 ? 'DATABASE_URL' : `DATABASE_SHARDS, number ${index + 1}`;
    return { url, setting, ...readPlace(url, setting, options) };
  });
  const descriptions: string[] = [];
  const missing = new Map<string, string>();
  for (const { url, setting } of named)
    try {
      descriptions.push((await openByUrl(url, setting, options)).description);
    } catch (error) {
      if (!needsAll && error instanceof DatabaseAway) missing.set(setting, error.message);
      else if (descriptions.length === 0 || !options.migrates || !(error instanceof OperatorError)) throw error;
      else {
        const sentence = `${error.message} ${descriptions.length} before it were migrated, it was not.`;
        throw error instanceof DatabaseAway ? new DatabaseAway(sentence, error.canPass) : new OperatorError(sentence);
      }
    }
  const [description] = descriptions;
  if (description === undefined) throw new OperatorError([...missing.values()].join(' '));
  const there = named.map((server) => (missing.has(server.setting) ? undefined : server));
  const living = there.flatMap((server) => server?.target ?? []);
  if (options.migrates) await requireOneSchema(living);
  await numberShards(there, options.migrates);
  if (options.migrates && living.length > 1 && !(await canPrepareOn(living))) log(SET_PREPARED);
  return {
    servers: named.map(({ target }) => target),
    ownerTarget: (named[0] as (typeof named)[number]).ownerTarget,
    description: urls.length === 1 ? description : `${urls.length} shards, the first ${description}`,
    living,
    missing: [...missing.values()],
    close: async () => undefined,
  };
}

async function requireOneSchema(targets: readonly ConnectionTarget[]): Promise<void> {
  const versions = await Promise.all(targets.map(appliedMigrations));
  if (new Set(versions.map((names) => names.join())).size > 1)
    throw new OperatorError('The shards have different schemas; run the latest Bestow’s migrate command first.');
}

function readPlace(url: string, setting: string, { migrationUser }: UrlOptions) {
  const target = readUrl(url, setting);
  const address = `${target.host}:${target.port}/${target.database}`;
  return {
    target,
    ownerTarget: { ...target, ...migrationUser },
    address,
    name: `The database of ${setting} (${address})`,
  };
}

async function openByUrl(
  url: string,
  setting: string,
  options: UrlOptions,
): Promise<Pick<OpenDatabase, 'description'> & { target: ConnectionTarget }> {
  const { target, ownerTarget, address, name } = readPlace(url, setting, options);
  const version = await prepare({ target, ownerTarget }, name, options.migrates, true);
  return { target, description: `PostgreSQL ${version} at ${address}` };
}

/** The server does not answer, or accepts no work now. */
export class DatabaseAway extends OperatorError {
  /** Whether it can be back without a change of settings. */
  readonly canPass: boolean;

  constructor(sentence: string, canPass: boolean) {
    super(sentence);
    this.canPass = canPass;
  }
}

/** Returns the server's version, such as `18.4`. */
async function prepare(
  { target, ownerTarget }: { target: ConnectionTarget; ownerTarget: ConnectionTarget },
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
      else if (target.user !== undefined && (await lacksGrants(target)))
        throw new OperatorError(`${name} ${NOT_GRANTED}.`);
    }
    return await readVersion(target);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { reason, canPass } = explainRefusal(error);
    const sentence = `${name} ${reason}.`;
    throw isOutOfOrder(error) ? new DatabaseAway(sentence, canPass) : new OperatorError(sentence);
  }
}

async function readVersion(target: ConnectionTarget): Promise<string> {
  return await withConnection(clientConfig(target, 0), async (client) => {
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    // Debian appends its package: `16.2 (Debian 16.2-1.pgdg120+2)`.
    return rows[0]?.version.split(' ', 1)[0] ?? 'of an unknown version';
  });
}

const NOT_GRANTED =
  'has tables that this user may not use, so its migration has not ended; name their owner in MIGRATION_DATABASE_USER, and run bestow migrate';

const SHARES_SESSIONS =
  'is behind a pooler in transaction mode, so valid keys would be refused; use its session mode (docs/operating.md#poolers), or connect to PostgreSQL itself';
