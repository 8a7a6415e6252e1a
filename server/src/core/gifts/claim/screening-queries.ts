import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

/** Lets one claim at a time be screened. Returns no row while another is, or if the gift cannot be claimed. */
export const leaseScreening = statement<[...One, now: Date, until: Date], { gift_id: string }>(
  'gifts.lease_screening',
  `update gifts set screening_until = $5
   where organization_id = $1 and environment = $2 and gift_id = $3 and claimed_at is null and canceled_at is null
     and claiming_at is null and (screening_until is null or screening_until <= $4)
   returning gift_id`,
);

/** Ends the lease, unless another claim has taken it over. */
export const endScreening = statement<[...One, until: Date]>(
  'gifts.end_screening',
  `update gifts set screening_until = null
   where organization_id = $1 and environment = $2 and gift_id = $3 and screening_until = $4`,
);

export const selectOrganizationName = statement<[organizationId: string], { name: string }>(
  'gifts.select_organization_name',
  'select name from organizations where organization_id = $1',
);
