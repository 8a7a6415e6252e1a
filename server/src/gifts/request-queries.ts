import type { Environment } from '../base/environment.ts';
import { statement } from '../database/statement.ts';

/** `address`: lower-case. */
type Recipient = [organizationId: string, address: string];

/** The order that an approval placed, also one that a crash kept from being noted. */
export const orderOf = (organization: string): string =>
  `(select o.order_id from orders o where o.organization_id = ${organization} and o.environment = r.environment
       and o.idempotency_key = r.order_key)`;

/** What a decided request holds no more. */
export const forgotten = 'gift = null, address = null, claim_id = null';

const order = orderOf('$1');

/** Declines requests. Of one whose order was placed, which a crash kept from being noted, notes the order. */
export const endRequestsTo = statement<[...Recipient, now: Date, reason: string], { request_id: string }>(
  'gift_requests.end_of_recipient',
  `update gift_requests r set order_id = ${order}, decided_at = $3, ${forgotten},
     state = case when ${order} is null then 'declined' else 'approved' end,
     reason = case when ${order} is null then $4 end
   where r.organization_id = $1 and lower(r.address) = $2 and (r.state = 'open' or ${order} is not null)
   returning r.request_id`,
);

export const countClaimed = statement<Recipient, { count: number }>(
  'gift_requests.count_claimed',
  `select count(*)::integer as count from gift_requests
   where organization_id = $1 and lower(address) = $2 and state = 'approving'`,
);

export const selectHeldRequests = statement<Recipient, { environment: Environment; gift: object; created_at: Date }>(
  'gift_requests.select_held',
  `select environment, gift, created_at from gift_requests
   where organization_id = $1 and lower(address) = $2 order by environment, request_id`,
);
