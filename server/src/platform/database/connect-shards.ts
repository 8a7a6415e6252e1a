import type { QueryConfig } from 'pg';
import {
  type ConnectionTarget,
  connectDatabase,
  type Database,
  type DatabaseOptions,
  type OneServer,
} from './connections.ts';
import { isOutOfOrder } from './lost-commit.ts';
import { shardOf } from './shard-of.ts';
import type { Queryable } from './statement.ts';

/** The servers that hold the data. */
export interface Targets {
  /** The shards in the order of `DATABASE_SHARDS`, or the only server. */
  servers: readonly ConnectionTarget[];
  /** The database of people; undefined if it is the first of the servers. */
  homeTarget?: ConnectionTarget | undefined;
}

/** Connects to each server. A statement of an organization goes to its shard, so that one that is down holds up no other. */
export function openConnections(
  { servers: targets, homeTarget }: Targets,
  onError: (error: Error) => void,
  options: Omit<DatabaseOptions, 'homeTarget'> = {},
): Database {
  const servers = targets.map((target, index) =>
    connectDatabase(target, onError, { ...options, homeTarget: index === 0 ? homeTarget : undefined }),
  );
  const [first] = servers;
  if (first === undefined) throw new Error('There is no database.');
  if (servers.length === 1) return first;
  for (const server of servers) server.home = first.home;
  const laneOf = (organizationId: string) => servers[shardOf(organizationId, servers.length)] as OneServer;
  const byOrganization = (name: 'read' | 'change' | 'purchase' | 'pool'): Queryable => {
    const of = (organizationId: string) => laneOf(organizationId)[name];
    return { of, query: (query) => of(organizationOf(query)).query(query) };
  };
  return {
    read: byOrganization('read'),
    change: byOrganization('change'),
    purchase: byOrganization('purchase'),
    pool: byOrganization('pool'),
    laneOf,
    shared: firstThatAnswers(servers.map(({ read }) => read)),
    shards: servers.map(({ pool }) => pool),
    servers,
    home: first.home,
    homeHistory: first.homeHistory,
    renewRead: () => undefined,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function organizationOf({ name, values }: QueryConfig): string {
  const [organizationId] = values ?? [];
  if (typeof organizationId !== 'string') throw new Error(`${name} names no organization.`);
  return organizationId;
}

/** Reads tables that are the same on every shard. */
function firstThatAnswers(databases: readonly Queryable[]): Queryable {
  return {
    async query(query) {
      for (const database of databases.slice(0, -1)) {
        try {
          return await database.query(query);
        } catch (error) {
          if (!isOutOfOrder(error)) throw error;
        }
      }
      return await (databases.at(-1) as Queryable).query(query);
    },
  };
}
