import { within } from '../base/within.ts';
import type { Database } from './connections.ts';
import { statementOfNone } from './statement.ts';

const ANSWER_WITHIN_MS = 1_000;

const selectAnswer = statementOfNone<[], { is_there: boolean }>('database.answer', 'select true as is_there');

/** Whether every shard answers within a second. Does not ask a single server, because what follows does. */
export async function allAnswer({ shards }: Pick<Database, 'shards'>): Promise<boolean> {
  if (shards.length === 1) return true;
  const answers = shards.map((shard) => {
    const answer = selectAnswer(shard, []).then(
      () => true,
      () => false,
    );
    return within(ANSWER_WITHIN_MS, answer, () => false);
  });
  return (await Promise.all(answers)).every(Boolean);
}
