import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type ConnectionTarget, connectDatabase } from '../../server/src/database/connections.ts';
import { openDatabase } from '../../server/src/process/open-database.ts';
import { bestow, freePort, type RunningProcess, until } from '../../server/test/harness/server-process.ts';
import { checkInvariants, type Violation } from '../checker/check-invariants.ts';
import {
  type Load,
  type LoadOptions,
  type LoadOrganization,
  type OrganizationWorld,
  startLoad,
} from '../load/start-load.ts';
import { createRecorder, type Recorder } from '../record/recorder.ts';
import { addOrganizations, credit, type Wanted } from './add-organizations.ts';
import { type Sink, startSink } from './sink.ts';

export interface RigOptions {
  /** Where the data directory is made; that of temporary files unless told otherwise. */
  directory?: string;
  random: () => number;
  /** What the clients are; three organizations with live and sandbox, one of which resets, unless told otherwise. */
  organizations?: readonly Wanted[];
  /** An empty database to use instead of a fresh embedded PostgreSQL. */
  databaseUrl?: string;
  /** What the SMTP server takes for a message; undefined: there is none, and emails stay in the outbox. */
  messageTakesMs?: number;
}

/** A fresh PostgreSQL with organizations, clients that can load it, and a record of what they saw. */
export interface Rig {
  dataDir: string;
  target: ConnectionTarget;
  /** What `DATABASE_URL` is for servers and workers unless `variables` say otherwise. */
  databaseUrl: string;
  recorder: Recorder;
  organizations: readonly LoadOrganization[];
  sink: Sink | undefined;
  /** On a connection of its own. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The same on another database of this PostgreSQL. */
  sqlOn<Row = Record<string, unknown>>(database: string, text: string, values?: unknown[]): Promise<Row[]>;
  /** A copy of the whole database; every other connection to it is ended for that. */
  copyDatabase(name: string): Promise<void>;
  /** `bestow serve` on a port of its own, ready. */
  startServer(options?: ProcessOptions): Promise<RigServer>;
  /** `bestow worker`, ready. */
  startWorker(options?: ProcessOptions): Promise<RunningProcess>;
  startLoad(options: Partial<LoadOptions> & Pick<LoadOptions, 'urls'>): Load;
  /** Fills the balance, however often it takes; recorded. */
  fund(organization: LoadOrganization): Promise<void>;
  /** Waits until no order is `processing` and no live message waits; false where that was not so in time. */
  settle(withinMs?: number): Promise<boolean>;
  /** All invariants, with a walk of the lists where a url is given. */
  check(url?: string, more?: { isClockTrue?: boolean; nowMs?: number }): Promise<Violation[]>;
  /** Ends every process that was started here, and removes everything. */
  close(): Promise<void>;
}

export interface ProcessOptions {
  variables?: Record<string, string>;
  /** After `serve`: `--no-worker`. */
  args?: readonly string[];
  /** The port of a server that is gone, to take its place. */
  port?: number;
}

export interface RigServer extends RunningProcess {
  url: string;
  port: number;
}

const LINK_SECRET = 'a link secret that all processes of a rig share';
const BALANCE_CENTS = 1_000_000_000;
const SETTLED_WITHIN_MS = 60_000;
const FUNDED_WITHIN_MS = 60_000;

const DEFAULT_ORGANIZATIONS: readonly Wanted[] = [
  { environments: ['live', 'sandbox'] },
  { environments: ['live', 'sandbox'], resets: true },
  { environments: ['live', 'sandbox'] },
];

/** Rate limits out of the way, and no more log than what went wrong. */
const SETTINGS = {
  LOG_LEVEL: 'error',
  LINK_SECRET,
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
  RATE_LIMIT_ADDRESS_BURST: '1000000',
  MAIL_FROM: 'gifts@bestow.example',
};

const openRigs = new Set<Rig>();

/** Ends and removes everything that is open: for a run that is broken off. */
export async function closeOpenRigs(): Promise<void> {
  for (const rig of openRigs) await rig.close();
}

