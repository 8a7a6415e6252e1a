import type { Deps } from '../../core/deps.ts';
import { moveCursor, selectCursor } from './queries.ts';

/** Until when a provider's events were compared with ours; undefined if never. */
export async function findCursor({ database }: Pick<Deps, 'database'>, provider: string): Promise<Date | undefined> {
  const [row] = await selectCursor(database.home, [provider]);
  return row?.reconciled_at;
}

export const advanceCursor = async ({ database }: Pick<Deps, 'database'>, provider: string, to: Date): Promise<void> =>
  void (await moveCursor(database.home, [provider, to]));
