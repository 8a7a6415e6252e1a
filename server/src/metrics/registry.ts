import { Client } from 'pg';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type ConnectionTarget, clientConfig } from '../database/connections.ts';
import type { Channels } from '../delivery/channel.ts';
import { countWaitingMessages, type WaitingRow } from './queries.ts';

/** What is measured, as Prometheus reads it. */
export interface MetricsText {
  contentType: string;
  /** Never fails for want of the database: what is known without it is there. */
  read(): Promise<string>;
}

export interface Measured {
  target: ConnectionTarget;
  log: Pick<Logger, 'warn' | 'error'>;
  /** What this process sends with; undefined where it leaves that to workers of their own. */
  channels: Pick<Channels, 'email' | 'phone'> | undefined;
}

/** 10,000 took 60 ms on a busy machine, 80,000 half a second; a longer backlog tells an operator no more. */
const MOST_COUNTED = 10_000;
/** Prometheus waits for ten seconds unless told otherwise. */
const STATEMENT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 3_000;

export function createRegistry({ target, log, channels }: Measured): MetricsText {
  // Not the library's global one: a process may hold several services, as tests do.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const databaseUp = new Gauge({
    name: 'bestow_database_up',
    help: '1 where the database answered this scrape, 0 where it did not, or not in time.',
    registers: [registry],
  });
  const messagesWaiting = new Gauge({
    name: 'bestow_messages_waiting',
    help: `Live messages that wait to be sent, counted up to ${MOST_COUNTED}; no_provider: this process has no settings to send them with.`,
    labelNames: ['channel', 'reason'],
    registers: [registry],
  });

  async function measure(): Promise<string> {
    // What was counted last is not what waits now.
    messagesWaiting.reset();
    try {
      for (const { channel, waiting } of await count(target)) {
        const lacksProvider = channels !== undefined && channels[channel] === undefined;
        messagesWaiting.set({ channel, reason: lacksProvider ? 'no_provider' : 'pending' }, waiting);
      }
      databaseUp.set(1);
    } catch (error) {
      databaseUp.set(0);
      log.warn({ err: error }, 'The metrics lack what the database knows.');
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

/** On a connection of its own, so that it tells the truth where all others are busy, and none stays open between scrapes. */
async function count(target: ConnectionTarget): Promise<WaitingRow[]> {
  const client = new Client({ ...clientConfig(target, STATEMENT_TIMEOUT_MS), query_timeout: ANSWER_TIMEOUT_MS });
  client.on('error', () => {
    // The query under way fails with it.
  });
  try {
    await client.connect();
    return await countWaitingMessages(client, [MOST_COUNTED]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
