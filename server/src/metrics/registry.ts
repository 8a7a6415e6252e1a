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

/** What is measured, as Prometheus reads it. */
export interface MetricsText {
  contentType: string;
  /** Never fails for want of the database: what is known without it is there. */
  read(): Promise<string>;
}

export interface Measured {
  target: ConnectionTarget;
  clock: Clock;
  /** Whose connections are counted. */
  database: Pick<Database, (typeof POOLS)[number]>;
  log: Pick<Logger, 'warn' | 'error'>;
  /** What this process sends with; undefined where it leaves that to workers of their own. */
  channels: Channels | undefined;
}

/** 10,000 took 60 ms on a busy machine, 80,000 half a second; a longer backlog tells an operator no more. */
const MOST_COUNTED = 10_000;
/** Prometheus waits for ten seconds unless told otherwise. */
const STATEMENT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 3_000;
/** A processing order is completed within seconds of its time; after a minute something is wrong. */
const STUCK_AFTER_MS = 60_000;

/** @param registry holds what the meter counts; what is looked up at each scrape is added to it */
export function createRegistry(registry: Registry, measured: Measured): MetricsText {
  collectDefaultMetrics({ register: registry });
  const gauges = createGauges(registry);

  async function measure(): Promise<string> {
    // What was counted last is not what is so now.
    for (const gauge of Object.values(gauges)) gauge.reset();
    countConnections(gauges, measured.database);
    // One of its own, so that it tells the truth where all others are busy, and none stays open between scrapes.
    const own = { ...clientConfig(measured.target, STATEMENT_TIMEOUT_MS), query_timeout: ANSWER_TIMEOUT_MS };
    try {
      await withConnection(own, (client) => askDatabase(gauges, client, measured));
      gauges.databaseUp.set(1);
    } catch (error) {
      gauges.databaseUp.set(0);
      measured.log.warn({ err: error }, 'The metrics lack what the database knows.');
    }
    return await registry.metrics();
  }

  let underWay: Promise<string> | undefined;
  return {
    contentType: registry.contentType,
    // Those who ask at the same moment share one count.
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
      '1 where the database answered this scrape, 0 where it did not, or not in time.',
    ),
    connections: gauge(
      'bestow_database_connections',
      'Connections of this process, by pool; waiting: those who wait for one.',
      ['pool', 'state'],
    ),
    messagesWaiting: gauge(
      'bestow_messages_waiting',
      `Live messages that wait to be sent, counted up to ${MOST_COUNTED}; no_provider: this process has no settings to send them with.`,
      ['channel', 'reason'],
    ),
    jobsDue: gauge('bestow_jobs_due', `Jobs whose time has come, counted up to ${MOST_COUNTED}.`, ['queue']),
    oldestJobSeconds: gauge(
      'bestow_oldest_job_due_seconds',
      'How long the oldest of them is due; 0 where none is. Of messages only where this process sends them.',
      ['queue'],
    ),
    unexplainedBalances: gauge(
      'bestow_balances_unexplained',
      `Balances that none of their latest 20 ledger entries left, of ${MOST_COUNTED}; \`bestow ledger verify\` tells which.`,
    ),
    stuckOrders: gauge('bestow_orders_stuck', 'Orders that are still processing a minute after their time.'),
  };
}

/** Of a process that leaves the messages to workers of their own. */
const NO_CHANNELS: Channels = { email: undefined, phone: undefined, notice: undefined };

const POOLS = ['changes', 'pool', 'placement'] as const;

function countConnections({ connections }: Gauges, pools: Record<(typeof POOLS)[number], Pool>): void {
  for (const name of POOLS) {
    const { totalCount, idleCount, waitingCount } = pools[name];
    const counts = { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    for (const [state, count] of Object.entries(counts)) connections.set({ pool: name, state }, count);
  }
}

async function askDatabase(gauges: Gauges, client: Queryable, { clock, channels }: Measured): Promise<void> {
  for (const { channel, waiting } of await queries.countWaitingMessages(client, [MOST_COUNTED])) {
    const lacksProvider = channels !== undefined && channels[channel] === undefined;
    gauges.messagesWaiting.set({ channel, reason: lacksProvider ? 'no_provider' : 'pending' }, waiting);
  }
  const now = new Date(clock.now());
  const queueNames = Object.values(queues).map(({ name }) => name);
  // Messages without a provider are not late: more workers would not send them.
  const workedOn = queuesOf(channels ?? NO_CHANNELS).map((name): string => queues[name].name);
  for (const { queue, due, oldest_due_at } of await queries.countJobsDue(client, [queueNames, now, MOST_COUNTED])) {
    gauges.jobsDue.set({ queue }, due);
    if (!workedOn.includes(queue)) continue;
    const oldestMs = oldest_due_at === null ? 0 : now.getTime() - oldest_due_at.getTime();
    gauges.oldestJobSeconds.set({ queue }, oldestMs / 1e3);
  }
  const [unexplained] = await queries.countUnexplainedBalances(client, [MOST_COUNTED]);
  gauges.unexplainedBalances.set(unexplained?.count ?? 0);
  const [stuck] = await queries.countStuckOrders(client, [new Date(now.getTime() - STUCK_AFTER_MS), MOST_COUNTED]);
  gauges.stuckOrders.set(stuck?.count ?? 0);
}