export async function openRig({
  directory = tmpdir(),
  random,
  organizations: wanted,
  messageTakesMs,
  databaseUrl: given,
}: RigOptions): Promise<Rig> {
  const dataDir = await mkdtemp(join(directory, 'bestow-faults-'));
  // Held open, so that PostgreSQL goes on while servers come and go, and is started again where it is killed.
  const opened = await openDatabase({ databaseUrl: given, dataDir }, 'command');
  const { user, host = '', database: name } = opened.target;
  const databaseUrl = given ?? `postgres://${user}@${encodeURIComponent(host)}/${name}`;
  // A connection that is lost while idle shows in the next query.
  const database = connectDatabase(opened.target, () => undefined);
  const recorder = createRecorder();
  const organizations = await addOrganizations(database, wanted ?? DEFAULT_ORGANIZATIONS);
  const sink = messageTakesMs === undefined ? undefined : await startSink(recorder, messageTakesMs);
  const started: RunningProcess[] = [];
  const publicPort = await freePort();
  let credits = 0;

  function start(command: 'serve' | 'worker', { variables = {}, args = [] }: ProcessOptions, port: number) {
    const process = bestow([command, ...args], {
      ...SETTINGS,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
      ...(sink === undefined ? {} : { SMTP_URL: sink.url }),
      ...variables,
    });
    started.push(process);
    return process;
  }

  const rig: Rig = {
    dataDir,
    target: opened.target,
    databaseUrl,
    recorder,
    organizations,
    sink,
    sql: (text, values) => query(opened.target, text, values),
    sqlOn: (other, text, values) => query({ ...opened.target, database: other }, text, values),
    async copyDatabase(copy) {
      const postgres = { ...opened.target, database: 'postgres' };
      await query(postgres, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await query(postgres, `create database ${copy} template ${name} strategy file_copy`);
    },
    async startServer(options = {}) {
      const port = options.port ?? (await freePort());
      const server = start('serve', options, port);
      await server.ready();
      return { ...server, port, url: `http://127.0.0.1:${port}` };
    },
    async startWorker(options = {}) {
      const worker = start('worker', options, publicPort);
      await until(() => worker.stdout().includes('Stop it with Ctrl-C.\n'), 'the worker is ready');
      return worker;
    },
    startLoad: (options) =>
      startLoad({
        organizations,
        recorder,
        random,
        fund: ({ organization }: OrganizationWorld) => rig.fund(organization),
        ...options,
      }),
    async fund(organization) {
      const { organizationId, environment } = organization;
      credits += 1;
      const reference = `credit-${credits}`;
      const request = { amount_cents: BALANCE_CENTS, reference };
      await recorder.call({ operation: 'fund', organizationId, environment, request }, async () => {
        const untilMs = performance.now() + FUNDED_WITHIN_MS;
        for (;;) {
          try {
            await credit(database, organization, BALANCE_CENTS, reference);
            return { kind: 'ok', status: 200, answer: null };
          } catch (error) {
            if (performance.now() > untilMs) return { kind: 'unknown', reason: String(error) };
            await sleep(100);
          }
        }
      });
    },
    async settle(withinMs = SETTLED_WITHIN_MS) {
      const untilMs = performance.now() + withinMs;
      for (;;) {
        if (await isSettled(rig)) return true;
        if (performance.now() > untilMs) return false;
        await sleep(250);
      }
    },
    check: (url, more = {}) =>
      checkInvariants({
        target: opened.target,
        recorder,
        ...(url === undefined ? {} : { url }),
        keys: organizations,
        ...more,
      }),
    async close() {
      openRigs.delete(rig);
      for (const process of started) kill(process);
      await Promise.all(started.map(({ ended }) => ended));
      await sink?.close();
      await database.close();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  openRigs.add(rig);
  for (const organization of organizations) await rig.fund(organization);
  return rig;
}

async function query<Row>(target: ConnectionTarget, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client(target);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function isSettled(rig: Pick<Rig, 'sql'>): Promise<boolean> {
  try {
    const rows = await rig.sql(`select 1 from orders where completes_at is not null
      union all select 1 from deliveries where environment = 'live' and state = 'pending' limit 1`);
    return rows.length === 0;
  } catch {
    // PostgreSQL is not back yet.
    return false;
  }
}

function kill({ child }: RunningProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
