import { WITHDRAWN } from './withdrawn.ts';

// Parts of statements that change messages. Where no other is named, the gifts are a CTE or table of one organization.

const columns = `organization_id, environment, gift_id, delivery_id, channel, address, link_version, link_expires_at, state,
       created_at`;

/** Insert of the message about each gift, in the state that the gift has. @param gifts what follows `from` */
export const insertDeliveries = (gifts: string, createdAt: string) =>
  `insert into deliveries (${columns})
     select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
       link_expires_at, delivery_state::text::delivery_progress, ${createdAt}
     from ${gifts}`;

/** The same for gifts that were sent again or elsewhere, which is limited. */
export const insertRedirects = (gifts: string, createdAt: string) =>
  `insert into deliveries (${columns}, counts_as_redirect)
     select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
       link_expires_at, delivery_state::text::delivery_progress, ${createdAt}, true
     from ${gifts}`;

/** Insert of reminders, each once. @param source query of the columns in this order, with the day of the reminder */
export const insertReminderDeliveries = (source: string) =>
  `insert into deliveries (${columns}, reminder_day)
     ${source}
     on conflict (organization_id, environment, gift_id, reminder_day) where reminder_day is not null do nothing`;

/** Update: an opened or claimed gift of the CTE `gift` proves that its message arrived. */
export const deliverPending = (now: string) =>
  `update deliveries d set state = 'delivered', settled_at = ${now}
     from gift g
     where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       and d.delivery_id = g.delivery_id and d.state in ('pending', 'sent')
     returning 1`;

/** Update that settles the latest message of the CTE `gift`. @param state of type `delivery_progress` */
export const settleDelivery = (state: string, now: string) =>
  `update deliveries d set state = ${state}, settled_at = ${now}
     from gift g
     where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
       and d.delivery_id = g.delivery_id
     returning 1`;

/** Update that withdraws the messages of gifts of `$1` and `$2` that were not sent. In the sandbox, all count as sent. */
export const withdrawDeliveries = (gifts: string, now: string) =>
  `update deliveries d set state = 'failed', reason = '${WITHDRAWN}', settled_at = ${now}
     from ${gifts} r
     where d.organization_id = $1 and d.environment = $2 and d.gift_id = r.gift_id and d.state = 'pending'
       and d.environment = 'live'
     returning 1`;

interface Erasure {
  /** What the address becomes. */
  address: string;
  reason: string;
  now: string;
  /** Of the messages `d`. */
  condition: string;
}

/** Update that erases the address of messages about the CTE `gift` of `$1`. Pending ones fail, so that no worker sends them. */
export const eraseDeliveries = ({ address, reason, now, condition }: Erasure) =>
  `update deliveries d
     set address = ${address}, reason = ${reason}, provider_id = null,
       state = case d.state when 'pending' then 'failed' else d.state end,
       settled_at = case d.state when 'pending' then ${now} else d.settled_at end
     from gift f
     where d.organization_id = $1 and d.environment = f.environment and d.gift_id = f.gift_id and ${condition}`;
