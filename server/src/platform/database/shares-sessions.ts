import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { type ConnectionTarget, clientConfig } from './connections.ts';
import { withConnection } from './with-connection.ts';

const ANSWERED_WITHIN_MS = 10_000;
/** Other clients of a pooler may take the session that the first connection used. */
const ROUNDS = 5;
const SET = `select set_config('app.session_check', $1, false)`;
const SHOW = `select current_setting('app.session_check', true) as value`;

/**
 * Returns whether connections share sessions, as behind a pooler in transaction mode. There, a statement would run with the
 * organization that another one named, and row security would hide its rows.
 */
export function sharesSessions(target: ConnectionTarget): Promise<boolean> {
  const config = { ...clientConfig(target, 0), query_timeout: ANSWERED_WITHIN_MS };
  return withConnection(config, (one) =>
    withConnection(config, async (other) => {
      for (let round = 1; round <= ROUNDS; round += 1) if (await isShared(one, other)) return true;
      return false;
    }),
  );
}

/** Whether the other connection sees what the first one set, or the first one loses it. */
async function isShared(one: Client, other: Client): Promise<boolean> {
  const value = randomUUID();
  await one.query(SET, [value]);
  // A transaction keeps its session from the first connection.
  await other.query('begin');
  const isSeen = (await valueIn(other)) === value;
  const isLost = !isSeen && (await valueIn(one)) !== value;
  await other.query('commit');
  return isSeen || isLost;
}

const valueIn = async (client: Client) => (await client.query<{ value: string | null }>(SHOW)).rows[0]?.value;
