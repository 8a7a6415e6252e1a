import type { PlatformDeps } from '../deps.ts';
import { bringForward } from './queries.ts';

/** Makes waiting jobs due earlier, after a test suite moved the clock of its temporary service. */
export async function bringJobsForward({ database }: Pick<PlatformDeps, 'database'>, ms: number): Promise<void> {
  await bringForward(database.home, [ms]);
}
