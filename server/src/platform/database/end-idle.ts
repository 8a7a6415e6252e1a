import type { Pool, PoolClient } from 'pg';

/** Ends the idle connections of a pool, except those to keep. */
export function endIdle(pool: Pool, isKept: (client: PoolClient) => boolean = () => false): void {
  for (let idle = pool.idleCount; idle > 0; idle -= 1)
    pool.connect().then(
      (client) => client.release(!isKept(client)),
      () => undefined,
    );
}
