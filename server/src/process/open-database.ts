import { errorCode, errorMessage } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../config.ts';
import { type ConnectionTarget, clientConfig } from '../database/connections.ts';
import { migrate } from '../database/migrate.ts';
import { readUrl } from '../database/read-url.ts';
import { withConnection } from '../database/with-connection.ts';
import { openEmbedded } from '../embedded-postgres/embedded.ts';
import type { Role } from '../embedded-postgres/session.ts';

export interface OpenDatabase {
  target: ConnectionTarget;
  /** `embedded PostgreSQL 18.4 in /path` or `PostgreSQL 16.2 at host:port/database`. */
  description: string;
  /** Stops the embedded PostgreSQL unless another process uses it. Close all connections before. */
  close(): Promise<void>;
}

interface OpenOptions {
  migrates?: boolean;
  creates?: boolean;
}

/**
 * Opens the database of `DATABASE_URL`, or the embedded one. Commands may share a data directory with one server.
 *
 * @param log gets a sentence when the embedded PostgreSQL crashes and when it is back
 * @param options `migrates`: bring the schema up to date; `creates`: create a missing embedded database
 * @throws OperatorError for every reason
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  role: Role,
  log: (message: string) => void = () => undefined,
  { migrates = true, creates = true }: OpenOptions = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return await openByUrl(config.databaseUrl, migrates);
  const embedded = await openEmbedded(config.dataDir, role, log, creates);
  try {
    const version = await prepare(embedded.target, 'The embedded PostgreSQL', migrates);
    return { ...embedded, description: `embedded PostgreSQL ${version} in ${config.dataDir}` };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

async function openByUrl(url: string, migrates: boolean): Promise<OpenDatabase> {
  const target = readUrl(url);
  const address = `${target.host}:${target.port}/${target.database}`;
  const version = await prepare(target, `The database of DATABASE_URL (${address})`, migrates);
  return { target, description: `PostgreSQL ${version} at ${address}`, close: async () => undefined };
}

/** Returns the server's version, such as `18.4`. */
async function prepare(target: ConnectionTarget, name: string, migrates: boolean): Promise<string> {
  try {
    const version = await readVersion(target);
    if (migrates) await migrate(target);
    return version;
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
  '42501': 'does not allow this user to create tables; make the user the owner of the database',
  '53300': 'has no connection left; raise its max_connections, or stop another client',
  '57P03': 'is starting or stopping; try again in a moment',
};

function explain(error: unknown): string {
  const code = errorCode(error) ?? '';
  const message = errorMessage(error);
  if (message === 'timeout expired') return NO_ANSWER;
  return EXPLANATIONS[code] ?? `cannot be used: ${message || code}`;
}
