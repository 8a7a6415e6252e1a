import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import { sessionOf } from '../base/private-internals.ts';
import { endSession } from './end-session.ts';
import { neverRan, rethrow, wasRolledBack } from './lost-commit.ts';
import { isReadOnly } from './read-only.ts';

const REACHED_WITHIN_MS = 1_200;
const KNOWN_WITHIN_MS = 8_000;
const LONGEST_PAUSE_MS = 250;

/** PgDog waits at most two seconds for a server, and PostgreSQL then ends the statement after 1.6 seconds. */
const ROUTED_STATEMENT_ENDS_MS = 4_000;

/**
 * Runs a statement that is safe to repeat. If the connection is lost while the statement runs, the statement may still
 * commit. So this ends the lost session, or waits until the statement must have ended, and runs it again until PostgreSQL
 * answers.
 *
 * @param isRouted behind a router, which hides the server's session
 * @throws OutcomeUnknown, or PostgreSQL's error if nothing was written
 */
export async function repeatUntilKnown<Result>(
  pool: Pool,
  run: (client: PoolClient) => Promise<Result>,
  isRouted: boolean,
): Promise<Result> {
  const startedAtMs = performance.now();
  const lostSessions = new Set<number>();
  // After a lost session, an error in a later session does not prove that the lost one wrote nothing.
  let lostAtMs: number | undefined;
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    let client: PoolClient | undefined;
    try {
      if (isRouted && lostAtMs !== undefined) await wait(lostAtMs + ROUTED_STATEMENT_ENDS_MS - performance.now());
      client = await pool.connect().catch(rethrow);
      for (const session of lostSessions) {
        await endSession(client, session);
        lostSessions.delete(session);
      }
      const result = await run(client);
      client.release();
      return result;
    } catch (error) {
      const isKnown = client !== undefined && (neverRan(error) || (await wasRolledBack(error, client)));
      const mayBeKept = isKnown && lostAtMs === undefined && !neverRan(error) && !isReadOnly(error);
      client?.release(mayBeKept ? undefined : (error as Error));
      if (isKnown && lostAtMs === undefined) throw error;
      if (client !== undefined && !isKnown) {
        lostAtMs = performance.now();
        const session = sessionOf(client);
        if (session !== undefined && !isRouted) lostSessions.add(session);
      }
      const elapsedMs = performance.now() - startedAtMs;
      if (lostAtMs === undefined && elapsedMs > REACHED_WITHIN_MS) throw error;
      if (elapsedMs > KNOWN_WITHIN_MS)
        throw new OutcomeUnknown('The connection was lost while a change was being committed.', { cause: error });
      await wait(pauseMs);
    }
  }
}
