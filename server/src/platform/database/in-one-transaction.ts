import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { Database, OneServer } from './connections.ts';
import { inTransaction } from './transaction.ts';

/**
 * Runs many acts on one connection and in one transaction: each act's own transaction becomes a savepoint. No other process
 * sees anything, jobs included, before all of it is committed.
 *
 * @param withinMs milliseconds until the connection is closed, which rolls everything back
 * @throws Error if the data is on several servers
 */
export async function inOneTransaction<Result>(
  database: Database,
  act: (database: OneServer) => Promise<Result>,
  withinMs: number,
): Promise<Result> {
  const [server, ...others] = database.servers;
  if (server === undefined || others.length > 0) throw new Error('One transaction needs one server.');
  return await inTransaction(server.pool, (client) => act(onConnection(server, client)), withinMs);
}

function onConnection(server: OneServer, client: PoolClient): OneServer {
  const query = inTurn((asked, values) => client.query(asked as QueryConfig, values as unknown[]));
  let savepoints = 0;

  /** Lends the connection as the pool lends one of its own. */
  function lend(): PoolClient {
    savepoints += 1;
    const name = `act_${savepoints}`;
    const replaced: Record<string, string> = {
      commit: `release savepoint ${name}`,
      rollback: `rollback to savepoint ${name}; release savepoint ${name}`,
    };
    return Object.assign(Object.create(client) as PoolClient, {
      query: (asked: unknown, values?: unknown) =>
        query(typeof asked === 'string' ? replace(asked, name, replaced) : asked, values),
      release: () => undefined,
    });
  }

  const pool = { query, connect: async () => lend() } as unknown as Pool;
  const parts = { read: pool, change: pool, purchase: pool, pool, placement: pool, shared: pool, home: pool };
  const one: OneServer = {
    ...server,
    ...parts,
    shards: [pool],
    laneOf: () => one,
  };
  one.servers = [one];
  return one;
}

/** `begin` may go on with settings of the transaction, which hold for the rest of the outer one too. */
const replace = (text: string, name: string, replaced: Record<string, string>): string => {
  const [first = '', ...settings] = text.split('; ');
  if (first.startsWith('begin')) return [`savepoint ${name}`, ...settings].join('; ');
  return replaced[text] ?? text;
};

type Query = (asked: unknown, values?: unknown) => Promise<unknown>;

/** A connection runs one statement after another. */
function inTurn(query: Query): Query {
  let latest: Promise<unknown> = Promise.resolve();
  return (asked, values) => {
    const answer = latest.then(() => query(asked, values));
    latest = answer.catch(() => undefined);
    return answer;
  };
}
