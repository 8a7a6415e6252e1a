import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { verifyLedger } from '../server/src/balances/verify-ledger.ts';
import type { Environment } from '../server/src/base/environment.ts';
import { type ConnectionTarget, connectDatabase } from '../server/src/database/connections.ts';
import { openDatabase } from '../server/src/database/open.ts';
import { runProgram } from './programs.ts';

export const BESTOW = fileURLToPath(new URL('../server/bin/bestow.js', import.meta.url));
const START_WITHIN_MS = 60_000;

/** Rate limits out of the way; all else as in production, where every request leaves a line in the log. */
const SETTINGS = {
  PORT: '0',
  NODE_ENV: 'production',
  DEMO: '1',
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

/** A fresh data directory with its PostgreSQL, on this machine, and removed at the end. */
export interface Installation {
  target: ConnectionTarget;
  sql: Client;
  postgresPid: number;
  /** What `DATABASE_URL` must be for a server that shares this PostgreSQL. */
  databaseUrl: string;
  /** `bestow serve`, with its log in a file. */
  startServer(variables?: Record<string, string>): Promise<Server>;
  /** `bestow seed`. */
  seed(organizations: number, environment: Environment): Promise<SeededOrganization[]>;
  /** `bestow …`; what it prints. */
  bestow(args: string[]): Promise<string>;
  /** Whether every balance and debit can be derived again. */
  ledgerHolds(): Promise<boolean>;
  close(): Promise<void>;
}

export async function install(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-bench-'));
  // Held open, so that PostgreSQL goes on while servers come and go.
  const opened = await openDatabase({ databaseUrl: undefined, dataDir }, 'command');
  const sql = new Client(opened.target);
  await sql.connect();
  const { rows } = await sql.query(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`);
  const { user, host = '', database } = opened.target;
  const servers: Server[] = [];
  const environment = (variables: Record<string, string>) => ({
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIR: dataDir,
    ...SETTINGS,
    ...variables,
  });
  const installation: Installation = {
    target: opened.target,
    sql,
    postgresPid: rows[0].pid,
    databaseUrl: `postgres://${user}@${encodeURIComponent(host)}/${database}`,
    async startServer(variables = {}) {
      const server = await serve(join(dataDir, `server-${servers.length}.log`), environment(variables));
      servers.push(server);
      return server;
    },
    bestow: (args) => runProgram(process.execPath, [BESTOW, ...args], { DATA_DIR: dataDir }),
    async seed(organizations, of) {
      const balance = ['--balance', '90000000000'];
      const args = ['seed', '--organizations', `${organizations}`, '--environment', of, ...balance, '--json'];
      return JSON.parse(await installation.bestow(args));
    },
    async ledgerHolds() {
      const database = connectDatabase(opened.target, () => undefined);
      try {
        return (await verifyLedger({ database })).holds;
      } finally {
        await database.close();
      }
    },
    async close() {
      for (const server of servers) await server.stop();
      await sql.end();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return installation;
}

async function serve(logPath: string, env: Record<string, string | undefined>): Promise<Server> {
  const log = openSync(logPath, 'a');
  const child = spawn(process.execPath, [BESTOW, 'serve'], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  const deadlineMs = performance.now() + START_WITHIN_MS;
  for (;;) {
    const text = await readFile(logPath, 'utf8');
    const url = /^ {2}Address +(\S+)$/m.exec(text)?.[1];
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
