import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import { type ConnectionTarget, clientConfig, type Database } from '../database/connections.ts';
import type { Queryable } from '../database/statement.ts';
import { withConnection } from '../database/with-connection.ts';
import { queuesOf } from '../jobs/create-tasks.ts';
import { queues } from '../jobs/tasks.ts';
import type { Channels } from '../messaging/channel.ts';
import * as queries from './queries.ts';

/** The metrics in Prometheus' text format. */
export interface MetricsText {
  contentType: string;
  /** Without the database, returns the other metrics. */
  read(): Promise<string>;
}

export interface Measured {
  target: ConnectionTarget;
  clock: Clock;
  database: Pick<Database, (typeof POOLS)[number]>;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Undefined if separate workers send the messages. */
  channels: Channels | undefined;
}

/** Counting 10,000 took 60 ms on a busy machine, 80,000 half a second. */
const MAX_COUNTED = 10_000;
/** Below Prometheus' default timeout of ten seconds. */
const STATEMENT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 3_000;
/** Processing orders normally complete within seconds of their time. */
const STUCK_AFTER_MS = 60_000;

/** @param registry has the meter's counters; gets the gauges that each scrape measures */
export function createRegistry(registry: Registry, measured: Measured): MetricsText {
  collectDefaultMetrics({ register: registry });
  const gauges = createGauges(registry);

  async function measure(): Promise<string> {
    for (const gauge of Object.values(gauges)) gauge.reset();
    countConnections(gauges, measured.database);
    // A new connection per scrape, because the pools may be busy.
    const own = { ...clientConfig(measured.target, STATEMENT_TIMEOUT_MS), query_timeout: ANSWER_TIMEOUT_MS };
    try {
      await withConnection(own, (client) => askDatabase(gauges, client, measured));
      gauges.databaseUp.set(1);
    } catch (error) {
      gauges.databaseUp.set(0);
      measured.log.warn({ err: error }, 'The metrics lack the database’s values.');
    }
    return await registry.metrics();
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
    databaseUp: gauge('bestow_database_up', '1 if the database answered this scrape in time, else 0.'),
    connections: gauge(
      'bestow_database_connections',
      'Connections of this process, by pool; waiting: requests for a connection.',
      ['pool', 'state'],
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
    unexplainedBalances: gauge(
      'bestow_balances_unexplained',
      `Balances that match none of their latest 20 ledger entries, of ${MAX_COUNTED}; \`bestow ledger verify\` lists them.`,
    ),
    stuckOrders: gauge('bestow_orders_stuck', 'Orders that are still processing a minute after their time.'),
  };
}

/** For a process without message workers. */
const NO_CHANNELS: Channels = { email: undefined, phone: undefined, notice: undefined };

const POOLS = ['pool', 'placement'] as const;

function countConnections({ connections }: Gauges, pools: Record<(typeof POOLS)[number], Pool>): void {
  for (const name of POOLS) {
    const { totalCount, idleCount, waitingCount } = pools[name];
    const counts = { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    for (const [state, count] of Object.entries(counts)) connections.set({ pool: name, state }, count);
  }
}

async function askDatabase(gauges: Gauges, client: Queryable, { clock, channels }: Measured): Promise<void> {
  for (const { channel, waiting } of await queries.countWaitingMessages(client, [MAX_COUNTED])) {
    const lacksProvider = channels !== undefined && channels[channel] === undefined;
    gauges.messagesWaiting.set({ channel, reason: lacksProvider ? 'no_provider' : 'pending' }, waiting);
  }
  const now = new Date(clock.now());
  const queueNames = Object.values(queues).map(({ name }) => name);
  // Messages without a provider are not overdue: more workers would not help.
  const workedOn = queuesOf(channels ?? NO_CHANNELS).map((name): string => queues[name].name);
  for (const { queue, due, oldest_due_at } of await queries.countJobsDue(client, [queueNames, now, MAX_COUNTED])) {
    gauges.jobsDue.set({ queue }, due);
    if (!workedOn.includes(queue)) continue;
    const oldestMs = oldest_due_at === null ? 0 : now.getTime() - oldest_due_at.getTime();
    gauges.oldestJobSeconds.set({ queue }, oldestMs / 1e3);
  }
  const [unexplained] = await queries.countUnexplainedBalances(client, [MAX_COUNTED]);
  gauges.unexplainedBalances.set(unexplained?.count ?? 0);
  const [stuck] = await queries.countStuckOrders(client, [new Date(now.getTime() - STUCK_AFTER_MS), MAX_COUNTED]);
  gauges.stuckOrders.set(stuck?.count ?? 0);
}
