import type { Deps } from '../../core/deps.ts';
import { bringForward } from './queries.ts';

/** Makes waiting jobs due earlier, after a test suite moved the clock of its temporary service. */
export async function bringJobsForward({ database }: Pick<Deps, 'database'>, ms: number): Promise<void> {
  await bringForward(database.home, [ms]);
}
