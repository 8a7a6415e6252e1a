import { createBatcher } from '../base/batch.ts';
import type { Deps } from '../deps.ts';
import { type AcceptedRow, recordAccepted } from './queries.ts';

/** Records what providers accepted: what comes in while a commit is under way shares the next one. */
export interface AcceptedMessages {
  record(row: AcceptedRow): Promise<void>;
}

const MAX_ROWS = 200;
const MAX_WAITING = 10_000;

export function createAcceptedMessages({ database }: Pick<Deps, 'database'>): AcceptedMessages {
  const batcher = createBatcher<AcceptedRow, undefined>({
    async run(rows) {
      await recordAccepted(database.pool, [JSON.stringify(rows)]);
      return rows.map(() => undefined);
    },
    maxItems: MAX_ROWS,
    maxRuns: 1,
    maxWaiting: MAX_WAITING,
  });
  return { record: (row) => batcher.submit(row) };
}
