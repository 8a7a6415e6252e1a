import type { Environment } from '../base/environment.ts';
import { foldAddress } from '../database/folding.ts';
import { statement } from '../database/statement.ts';
import { forgotten, orderOf } from './request-sql.ts';

/** `address`: lower-case. */
type Recipient = [organizationId: string, address: string];

const order = orderOf('$1');

/** Declines requests. Of one whose order was placed, which a crash kept from being noted, notes the order. */
export const endRequestsTo = statement<[...Recipient, now: Date, reason: string], { request_id: string }>(
  'gift_requests.end_of_recipient',
  `update gift_requests r set order_id = ${order}, decided_at = $3, ${forgotten},
     state = case when ${order} is null then 'declined' else 'approved' end,
     reason = case when ${order} is null then $4 end
   where r.organization_id = $1 and ${foldAddress('r.address')} = $2 and (r.state = 'open' or ${order} is not null)
   returning r.request_id`,
);

export const countClaimed = statement<Recipient, { count: number }>(
  'gift_requests.count_claimed',
  `select count(*)::integer as count from gift_requests
   where organization_id = $1 and ${foldAddress('address')} = $2 and state = 'approving'`,
);

export const selectHeldRequests = statement<Recipient, { environment: Environment; gift: object; created_at: Date }>(
  'gift_requests.select_held',
  `select environment, gift, created_at from gift_requests
   where organization_id = $1 and ${foldAddress('address')} = $2 order by environment, request_id`,
);
