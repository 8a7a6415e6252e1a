import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { ConnectionTarget } from '../../server/src/database/connections.ts';
import { errorResponse } from './framing.ts';
import { type Moment, openSession } from './session.ts';

/** A proxy in front of PostgreSQL, on a port of the loopback; it reads what passes and can harm it. */
export interface PostgresProxy {
  /** What a service connects to instead of PostgreSQL itself. */
  target: ConnectionTarget;
  /** The same as a value of `DATABASE_URL`. */
  url: string;
  /**
   * Does this to the next commit of statements that are meant: one that runs alone, or all of a transaction.
   *
   * @returns once it is done; one at a time
   */
  cutCommit(moment: Moment, isMeant: (statements: readonly string[]) => boolean): Promise<void>;
  /** Takes back what was asked for and not done yet. */
  cutNothing(): void;
  /** By how much all bytes are late from now on, each way. */
  delay(delayMs: number): void;
  /** Passes nothing on, in either direction, until it is told otherwise. */
  stall(isStalled: boolean): void;
  /** Passes nothing on for the connections there are, ever again, and leaves them open; new ones are as usual. */
  strand(): void;
  /** Refuses new connections as PostgreSQL does that has none left. */
  refuse(isRefusing: boolean): void;
  /** Cuts every connection there is. */
  cutAll(): void;
  /** Connections at the moment. */
  connections(): number;
  close(): Promise<void>;
}

interface Order {
  moment: Moment;
  isMeant(statements: readonly string[]): boolean;
  done(): void;
}

interface Link {
  client: Socket;
  server: Socket;
  cut(): void;
}

/** @param target where PostgreSQL is, as a socket's directory or a host */
export async function startProxy(target: ConnectionTarget): Promise<PostgresProxy> {
  const { host = '127.0.0.1', port = 5432 } = target;
  const links = new Set<Link>();
  const stranded = new WeakSet<Link>();
  let order: Order | undefined;
  /** The one that a session has taken on. */
  let planned: Order | undefined;
  let delayMs = 0;
  let isStalled = false;
  let isRefusing = false;

  const rules = {
    delayMs: () => delayMs,
    plan(statements: readonly string[]) {
      if (order === undefined || !order.isMeant(statements)) return undefined;
      const { moment } = order;
      planned = order;
      order = undefined;
      return moment;
    },
    done() {
      planned?.done();
      planned = undefined;
    },
    missed() {
      order = planned;
      planned = undefined;
    },
  };

  const listener = createServer({ noDelay: true }, (client) => {
    if (isRefusing) {
      client.on('error', () => undefined);
      // Otherwise what it sends stays unread, and its end unseen.
      client.resume();
      client.end(errorResponse('FATAL', '53300', 'sorry, too many clients already'));
      return;
    }
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port, noDelay: true });
    const link = { client, server, ...openSession(client, server, rules) };
    links.add(link);
    client.on('close', () => links.delete(link));
    if (isStalled) pause(link);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');

  const cutAll = () => {
    for (const { cut } of links) cut();
  };
  const { user, database, options } = target;
  return {
    target: { ...target, host: '127.0.0.1', port: address.port },
    url: `postgres://${user}@127.0.0.1:${address.port}/${database}${options === undefined ? '' : `?options=${encodeURIComponent(options)}`}`,
    cutCommit: (moment, isMeant) =>
      new Promise((resolve) => {
        order = { moment, isMeant, done: resolve };
      }),
    cutNothing() {
      order = undefined;
      planned = undefined;
    },
    delay(ms) {
      delayMs = ms;
    },
    strand() {
      for (const link of links) {
        pause(link);
        stranded.add(link);
      }
    },
    stall(shallStall) {
      isStalled = shallStall;
      for (const link of links) if (!stranded.has(link)) (shallStall ? pause : resume)(link);
    },
    refuse(shallRefuse) {
      isRefusing = shallRefuse;
    },
    cutAll,
    connections: () => links.size,
    async close() {
      cutAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function pause({ client, server }: Link): void {
  client.pause();
  server.pause();
}

function resume({ client, server }: Link): void {
  client.resume();
  server.resume();
}
