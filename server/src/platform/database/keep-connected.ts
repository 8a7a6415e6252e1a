import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { endIdle } from './end-idle.ts';

const NO_CONNECTION_LEFT = '53300';
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Connects a pool again as soon as it loses a session. If the server has none left, other pools give up theirs: after a cut
 * of the network PostgreSQL holds lost sessions for up to a minute.
 */
export function keepConnected(pool: Pool, others: readonly Pool[]): void {
  let isConnecting = false;

  async function connectAgain(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !pool.ending; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        (await pool.connect()).release();
        return;
      } catch (error) {
        if (errorCode(error) === NO_CONNECTION_LEFT) for (const other of others) endIdle(other);
        await wait(pauseMs, undefined, { ref: false });
      }
    }
  }

  pool.on('remove', () => {
    if (isConnecting) return;
    isConnecting = true;
    void connectAgain().finally(() => {
      isConnecting = false;
    });
  });
}
