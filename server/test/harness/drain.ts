import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { addFunds } from '../../src/balances/add-funds.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Environment } from '../../src/base/environment.ts';
import { addBuiltInCategories } from '../../src/catalog/add-built-in-categories.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createKey } from '../../src/keys/create-key.ts';
import { createOrganization } from '../../src/organizations/create-organization.ts';
import { createService } from '../../src/service.ts';
import { createApiClient } from './api-client.ts';
import { OPERATOR } from './operator.ts';

const GIFTS_PER_ORDER = 10;
const GIFT_CENTS = 1_000;
const LINK_SECRET = 'a link secret for a measurement: long enough';
/** The user that the worker connects as, so that PostgreSQL's work for it can be told from that for others. */
const WORKER_USER = 'measured_worker';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Everything that a measurement of a worker needs, on this machine, and removed at the end. */
export interface Drain {
  sql: Client;
  sinkPid: number;
  /** Messages that the local SMTP server has accepted until now. */
  received(): number;
  /** The full key of another organization with funds. */
  addCustomer(environment: Environment, amountCents: number): Promise<string>;
  /** Orders so many live email gifts. */
  orderEmails(gifts: number): Promise<void>;
  countPending(): Promise<number>;
  /** `bestow …` on the same database. */
  bestow(args: string[], variables?: Record<string, string>): ChildProcess;
  /** A worker that sends to the local SMTP server. */
  startWorker(): ChildProcess & { pid: number };
  /** Processor seconds of PostgreSQL's processes that serve the worker, and of those that serve others. */
  backends(): Promise<{ worker: number; others: number }>;
  close(): Promise<void>;
}

export const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processor time, user and system, since the process began. */
export function cpuSeconds(pid: number): number {
  // The second field is the name, which may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export async function installDrain(): Promise<Drain> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-drain-'));
  const opened = await openDatabase({ databaseUrl: undefined, dataDir }, 'server');
  const config = readConfig({ PORT: '0', RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' });
  const log = pino({ level: 'silent' });
  const service = await createService(
    config,
    { target: opened.target, clock: systemClock, log, linkSecrets: [LINK_SECRET] },
    { works: false },
  );
  const { deps } = service;
  const url = await service.listen();
  await addBuiltInCategories(deps);
  const sink = spawn(process.execPath, [path('./smtp-sink.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: sink.stdout });
  const [smtpPort] = (await once(lines, 'line')) as [string];
  let received = 0;
  lines.on('line', () => {
    received += 1;
  });
  const sql = new Client(opened.target);
  await sql.connect();
  await sql.query(`create role ${WORKER_USER} superuser login`);
  const urlFor = (user: string) =>
    `postgres://${user}@${encodeURIComponent(join(dataDir, 'postgres'))}/${opened.target.database}`;
  const databaseUrl = urlFor('bestow');
  const children: ChildProcess[] = [sink];

  const drain: Drain = {
    sql,
    sinkPid: sink.pid ?? 0,
    received: () => received,
    async addCustomer(environment, amountCents) {
      const { organization_id: organizationId } = await createOrganization(deps, {
        name: 'Measured Organization',
        adminEmail: 'admin@example.com',
        actor: OPERATOR,
      });
      const { key } = await createKey(deps, { organizationId, environment, name: 'measured', actor: OPERATOR });
      await addFunds(deps, {
        organizationId,
        environment,
        amountCents,
        reference: undefined,
        note: undefined,
        actor: OPERATOR,
      });
      return key;
    },
    async orderEmails(gifts) {
      const api = createApiClient(url, await drain.addCustomer('live', gifts * GIFT_CENTS));
      for (let n = 0; n < gifts; n += GIFTS_PER_ORDER) {
        const order = Array.from({ length: GIFTS_PER_ORDER }, (_, i) => ({
          amount: GIFT_CENTS,
          category: 'coffee',
          delivery: { method: 'email', email: `person-${n + i}@company-${n % 7}.example` },
          personalization: { recipient_name: 'Ada Lovelace' },
        }));
        const { status, body } = await api.order(order, randomUUID());
        if (status !== 201) throw new Error(JSON.stringify(body));
      }
    },
    async countPending() {
      const { rows } = await sql.query<{ pending: string }>(
        "select count(*) as pending from deliveries where environment = 'live' and state = 'pending'",
      );
      return Number(rows[0]?.pending);
    },
    bestow(args, variables = {}) {
      const env = { ...process.env, DATABASE_URL: databaseUrl, LINK_SECRET, LOG_LEVEL: 'warn', ...variables };
      const child = spawn(process.execPath, [path('../../bin/bestow.js'), ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env,
      });
      children.push(child);
      return child;
    },
    startWorker() {
      const worker = drain.bestow(['worker'], {
        DATABASE_URL: urlFor(WORKER_USER),
        PUBLIC_URL: 'https://gifts.example.com',
        SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
        MAIL_FROM: 'gifts@example.com',
      });
      worker.stdout?.resume();
      return worker as ChildProcess & { pid: number };
    },
    async backends() {
      const { rows } = await sql.query<{ pid: number; is_worker: boolean }>(
        `select pid, usename = $1 as is_worker from pg_stat_activity where backend_type = 'client backend'`,
        [WORKER_USER],
      );
      const used = { worker: 0, others: 0 };
      for (const { pid, is_worker } of rows) used[is_worker ? 'worker' : 'others'] += cpuSeconds(pid);
      return used;
    },
    async close() {
      for (const child of children.reverse()) await stop(child);
      await sql.end();
      await service.close();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return drain;
}
