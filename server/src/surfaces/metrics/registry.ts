import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { findBackupAge } from '../../capabilities/restores/backup-age.ts';
import { listLosses } from '../../capabilities/restores/watch-history.ts';
import { oldestPushDueMs } from '../../capabilities/webhooks/oldest-push.ts';
import { type Clock, isMoved } from '../../platform/base/clock.ts';
import { type ConnectionTarget, clientConfig, type Database } from '../../platform/database/connections.ts';
import { SEES_ALL } from '../../platform/database/name-organizations.ts';
import { sessionOptions } from '../../platform/database/session-settings.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { selectWaitsForStandby, tryWrite } from '../../platform/database/try-write.ts';
import { withConnection } from '../../platform/database/with-connection.ts';
import { clockWorkBehindMs } from '../../platform/jobs/clocks.ts';
import { readOffset } from '../../platform/jobs/server-clock.ts';
import { type QueueName, queues, queuesOf } from '../../platform/jobs/tasks.ts';
import type { Channels } from '../../platform/messaging/channel.ts';
import { sumMetrics } from './process-metrics.ts';
import * as queries from './queries.ts';

/** The metrics in Prometheus' text format. */
export interface MetricsText {
  contentType: string;
  /** Without the database, returns the other metrics. */
  read(): Promise<string>;
}

export interface Measured {
  /** The database servers. */
  servers: readonly ConnectionTarget[];
  /** The database of people; undefined if it is the same. */
  homeTarget?: ConnectionTarget | undefined;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'error'>;
  /** What each backup writes; undefined if that is not said. */
  backupFile: string | undefined;
  /** Undefined if separate workers send the messages. */
  channels: Channels | undefined;
}

/** Counting 10,000 took 60 ms on a busy machine, 80,000 half a second. */
const MAX_COUNTED = 10_000;
/** Below Prometheus' default timeout of ten seconds. */
const STATEMENT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 3_000;
/** Processing orders normally complete within seconds of their time. */
const UNFINISHED_AFTER_MS = 5 * 60_000;
const STUCK_AFTER_MS = 60_000;
const HOUR_MS = 3_600_000;

const POOLS = ['pool', 'placement'] as const;

export type Pools = Pick<Database, 'servers'>;

/** Adds what a process knows of itself: memory, processor, event loop, connections. */
export function addProcess(registry: Registry, { servers }: Pools): void {
  collectDefaultMetrics({ register: registry });
  const connections = new Gauge({
    name: 'bestow_database_connections',
    help: 'Connections by pool; waiting: requests for a connection.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect: () => {
      connections.reset();
      for (const pool of POOLS)
        for (const server of servers) {
          const { totalCount, idleCount, waitingCount } = server[pool];
          const counts = { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
          for (const [state, count] of Object.entries(counts)) connections.inc({ pool, state }, count);
        }
    },
  });
}

/** The database's metrics, and the sum of those that the processes share. */
export function createSummedRegistry(measured: Measured): MetricsText {
  return createRegistry(new Registry(), measured, async () => {
    const { text, silent } = await sumMetrics();
    if (silent.length > 0) measured.log.warn({ processes: silent }, 'The metrics lack processes that do not answer.');
    return text;
  });
}

/**
 * @param registry has the meter's counters; gets the gauges that each scrape measures
 * @param readMore adds to each scrape
 */
