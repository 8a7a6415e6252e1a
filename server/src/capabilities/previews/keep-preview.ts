import { randomBytes } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { insertPreview } from './queries.ts';

const PREVIEW_MS = 3_600_000;

/** Short, because a model repeats it. */
const TOKEN_BYTES = 24;

export interface KeptPreview {
  /** The order's idempotency key. */
  token: string;
  expiresAt: Date;
}

/**
 * Keeps an order that was previewed, for an hour. Each call returns another token, so that the same order can be placed twice
 * on purpose.
 *
 * @throws BestowError as `requireAdmitted`
 */
export async function keepPreview(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  caller: KeyCaller,
  order: OrderInputBody,
): Promise<KeptPreview> {
  const token = `preview_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const expiresAt = new Date(clock.now() + PREVIEW_MS);
  const [row] = await insertPreview(database.pool, [...parametersOf(caller), token, JSON.stringify(order), expiresAt]);
  requireAdmitted(caller, row);
  return { token, expiresAt };
}
