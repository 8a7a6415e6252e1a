import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import { approvalRuleOf } from '../approvals/statement-parts.ts';

export const selectNeedsApproval = statement<
  [organizationId: string, memberId: string, amountCents: number],
  { needs_approval: boolean }
>(
  'orders.needs_approval',
  `select coalesce($3::bigint > ${approvalRuleOf('$1::uuid', '$2::uuid')}, false) as needs_approval`,
);

/** The lowest limit that a member's order alone exceeds. A limit for each recipient allows no links. */
export const selectLimitBelow = statement<
  [
    organizationId: string,
    environment: Environment,
    memberId: string,
    orderCents: number,
    recipientCents: number,
    hasLink: boolean,
  ],
  { of: 'organization' | 'member' | 'team'; period: 'hour' | 'day' | 'month' | 'recipient'; cap_cents: number }
>(
  'orders.select_limit_below',
  `select case c.holder_id when $1 then 'organization' when $3 then 'member' else 'team' end as of, c.period, c.cap_cents
   from spending_caps c
   where c.organization_id = $1 and c.environment = $2
     and c.holder_id in ($1, $3, (select m.team_id from members m where m.organization_id = $1 and m.member_id = $3))
     and (c.period in ('hour', 'day', 'month') and c.cap_cents < $4::bigint
       or c.period = 'recipient' and (c.cap_cents < $5::bigint or $6 and c.holder_id <> $1))
   order by c.cap_cents limit 1`,
);
