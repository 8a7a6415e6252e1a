import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { endWithTest } from './end-with-test.ts';
import { freePort, stopChild, until } from './server-process.ts';

/** How many statements PgDog has sent to one shard, and which texts it has sent to several. */
export interface RouterCounters {
  toOneShard: number;
  toSeveral: string[];
}

/** PgDog before the shards of one database. */
export interface Router {
  /** Refuses statements for several shards, as in production. */
  target: ConnectionTarget;
  /** Sends what names no organization to all shards, and joins the answers. */
  allShards: ConnectionTarget;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  counters(): Promise<RouterCounters>;
  /** Runs a command of PgDog's administrator. */
  administer(command: string): Promise<Record<string, string>[]>;
  /** Writes other addresses into the settings, for `reload`. */
  setShards(shards: ConnectionTarget[]): Promise<void>;
}

/** The packed programs beside the checkout. */
const PACKED = fileURLToPath(new URL('../../../../shared/pgdog/pgdog-*.xz', import.meta.url));

/** Finds PgDog by `PGDOG_BIN`, in the `PATH`, or packed beside the checkout; unpacks it into the directory. */
export function findRouter(directory: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = [process.env['PGDOG_BIN'] ?? '', ...folders.map((folder) => join(folder, 'pgdog'))].find(existsSync);
  const [packed] = globSync(PACKED);
  if (found !== undefined || packed === undefined) return found;
  const { status, stdout } = spawnSync('xz', ['-dc', packed], { maxBuffer: 256 * 1024 * 1024 });
  if (status !== 0) return undefined;
  const program = join(directory, 'pgdog');
  writeFileSync(program, stdout);
  chmodSync(program, 0o755);
  return program;
}

const SETTINGS = new URL('../../../deploy/shards/pgdog.toml', import.meta.url);
const ADMIN = { user: 'admin', password: 'pgdog', database: 'admin' };

/** The settings for production, with a test's addresses, fewer connections, and reasons of routes in `explain`. */
function settings(port: number, name: string | undefined, shards: ConnectionTarget[]): string {
  const changed: Record<string, string> = {
    host: '"127.0.0.1"',
    port: `${port}`,
    workers: '1',
    min_pool_size: '20',
    database: `"${name}"`,
  };
  const [common = ''] = readFileSync(SETTINGS, 'utf8').split('# In the order of DATABASE_SHARDS.');
  const databases = shards.map(
    ({ host, port, database }, shard) =>
      `[[databases]]\nname = ${changed['database']}\nshard = ${shard}\nhost = "${host}"\nport = ${port}\ndatabase_name = "${database}"\n`,
  );
  return common
    .replace(/^(\w+) = .+$/gm, (line, name: string) => (name in changed ? `${name} = ${changed[name]}` : line))
    .replace(/^(?:healthcheck_port|openmetrics_port) = .+$/gm, '')
    .replace('[general]', '[general]\nexpanded_explain = true\nquery_cache_limit = 10000')
    .concat(`[admin]\npassword = "${ADMIN.password}"\n`, ...databases);
}

const users = (database: string | undefined) => `[[users]]
name = "bestow"
password = "bestow"
database = "${database}"
[[users]]
name = "everything"
password = "bestow"
database = "${database}"
server_user = "bestow"
cross_shard_disabled = false
min_pool_size = 0
`;

/**
 * @param program PgDog
 * @param directory for its settings
 * @param shards the same database on each server
 */
export async function createRouter(program: string, directory: string, shards: ConnectionTarget[]): Promise<Router> {
  await mkdir(directory, { recursive: true });
  const port = await freePort();
  const database = shards[0]?.database;
  const setShards = async (now: ConnectionTarget[]) =>
    await writeFile(join(directory, 'pgdog.toml'), settings(port, database, now));
  await setShards(shards);
  await writeFile(join(directory, 'users.toml'), users(database));
  const target = { ...shards[0], host: '127.0.0.1', port, password: 'bestow' };
  let running: ChildProcess | undefined;

  async function administer(text: string): Promise<Record<string, string>[]> {
    const client = new Client({ ...target, ...ADMIN, options: '' });
    await client.connect();
    try {
      return (await client.query<Record<string, string>>(text)).rows;
    } finally {
      await client.end();
    }
  }
  return {
    target,
    administer,
    setShards,
    allShards: { ...target, user: 'everything' },
    async start() {
      const started = spawn(program, ['--config', 'pgdog.toml', '--users', 'users.toml'], {
        cwd: directory,
        stdio: 'ignore',
      });
      running = started;
      endWithTest(() => stopChild(started, 'SIGKILL'));
      await until(() => administer('show version').then(Boolean, () => false), 'PgDog answers');
    },
    async stop(signal = 'SIGKILL') {
      await stopChild(running, signal);
    },
    async counters() {
      const texts = await administer('show query_cache');
      return {
        toOneShard: texts.reduce((sum, { direct }) => sum + Number(direct), 0),
        toSeveral: texts.filter(({ multi }) => Number(multi) > 0).map(({ query = '' }) => query),
      };
    },
  };
}
