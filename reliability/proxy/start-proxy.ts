import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { ConnectionTarget } from '../../server/src/platform/database/connections.ts';
import { errorResponse } from './framing.ts';
import { type Moment, openSession } from './session.ts';

/** A proxy in front of PostgreSQL that can harm connections. */
export interface PostgresProxy {
  /** Connects to the proxy. */
  target: ConnectionTarget;
  /** The same as a value of `DATABASE_URL`. */
  url: string;
  /** Cuts the next commit of these statements, one at a time. @returns when it is done */
  cutCommit(moment: Moment, isMeant: (statements: readonly string[]) => boolean): Promise<void>;
  /** Cancels a pending cut. */
  cutNothing(): void;
  /** Delays all bytes in each direction. */
  delay(delayMs: number): void;
  /** Holds all bytes back. */
  stall(isStalled: boolean): void;
  /** Holds the bytes of the present connections back for ever. New connections work. */
  strand(): void;
  /** Refuses new connections as PostgreSQL does at its limit. */
  refuse(isRefusing: boolean): void;
  cutAll(): void;
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

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one proxy, whose functions share its links
export async function startProxy(target: ConnectionTarget): Promise<PostgresProxy> {
  const { host = '127.0.0.1', port = 5432 } = target;
  const links = new Set<Link>();
  const stranded = new WeakSet<Link>();
  let order: Order | undefined;
  /** The cut that a session has begun. */
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
      // Reads the client's end.
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
