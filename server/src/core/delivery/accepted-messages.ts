import { setTimeout as wait } from 'node:timers/promises';
import { coalesce } from '../../platform/base/coalesce.ts';
import { isOutOfOrder } from '../../platform/database/lost-commit.ts';
import type { Deps } from '../deps.ts';
import { type AcceptedRow, recordAccepted } from './queries.ts';

/**
 * Records messages that providers accepted. Messages that arrive during a commit share the next one. A failed write is
 * retried for a minute, because an unrecorded message is sent twice.
 */
export interface AcceptedMessages {
  record(row: AcceptedRow): Promise<void>;
}

const MAX_ROWS = 200;
const TRY_FOR_MS = 60_000;
const PAUSE_MS = 500;

export function createAcceptedMessages({ database }: Pick<Deps, 'database'>): AcceptedMessages {
  const writes = coalesce<AcceptedRow, undefined>({
    async run(rows) {
      for (const endMs = performance.now() + TRY_FOR_MS; ; ) {
        try {
          await recordAccepted(database.shards, [JSON.stringify(rows)]);
          return rows.map(() => undefined);
        } catch (error) {
          if (!isOutOfOrder(error) || performance.now() > endMs) throw error;
        }
        // Unreferenced, so that the pause does not delay shutdown.
        await wait(PAUSE_MS, undefined, { ref: false });
      }
    },
    maxItems: MAX_ROWS,
    maxRuns: 1,
  });
  return { record: (row) => writes.submit(row) };
}
