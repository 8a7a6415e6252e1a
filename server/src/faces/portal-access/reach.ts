import type { Deps } from '../../core/deps.ts';
import type { Operation } from '../../platform/api/operation.ts';
import { lackOfRole, type MemberPermission } from '../../platform/authentication/permissions.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Member } from './access.ts';
import { selectBatchInReach, selectGiftInReach, selectOrderInReach } from './reach-queries.ts';

/** What a path names, and whether a member sent it. */
const named = [
  ['gift_id', 'gift', selectGiftInReach],
  ['order_id', 'ord', selectOrderInReach],
  ['batch_id', 'batch', selectBatchInReach],
] as const;

/** Of a batch that a body names. @param batchId UUID @throws BestowError `resource_missing` */
export async function requireBatchInReach(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  { membership: { reach } }: Member,
  batchId: string,
): Promise<void> {
  if (reach === null) return;
  const [row] = await selectBatchInReach(database.pool, [organizationId, environment, batchId, reach]);
  if (row === undefined) throw new BestowError('resource_missing');
}

/** What shows or changes gifts. */
const ABOUT_GIFTS: readonly MemberPermission[] = ['gifts', 'people', 'links', 'manage', 'cancel'];

/**
 * Of a member who sees only what they or their team sent: requires that the path names such a gift, order or batch, or that
 * the operation keeps to their reach by itself. What they do not reach is missing to them.
 *
 * @throws BestowError `resource_missing`, `admin_required`
 */
export async function requireReach(
  { database }: Pick<Deps, 'database'>,
  { membership: { reach }, organizationId }: Member,
  { path, needs = [], keepsToReach }: Pick<Operation, 'path' | 'needs' | 'keepsToReach'>,
  params: Record<string, string>,
): Promise<void> {
  if (reach === null) return;
  const one = named.find(([param]) => param in params);
  if (one !== undefined) {
    const [param, prefix, select] = one;
    const { environment = path.includes('/sandbox/') ? 'sandbox' : 'live' } = params;
    const id = decodeId(prefix, params[param] ?? '');
    const isOfBoth = environment === 'live' || environment === 'sandbox';
    const [row] =
      id !== undefined && isOfBoth ? await select(database.pool, [organizationId, environment, id, reach]) : [];
    if (row === undefined) throw new BestowError('resource_missing');
  } else if (!keepsToReach && [needs].flat().some((need) => ABOUT_GIFTS.includes(need)))
    throw new BestowError('admin_required', { message: lackOfRole(['others']) });
}
