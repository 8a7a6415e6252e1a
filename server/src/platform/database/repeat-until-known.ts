import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import { sessionOf } from '../base/private-internals.ts';
import { endSession } from './end-session.ts';
import { rethrow, wasRolledBack } from './lost-commit.ts';
import { isReadOnly } from './read-only.ts';
import { withHistory } from './server-history.ts';

const REACHED_WITHIN_MS = 1_200;
/** A server that takes no changes hands its data to another one, or is a leader no more: the next is there in seconds. */
const CHANGES_WITHIN_MS = 3_000;
const KNOWN_WITHIN_MS = 8_000;
const LONGEST_PAUSE_MS = 250;

/**
 * Runs a statement that is safe to repeat. If the connection is lost while the statement runs, the statement may still
 * commit. So this ends the lost session and runs the statement again until PostgreSQL answers.
 *
 * @throws OutcomeUnknown, or PostgreSQL's error if nothing was written
 */
export async function repeatUntilKnown<Result>(
  pool: Pool,
  run: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const startedAtMs = performance.now();
  const lostSessions = new Set<number>();
  // After a lost session, an error in a later session does not prove that the lost one wrote nothing.
  let lostAtMs: number | undefined;
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    let client: PoolClient | undefined;
    try {
      client = await pool.connect().catch(rethrow);
      for (const session of lostSessions) {
        await endSession(client, session);
        lostSessions.delete(session);
      }
      const result = await withHistory(pool, client, run);
      client.release();
      return result;
    } catch (error) {
      const isKnown = client !== undefined && (await wasRolledBack(error, client));
      const mayBeKept = isKnown && lostAtMs === undefined && !isReadOnly(error);
      client?.release(mayBeKept ? undefined : (error as Error));
      const takesNoChanges = isReadOnly(error);
      if (isKnown && lostAtMs === undefined && !takesNoChanges) throw error;
      if (client !== undefined && !isKnown) {
        lostAtMs = performance.now();
        const session = sessionOf(client);
        if (session !== undefined) lostSessions.add(session);
      }
      const elapsedMs = performance.now() - startedAtMs;
      const reachedWithinMs = takesNoChanges ? CHANGES_WITHIN_MS : REACHED_WITHIN_MS;
      if (lostAtMs === undefined && elapsedMs > reachedWithinMs) throw error;
      if (elapsedMs > KNOWN_WITHIN_MS)
        throw new OutcomeUnknown('The connection was lost while a change was being committed.', { cause: error });
      await wait(pauseMs);
    }
  }
}
