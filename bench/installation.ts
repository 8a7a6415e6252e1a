import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { checkTables } from '../reliability/checker/check-tables.ts';
import { verifyLedger } from '../server/src/capabilities/seals/verify-ledger.ts';
import type { Environment } from '../server/src/platform/base/environment.ts';
import { type ConnectionTarget, connectDatabase } from '../server/src/platform/database/connections.ts';
import { openDatabase } from '../server/src/platform/installation/open-database.ts';
import { runProgram } from './programs.ts';

export const BESTOW = fileURLToPath(new URL('../server/bin/bestow.js', import.meta.url));
const START_WITHIN_MS = 60_000;

/** Production settings, except rate limits; every request is logged. */
const SETTINGS = {
  PORT: '0',
  PROCESSES: '1',
  NODE_ENV: 'production',
  ALLOW_SIMULATED_LIVE: '1',
  DEMO: '0',
  LOG_LEVEL: 'info',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '10000000',
  RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
  RATE_LIMIT_ADDRESS_BURST: '10000000',
};

export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface SeededOrganization {
  organization_id: string;
  key: string;
}

/** A new data directory with its PostgreSQL; removed at the end. */
export interface Installation {
  target: ConnectionTarget;
  sql: Client;
  postgresPid: number;
  /** `DATABASE_URL` for a server that shares this PostgreSQL. */
  databaseUrl: string;
  /** Settings that lead `bestow` to the database. */
  located: Record<string, string>;
  /** Of all servers: the database keeps its fingerprint. */
  linkSecret: string;
  /** Opens another migrated database in the same PostgreSQL, whose owner and service are plain roles; it closes with this one. */
  beside(database: string): Promise<Installation>;
  /** Starts `bestow serve` with its log in a file. */
  startServer(variables?: Record<string, string>): Promise<Server>;
  /** Runs `bestow seed`. */
  seed(organizations: number, environment: Environment): Promise<SeededOrganization[]>;
  /** Runs `bestow …` and returns its output. */
  bestow(args: string[]): Promise<string>;
  /** Whether the ledger and all other invariants hold. */
  invariantsHold(): Promise<boolean>;
  close(): Promise<void>;
}

export async function install(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-bench-'));
  // Keeps PostgreSQL running while servers start and stop.
  const opened = await openDatabase({ databaseUrls: [], dataDir }, 'command');
  const closeAll = async () => {
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return createInstallation(dataDir, opened.ownerTarget, {}, closeAll);
}

/** Uses a database that another installation opened: `located` leads the programs to it. */
export async function installOn(target: ConnectionTarget, located: Record<string, string>): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-bench-'));
  return createInstallation(directory, target, located, () => rm(directory, { recursive: true, force: true }));
}

async function createInstallation(
  dataDir: string,
  target: ConnectionTarget,
  /** Settings that lead programs to the database; empty for the data directory's own. */
  located: Record<string, string>,
  closeAll: () => Promise<void>,
): Promise<Installation> {
  const sql = new Client(target);
  await sql.connect();
  const { rows } = await sql.query(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`);
  const { user, host = '', database } = target;
  const urlOf = (name: string | undefined, as = user) => `postgres://${as}@${encodeURIComponent(host)}/${name}`;
  const linkSecret = located['LINK_SECRET'] ?? randomBytes(32).toString('hex');
  const servers: Server[] = [];
  const others: Installation[] = [];
  const environment = (variables: Record<string, string>) => ({
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIR: dataDir,
    ...SETTINGS,
    LINK_SECRET: linkSecret,
    ...located,
    ...variables,
  });
  const installation: Installation = {
    target,
    sql,
    postgresPid: rows[0].pid,
    databaseUrl: located['DATABASE_URL'] ?? urlOf(database),
    located: { DATA_DIR: dataDir, LINK_SECRET: linkSecret, ...located },
    linkSecret,
    async beside(name) {
      await sql.query(`create role ${name}_owner login; create role ${name}_service login`);
      await sql.query(`create database ${name} owner ${name}_owner`);
      const elsewhere = { ...target, database: name };
      const found = { DATABASE_URL: urlOf(name, `${name}_service`), LINK_SECRET: randomBytes(32).toString('hex') };
      const migrationUser = { user: `${name}_owner`, password: undefined };
      await (await openDatabase({ databaseUrls: [found.DATABASE_URL], dataDir, migrationUser }, 'command')).close();
      const other = await createInstallation(dataDir, elsewhere, found, async () => undefined);
      others.push(other);
      return other;
    },
    async startServer(variables = {}) {
      await installation.bestow(['catalog', 'add-built-in', '--json']);
      const server = await serve(join(dataDir, `server-${database}-${servers.length}.log`), environment(variables));
      servers.push(server);
      return server;
    },
    bestow: (args) => runProgram(process.execPath, [BESTOW, ...args], '', installation.located),
    async seed(organizations, of) {
      const balance = ['--balance', '90000000000'];
      const args = ['seed', '--organizations', `${organizations}`, '--environment', of, ...balance, '--json'];
      return JSON.parse(await installation.bestow(args));
    },
    invariantsHold: () => invariantsHold(target),
    async close() {
      for (const other of others) await other.close();
      for (const server of servers) await server.stop();
      await sql.end();
      await closeAll();
    },
  };
  return installation;
}

async function invariantsHold(target: ConnectionTarget): Promise<boolean> {
  const database = connectDatabase(target, () => undefined);
  try {
    const { culprits } = await verifyLedger({ database });
    const broken = [...culprits, ...(await checkTables(target))];
    for (const one of broken.slice(0, 10)) process.stderr.write(`${JSON.stringify(one)}\n`);
    return broken.length === 0;
  } finally {
    await database.close();
  }
}

async function serve(logPath: string, env: Record<string, string | undefined>): Promise<Server> {
  const log = openSync(logPath, 'a');
  const child = spawn(process.execPath, [BESTOW, 'serve'], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  const deadlineMs = performance.now() + START_WITHIN_MS;
  for (;;) {
    const text = await readFile(logPath, 'utf8');
    const url = /^ {4}API +(\S+)\/v1$/m.exec(text)?.[1];
    if (url !== undefined) return { url, pid: child.pid ?? 0, stop: () => stop(child) };
    if (child.exitCode !== null || performance.now() > deadlineMs)
      throw new Error(`The server did not start:\n${text}`);
    await sleep(20);
  }
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
