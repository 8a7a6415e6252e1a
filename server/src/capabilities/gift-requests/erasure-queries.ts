import { endRequests } from '../../core/approvals/statement-parts.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { factsOfEnded } from '../../platform/events/gift-facts.ts';
import { orderOf } from './statement-parts.ts';

/** `address`: lower-case. `asked`: requests for orders with a gift to it. */
type Recipient = [organizationId: string, address: string, asked: readonly string[]];

const isToRecipient = `(${foldAddress('r.address')} = $2 or r.request_id = any ($3::uuid[]))`;

const order = orderOf('$1');

/** Declines requests. Of one whose order was placed, which a crash kept from being noted, notes the order. */
export const endRequestsTo = statement<[...Recipient, now: Date, reason: string], { request_id: string }>(
  'gift_requests.end_of_recipient',
  `${endRequests({
    state: `case when ${order} is null then 'declined' else 'approved' end`,
    at: '$4',
    orderId: order,
    reason: `case when ${order} is null then $5 end`,
  })}
   where r.organization_id = $1 and ${isToRecipient} and r.state in ('open', 'approving')
     and (r.state = 'open' or ${order} is not null)
   returning r.request_id`,
);

export const countClaimed = statement<Recipient, { count: number }>(
  'gift_requests.count_claimed',
  `select count(*)::integer as count from gift_requests r
   where r.organization_id = $1 and ${isToRecipient} and r.state = 'approving'`,
);

interface HeldRow {
  environment: Environment;
  gift: object;
  created_at: Date;
}

export const selectHeldRequests = statement<[organizationId: string, address: string], HeldRow>(
  'gift_requests.select_held',
  `select environment, gift, created_at from gift_requests
   where organization_id = $1 and ${foldAddress('address')} = $2 order by environment, request_id`,
);

/** The orders that are not decided. */
export const selectAskedOrders = statement<
  [organizationId: string],
  HeldRow & { request_id: string; gift: { gifts: GiftInputBody[] } }
>(
  'gift_requests.select_asked',
  `select request_id, environment, gift, created_at from gift_requests
   where organization_id = $1 and environment in ('live', 'sandbox') and category_id is null and gift is not null
     and state in ('open', 'approving')
   order by environment, request_id`,
);

export const appendEnds = statement<[organizationId: string, requestIds: readonly string[]]>(
  'gift_requests.append_ends',
  `with ${appendEvents(
    factsOfEnded(
      'gift_requests',
      `r.organization_id = $1 and r.environment in ('live', 'sandbox') and r.request_id = any ($2::uuid[])
       and r.decided_at is not null`,
    ),
  )}
   select from event_counter where organization_id = $1`,
);
