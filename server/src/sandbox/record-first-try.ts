import type { Deps } from '../deps.ts';
import { deleteTriesBefore, insertTry } from './queries.ts';

/** Longer than any client goes on trying; then a key's first try is its first again. */
const KEPT_FOR_MS = 3_600_000;

/**
 * Remembers that an idempotency key of the sandbox was tried, for all processes.
 *
 * @param organizationId UUID
 * @returns whether this was its first try within an hour or so
 */
export async function recordFirstTry(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  organizationId: string,
  idempotencyKey: string,
): Promise<boolean> {
  const [first] = await insertTry(database.pool, [organizationId, idempotencyKey, new Date(clock.now())]);
  return first !== undefined;
}

/** Forgets the tries of more than an hour ago; safe to repeat. */
export async function forgetOldTries({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  await deleteTriesBefore(database.pool, [new Date(clock.now() - KEPT_FOR_MS)]);
}
