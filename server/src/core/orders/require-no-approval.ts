import { BestowError } from '../../platform/base/errors.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { selectNeedsApproval } from './approval-queries.ts';

/**
 * Requires that no rule holds an amount of a member's back.
 *
 * @param organizationId UUID
 * @param senderId UUID of the member who sends
 * @throws BestowError `approval_required`
 */
export async function requireNoApproval(
  client: Queryable,
  organizationId: string,
  senderId: string,
  amountCents: number,
): Promise<void> {
  const [row] = await selectNeedsApproval(client, [organizationId, senderId, amountCents]);
  if (row?.needs_approval) throw new BestowError('approval_required');
}
