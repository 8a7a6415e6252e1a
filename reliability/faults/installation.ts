import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type ConnectionTarget, connectDatabase } from '../../server/src/platform/database/connections.ts';
import { openDatabase } from '../../server/src/platform/installation/open-database.ts';
import {
  BESTOW,
  freePort,
  HUNG_AFTER_MS,
  type RunningProcess,
  run,
  until,
} from '../../server/test/harness/server-process.ts';
import { checkInvariants, type Violation } from '../checker/check-invariants.ts';
import {
  type Load,
  type LoadOptions,
  type LoadOrganization,
  type OrganizationState,
  startLoad,
} from '../load/start-load.ts';
import { createRecorder, type Recorder } from '../record/recorder.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { addOrganizations, credit, type Wanted } from './organizations.ts';

export interface InstallationOptions {
  /** The parent of the data directory. */
  directory?: string;
  random: () => number;
  /** Of an empty database; by default the embedded PostgreSQL. */
  databaseUrl?: string;
  /** By default three organizations with live and sandbox, one of which resets. */
  organizations?: readonly Wanted[];
  /** How long the SMTP server takes for a message. Without it emails wait. */
  messageTakesMs?: number;
}

/** A fresh PostgreSQL with organizations, a load, and a record of what its clients see. */
export interface Installation {
  dataDir: string;
  target: ConnectionTarget;
  /** The `DATABASE_URL` of servers and workers. */
  databaseUrl: string;
  recorder: Recorder;
  organizations: readonly LoadOrganization[];
  mailServer: MailServer | undefined;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The same on another database of this PostgreSQL. */
  sqlOn<Row = Record<string, unknown>>(database: string, text: string, values?: unknown[]): Promise<Row[]>;
  /** Copies the database, which ends all other connections to it. */
  copyDatabase(name: string): Promise<void>;
  /** Starts `bestow serve` and waits until it is ready. */
  startServer(options?: ProcessOptions): Promise<InstalledServer>;
  /** Starts `bestow worker` and waits until it is ready. */
  startWorker(options?: ProcessOptions): Promise<RunningProcess>;
  startLoad(options: Partial<LoadOptions> & Pick<LoadOptions, 'urls'>): Load;
  /** Fills the balance and records that. */
  fund(organization: LoadOrganization): Promise<void>;
  /** Waits until no order is `processing`, no live message is pending and every event was pushed. @returns false if time is up */
  settle(withinMs?: number): Promise<boolean>;
  /** Checks all invariants. With a URL it also walks the lists. */
  check(url?: string, more?: { isClockTrue?: boolean; nowMs?: number }): Promise<Violation[]>;
  /** Ends all processes and removes all files. */
  close(): Promise<void>;
}

export interface ProcessOptions {
  variables?: Record<string, string>;
  /** After `serve`: `--no-worker`. */
  args?: readonly string[];
  /** The port of an earlier server. */
  port?: number;
  /** A command that becomes the process, such as `prlimit` with its options. */
  through?: readonly string[];
  /** A file to which a server's output is added. */
  logFile?: string;
}

export interface InstalledServer extends RunningProcess {
  url: string;
  port: number;
}

export const LINK_SECRET = 'a link secret that all processes share';
const BALANCE_CENTS = 1_000_000_000;

const DEFAULT_ORGANIZATIONS: readonly Wanted[] = [
  { environments: ['live', 'sandbox'] },
  { environments: ['live', 'sandbox'], resets: true },
  { environments: ['live', 'sandbox'] },
];

/** Without rate limits, and with errors only in the log. */
const SETTINGS = {
  LOG_LEVEL: 'error',
  LINK_SECRET,
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
  RATE_LIMIT_ADDRESS_BURST: '1000000',
  MAIL_FROM: 'gifts@bestow.example',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
};

const openInstallations = new Set<Installation>();

