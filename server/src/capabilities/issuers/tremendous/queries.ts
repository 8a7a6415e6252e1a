import { statement } from '../../../platform/database/statement.ts';

/**
 * When the oldest gift was ordered whose reward is neither redeemed nor canceled; null without such a gift. After a restore of the
 * database, a reward may be older than its claim.
 */
export const selectFirstOpen = statement<[organizationId: string, issuerId: string], { ordered_at: Date | null }>(
  'tremendous.select_first_open',
  `select min(g.created_at) as ordered_at from cards k join gifts g using (organization_id, environment, gift_id)
   where k.organization_id = $1 and k.issuer_id = $2 and k.state in ('inactive', 'active')
     and g.spent_cents < g.amount_cents`,
);
