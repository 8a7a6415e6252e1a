import { statement } from '../../platform/database/statement.ts';
import { approvalRuleOf } from './grant-queries.ts';

export const selectNeedsApproval = statement<
  [organizationId: string, memberId: string, amountCents: number],
  { needs_approval: boolean }
>(
  'orders.needs_approval',
  `select coalesce($3::bigint > ${approvalRuleOf('$1::uuid', '$2::uuid')}, false) as needs_approval`,
);