/** Closes all installations when a run is interrupted. */
export async function closeOpenInstallations(): Promise<void> {
  for (const installation of openInstallations) await installation.close();
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one installation, whose functions share its processes
export async function openInstallation({
  directory = tmpdir(),
  random,
  databaseUrl: ownUrl,
  organizations: wanted,
  messageTakesMs,
}: InstallationOptions): Promise<Installation> {
  const dataDir = await mkdtemp(join(directory, 'bestow-faults-'));
  // Keeps the embedded PostgreSQL running while servers start and stop, and restarts it after a kill.
  const opened = await openDatabase({ databaseUrls: ownUrl === undefined ? [] : [ownUrl], dataDir }, 'command');
  const target = opened.servers[0] as ConnectionTarget;
  const { user, host = '', database: name } = target;
  const databaseUrl = `postgres://${user}@${encodeURIComponent(host)}/${name}`;
  // The next query reports a lost connection.
  const database = connectDatabase(target, () => undefined);
  const recorder = createRecorder();
  const organizations = await addOrganizations(database, wanted ?? DEFAULT_ORGANIZATIONS);
  const mailServer = messageTakesMs === undefined ? undefined : await startMailServer(recorder, messageTakesMs);
  const running: RunningProcess[] = [];
  const publicPort = await freePort();
  let credits = 0;

  function start(command: 'serve' | 'worker', options: ProcessOptions, port: number) {
    const { variables = {}, args = [], logFile } = options;
    const { through = logFile === undefined ? [] : ['sh', '-c', `exec "$0" "$@" >> ${logFile} 2>&1`] } = options;
    const [program = process.execPath, ...before] = through;
    const node = through.length === 0 ? [] : [process.execPath];
    const started = run(program, [...before, ...node, BESTOW, command, ...args], {
      ...SETTINGS,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
      ...(mailServer === undefined ? {} : { SMTP_URL: mailServer.url }),
      ...variables,
    });
    running.push(started);
    return started;
  }

  const installation: Installation = {
    dataDir,
    target: opened.ownerTarget,
    databaseUrl,
    recorder,
    organizations,
    mailServer,
    sql: (text, values) => query(opened.ownerTarget, text, values),
    sqlOn: (other, text, values) => query({ ...opened.ownerTarget, database: other }, text, values),
    async copyDatabase(copy) {
      const postgres = { ...opened.ownerTarget, database: 'postgres' };
      await query(postgres, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await query(postgres, `create database ${copy} template ${name} strategy file_copy`);
    },
    async startServer(options = {}) {
      const port = options.port ?? (await freePort());
      const server = start('serve', options, port);
      const url = `http://127.0.0.1:${port}`;
      if (options.logFile === undefined) await server.ready();
      else
        await until(
          () =>
            fetch(`${url}/readyz`).then(
              ({ ok }) => ok,
              () => false,
            ),
          'the server is ready',
        );
      return { ...server, port, url };
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
        fund: ({ organization }: OrganizationState) => installation.fund(organization),
        ...options,
      }),
    async fund(organization) {
      const { organizationId, environment } = organization;
      credits += 1;
      const reference = `credit-${credits}`;
      const request = { amount_cents: BALANCE_CENTS, reference };
      await recorder.call({ operation: 'fund', organizationId, environment, request }, async () => {
        const untilMs = performance.now() + HUNG_AFTER_MS;
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
    settle: (withinMs) => settles(installation, withinMs),
    check: (url, more = {}) =>
      checkInvariants({
        target: opened.ownerTarget,
        recorder,
        ...(url === undefined ? {} : { url }),
        keys: organizations,
        ...more,
      }),
    async close() {
      openInstallations.delete(installation);
      for (const each of running) kill(each);
      await Promise.all(running.map(({ ended }) => ended));
      await mailServer?.close();
      await database.close();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  openInstallations.add(installation);
  for (const organization of organizations) await installation.fund(organization);
  return installation;
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

/** Waits until no work is pending. @returns false if time is up */
export async function settles(installation: Pick<Installation, 'sql'>, withinMs = HUNG_AFTER_MS): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    if (await isSettled(installation)) return true;
    if (performance.now() > untilMs) return false;
    await sleep(250);
  }
}

async function isSettled(installation: Pick<Installation, 'sql'>): Promise<boolean> {
  try {
    const rows = await installation.sql(`select 1 from orders where completes_at is not null
      union all select 1 from deliveries where environment = 'live' and state = 'pending'
      union all select 1 from webhook_deliveries where state = 'pending'
      union all select 1 from webhook_endpoints e join event_counters c using (organization_id, environment)
        where e.cursor_sequence < c.last_sequence
      limit 1`);
    return rows.length === 0;
  } catch {
    // PostgreSQL is still starting.
    return false;
  }
}

function kill({ child }: RunningProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
