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
  /** One server, or the router before the shards. */
  target: ConnectionTarget;
  /** The shards themselves, in the router's order; none if there is one server. */
  shardTargets: readonly ConnectionTarget[];
  /** The database of people; undefined if it is the same. */
  homeTarget: ConnectionTarget | undefined;
}

/** The database servers: the shards, or the only one. */
export const serversOf = ({
  target,
  shardTargets,
}: Pick<Targets, 'target' | 'shardTargets'>): readonly ConnectionTarget[] =>
  shardTargets.length === 0 ? [target] : shardTargets;

/**
 * Connects to one server, or to shards and the router before them. Each shard has separate connections to the router,
 * because a statement for a shard that is down holds its connection until the router gives up.
 */
export function openConnections(
  { target, shardTargets, homeTarget }: Targets,
  onError: (error: Error) => void,
  options: Omit<DatabaseOptions, 'homeTarget'> = {},
): Database {
  const [first] = shardTargets;
  if (first === undefined) return connectDatabase(target, onError, { ...options, homeTarget });
  // The router finds the server that accepts changes. A statement has orders of one organization, so more run at once.
  const lanes = shardTargets.map(() =>
    connectDatabase(target, onError, { ...options, orderBatch: 1, requiresChanges: false, seesAll: true }),
  );
  const servers = shardTargets.map((shard, index) =>
    connectDatabase(shard, onError, { ...options, homeTarget: index === 0 ? homeTarget : undefined }),
  );
  const { home } = servers[0] as OneServer;
  const laneOf = (organizationId: string) => lanes[shardOf(organizationId, lanes.length)] as OneServer;
  const byOrganization = (name: 'read' | 'change' | 'purchase' | 'pool'): Queryable => ({
    isRouted: true,
    query: (query) => laneOf(organizationOf(query))[name].query(query),
  });
  return {
    read: byOrganization('read'),
    change: byOrganization('change'),
    purchase: byOrganization('purchase'),
    pool: byOrganization('pool'),
    laneOf,
    lanes,
    shared: firstThatAnswers(servers.map(({ read }) => read)),
    shards: servers.map((server) => server.pool),
    servers: servers.map((server) => ({ ...server, home })),
    home,
    renewRead: () => undefined,
    close: async () => {
      await Promise.all([...lanes, ...servers].map((each) => each.close()));
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