export function createRegistry(
  registry: Registry,
  measured: Measured,
  readMore: () => Promise<string> = async () => '',
): MetricsText {
  const gauges = createGauges(registry);

  async function measure(): Promise<string> {
    for (const gauge of Object.values(gauges)) gauge.reset();
    const dueAtMs = new Map<string, number>();
    const madeAtMs = new Map<keyof Channels, number>();
    const pushDueAtMs: number[] = [];
    const home = measured.homeTarget === undefined ? [] : [measured.homeTarget];
    const nameOf = (index: number) => {
      if (measured.servers.length + home.length === 1) return {};
      return { server: index < measured.servers.length ? `${index + 1}` : 'people' };
    };
    const asked = await Promise.allSettled(
      [...measured.servers, ...home].map(async (server, index) => {
        // A new connection per scrape, because the pools may be busy.
        const config = clientConfig(server, STATEMENT_TIMEOUT_MS);
        const options = sessionOptions(server, SEES_ALL);
        const own = { ...config, options, query_timeout: ANSWER_TIMEOUT_MS };
        await withConnection(own, async (client) => {
          if (server !== measured.homeTarget) pushDueAtMs.push(await askServer(gauges, client, measured));
          await askJobs(gauges, client, measured, dueAtMs);
          await askMessages(client, measured, madeAtMs);
          await askClocks(gauges, client, measured.clock, nameOf(index));
          await tryWrite(client);
          const [commits] = await selectWaitsForStandby(client, []);
          if (commits?.waits) throw new Error('Commits wait for a synchronous standby.');
        });
      }),
    );
    for (const [index, result] of asked.entries()) {
      gauges.databaseUp.set(nameOf(index), result.status === 'fulfilled' ? 1 : 0);
      if (result.status === 'rejected')
        measured.log.warn({ err: result.reason }, 'The metrics lack a database’s values.');
    }
    const nowMs = measured.clock.now();
    // A gauge without labels would begin as 0.
    if (measured.backupFile === undefined) gauges.backupAgeSeconds.remove();
    else gauges.backupAgeSeconds.set((await findBackupAge(measured.backupFile, nowMs)) / 1e3);
    if (pushDueAtMs.length > 0) gauges.oldestPushSeconds.set((nowMs - Math.min(nowMs, ...pushDueAtMs)) / 1e3);
    for (const [channel, atMs] of madeAtMs) gauges.oldestMessageSeconds.set({ channel }, (nowMs - atMs) / 1e3);
    for (const [queue, atMs] of dueAtMs) gauges.oldestJobSeconds.set({ queue }, (nowMs - atMs) / 1e3);
    return (await registry.metrics()) + (await readMore());
  }

  let underWay: Promise<string> | undefined;
  return {
    contentType: registry.contentType,
    // Simultaneous scrapes share one measurement.
    read() {
      underWay ??= measure().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  return {
    databaseUp: gauge(
      'bestow_database_up',
      '1 if the database server answered this scrape in time, has room for a write and commits it, else 0; one series for each of several.',
      ['server'],
    ),
    messagesWaiting: gauge(
      'bestow_messages_waiting',
      `Live messages to send, counted up to ${MAX_COUNTED}; no_provider: this process has no settings for the channel.`,
      ['channel', 'reason'],
    ),
    jobsDue: gauge('bestow_jobs_due', `Jobs that are due, counted up to ${MAX_COUNTED}.`, ['queue']),
    oldestJobSeconds: gauge(
      'bestow_oldest_job_due_seconds',
      'How long the oldest job is due; 0 if none. Messages count only if this process sends them.',
      ['queue'],
    ),
    oldestMessageSeconds: gauge(
      'bestow_oldest_message_seconds',
      'How long ago the oldest unsent message was made; 0 if none. Without channels that this process has no settings for.',
      ['channel'],
    ),
    oldestPushSeconds: gauge(
      'bestow_oldest_push_due_seconds',
      'How long the oldest push to a webhook endpoint that accepts is due; 0 if none.',
    ),
    unexplainedBalances: gauge(
      'bestow_balances_unexplained',
      `Balances that match none of their latest 20 ledger entries, of ${MAX_COUNTED}; \`bestow ledger verify\` lists them.`,
    ),
    liveBalances: gauge('bestow_live_balances_cents', 'What all live balances hold together, in cents.'),
    unfinishedClaims: gauge(
      'bestow_claims_unfinished',
      'Claims that wait for their card’s issuer for more than five minutes.',
    ),
    lowStocks: gauge('bestow_code_stocks_low', 'Stocks of own codes below their limit.'),
    lowFunds: gauge('bestow_issuer_balances_low', 'Issuers whose balance is below what it has to pay yet.'),
    stuckTopups: gauge('bestow_topups_stuck', 'Top-ups whose payment is under way for more than an hour.'),
    clockOffsetSeconds: gauge(
      'bestow_clock_offset_seconds',
      'How far the clock of this machine is ahead of the database server’s; one series for each of several.',
      ['server'],
    ),
    clockWorkBehindSeconds: gauge(
      'bestow_clock_work_behind_seconds',
      'How long ago the work of each minute went by the clock; one series for each of several database servers.',
      ['server'],
    ),
    backupAgeSeconds: gauge(
      'bestow_backup_age_seconds',
      'How long ago BACKUP_FILE was written; +Inf if it is missing, empty, out of reach, not a file, or dated in the future. Without that setting no series.',
    ),
    lostHistories: gauge(
      'bestow_histories_lost',
      'Times that PostgreSQL lost what was committed, after which `bestow restore finish` has not run.',
    ),
    stuckOrders: gauge('bestow_orders_stuck', 'Orders that are still processing a minute after their time.'),
  };
}

/** For a process without message workers. */
const NO_CHANNELS: Channels = { email: undefined, phone: undefined, notice: undefined };

/** Adds the server's values to those of the others. Returns since when its oldest push is due, now if none is. */
async function askServer(gauges: Gauges, client: Queryable, { clock, channels }: Measured): Promise<number> {
  for (const { channel, waiting } of await queries.countWaitingMessages([client], [MAX_COUNTED])) {
    const lacksProvider = channels !== undefined && channels[channel] === undefined;
    gauges.messagesWaiting.inc({ channel, reason: lacksProvider ? 'no_provider' : 'pending' }, waiting);
  }
  const [unexplained] = await queries.countUnexplainedBalances([client], [MAX_COUNTED]);
  gauges.unexplainedBalances.inc(unexplained?.count ?? 0);
  const [balances] = await queries.sumLiveBalances([client], []);
  gauges.liveBalances.inc(balances?.cents ?? 0);
  const [stuck] = await queries.countStuckOrders([client], [new Date(clock.now() - STUCK_AFTER_MS), MAX_COUNTED]);
  gauges.stuckOrders.inc(stuck?.count ?? 0);
  gauges.lostHistories.inc((await listLosses([client])).length);
  const [issuers] = await queries.countIssuerTroubles([client], [new Date(clock.now() - UNFINISHED_AFTER_MS)]);
  gauges.unfinishedClaims.inc(issuers?.claims ?? 0);
  gauges.lowStocks.inc(issuers?.low_stocks ?? 0);
  gauges.lowFunds.inc(issuers?.low_funds ?? 0);
  const topups = await queries.countStuckTopups([client], [new Date(clock.now() - HOUR_MS), MAX_COUNTED]);
  gauges.stuckTopups.inc(topups[0]?.count ?? 0);
  return await oldestPushDueMs(client, clock.now(), MAX_COUNTED);
}

async function askClocks(gauges: Gauges, client: Queryable, clock: Clock, labels: { server?: string }): Promise<void> {
  const { offsetMs } = isMoved(clock) ? { offsetMs: 0 } : await readOffset(client, clock);
  gauges.clockOffsetSeconds.set(labels, offsetMs / 1e3);
  const behindMs = await clockWorkBehindMs(client);
  if (behindMs !== undefined) gauges.clockWorkBehindSeconds.set(labels, behindMs / 1e3);
}

async function askJobs(
  gauges: Gauges,
  client: Queryable,
  { clock, channels }: Measured,
  dueAtMs: Map<string, number>,
): Promise<void> {
  const nowMs = clock.now();
  const queueNames = Object.values(queues).map(({ name }) => name);
  // Messages without a provider are not overdue: more workers would not help.
  const workedOn = queuesOf(channels ?? NO_CHANNELS).map((name): string => queues[name].name);
  const jobs = await queries.countJobsDue([client], [queueNames, new Date(nowMs), MAX_COUNTED]);
  for (const { queue, due, oldest_due_at } of jobs) {
    gauges.jobsDue.inc({ queue }, due);
    if (workedOn.includes(queue))
      dueAtMs.set(queue, Math.min(dueAtMs.get(queue) ?? nowMs, oldest_due_at?.getTime() ?? nowMs));
  }
}

const QUEUES_OF_CHANNELS: Record<keyof Channels, QueueName[]> = {
  email: ['email'],
  phone: ['phone'],
  notice: ['notice', 'code'],
};

/** Finds when the oldest unsent message of each channel was made. */
async function askMessages(
  client: Queryable,
  { clock, channels }: Measured,
  madeAtMs: Map<keyof Channels, number>,
): Promise<void> {
  const nowMs = clock.now();
  for (const [channel, names] of Object.entries(QUEUES_OF_CHANNELS) as [keyof Channels, QueueName[]][]) {
    if (channels !== undefined && channels[channel] === undefined) continue;
    const oldest = await queries.selectOldestMessages([client], [names.map((name) => queues[name].name)]);
    madeAtMs.set(
      channel,
      Math.min(madeAtMs.get(channel) ?? nowMs, ...oldest.map(({ created_at }) => created_at.getTime())),
    );
  }
}
